"""Between a client and a real broker: passes everything on, but rejects one request.

What a broker does while a partition changes its leader cannot be had at will; this gives the
answer it would give, `NOT_LEADER_OR_FOLLOWER`, to the first request with messages of a topic,
together with the broker's own answer to the second; or by itself, if none comes for a while.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

_PRODUCE: Final = 0
_NOT_LEADER: Final = 6
_HEAD: Final = struct.Struct(">hhi")  # which request, its version, its number
ALONE_SECONDS: Final = 3.0
"""How long the first waits for a second."""


class Between:
    """Of one topic with one partition. Say afterwards whether a second request was under way."""

    def __init__(self, broker: str, *, topic: str) -> None:
        host, _, port = broker.rpartition(":")
        self._broker = (host, int(port))
        self._topic = topic
        self._own_port = 0
        self._first: int | None = None
        self._second: int | None = None
        self._rejection = b""
        self._serving: set[asyncio.Task[None]] = set()
        self.under_way_behind_it = False
        self.answered = False

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[str]:
        server = await asyncio.start_server(self._come_in, "127.0.0.1", 0)
        self._own_port = server.sockets[0].getsockname()[1]
        try:
            yield f"127.0.0.1:{self._own_port}"
        finally:
            server.close()
            for task in self._serving:
                task.cancel()
            await asyncio.gather(*self._serving, return_exceptions=True)

    def _come_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._serving.add(asyncio.create_task(self._serve(reader, writer)))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_broker, to_broker = await asyncio.open_connection(*self._broker)
        answers = asyncio.create_task(self._answer(from_broker, writer))
        try:
            while True:
                request = await _frame(reader)
                if not self._is_the_first(request):
                    to_broker.write(_framed(request))
                    continue
                loop = asyncio.get_running_loop()
                loop.call_later(ALONE_SECONDS, lambda: writer.write(self._take_rejection()))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            answers.cancel()
            to_broker.close()
            writer.close()

    def _is_the_first(self, request: bytes) -> bool:
        kind, version, number = _HEAD.unpack_from(request)
        if kind != _PRODUCE or self._topic.encode() not in request:
            return False
        assert version >= 9, "an older form of the answer than is made here"
        if self._first is None:
            self._first = number
            self._rejection = _framed(_rejected(number, self._topic))
            return True
        if self._second is None:
            self._second = number
            self.under_way_behind_it = self._rejection != b""
        return False

    def _take_rejection(self) -> bytes:
        """Once, and not while a second request is under way."""
        if self._second is not None and not self.answered:
            return b""
        taken, self._rejection = self._rejection, b""
        return taken

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """The broker's own address is replaced by this one: the client must come here."""
        real = b"127.0.0.1" + struct.pack(">i", self._broker[1])
        own = b"127.0.0.1" + struct.pack(">i", self._own_port)
        while True:
            answer = (await _frame(reader)).replace(real, own)
            if struct.unpack_from(">i", answer)[0] == self._second:
                self.answered = True
                writer.write(self._take_rejection() + _framed(answer))
            else:
                writer.write(_framed(answer))


async def _frame(reader: asyncio.StreamReader) -> bytes:
    (length,) = struct.unpack(">i", await reader.readexactly(4))
    return await reader.readexactly(length)


def _framed(content: bytes) -> bytes:
    return struct.pack(">i", len(content)) + content


def _rejected(number: int, topic: str) -> bytes:
    """The answer to a request with messages for partition 0, in the compact form."""
    name = topic.encode()
    assert len(name) < 127
    nowhere = struct.pack(">qqq", -1, -1, -1)  # offset, time, where the log begins
    partition = struct.pack(">ih", 0, _NOT_LEADER) + nowhere + b"\x01\x00\x00"
    topics = b"\x02" + bytes([len(name) + 1]) + name + b"\x02" + partition + b"\x00"
    return struct.pack(">i", number) + b"\x00" + topics + struct.pack(">i", 0) + b"\x00"
