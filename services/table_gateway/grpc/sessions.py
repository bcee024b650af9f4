"""One table, one speaker: the newest call for a table wins, and the one before it is ended.

A controller that lost its connection comes again long before the old one is found dead; it
must not wait for that. What the older call has under way is finished first, so that two never
write for one table at once, and the newer one is told how far the log is by then.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol, TypeVar

from table_gateway.domain.stream import Decision, Stream, Taken
from table_gateway.grpc.errors import GatewayError, Superseded
from table_gateway.kafka.dead_letters import Letter
from table_gateway.kafka.ingest import Intake, Outcome

T = TypeVar("T")
STALE_SECONDS_MAX: Final = 10.0
"""A leader that was replaced learns it within its session; the brokers' default is 9 s."""
AGAIN_SECONDS: Final = 0.2


class Learns(Protocol):
    async def learn(self, table: str) -> Stream: ...


class _Desk:
    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.speaker: Speaker | None = None
        self.came_at = 0
        """When the last event taken here came to its controller, by our clock; 0: not known."""


class Speaker:
    """A call that speaks for a table, until it is ended."""

    def __init__(self, table: str, peer: str, desk: _Desk, intake: Intake) -> None:
        self.stream = Stream(table)
        self._peer = peer
        self._desk = desk
        self._intake = intake
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def end(self, reason: GatewayError) -> None:
        """The call is ended with this reason, at once or as soon as its batch is written."""
        if not self._ended.done():
            self._ended.set_exception(reason)
            self._ended.exception()  # it may have ended by itself already: nobody need ask

    async def begin(self, heads: Learns, acknowledged_seq: int = 0) -> None:
        """From where the log is. One that lacks what was acknowledged is read again for a while: a
        leader that was paused and replaced does not know it yet, and answers for its old log."""
        await finish(self._begin(heads, acknowledged_seq))

    async def take(
        self, frames: Sequence[bytes], times: Sequence[int] = (), waits: Sequence[int] = ()
    ) -> Outcome:
        """The batch is written, whatever becomes of the call in the meantime."""
        return await finish(self._take(frames, times, waits))

    async def unless_ended(self, waiting: Awaitable[T]) -> T:
        """What is waited for; or, once this call is ended, the reason raised."""
        work: asyncio.Future[T] = asyncio.ensure_future(waiting)
        either: set[asyncio.Future[Any]] = {work, self._ended}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if self._ended.done():
                self._ended.result()
            return work.result()
        finally:
            work.cancel()

    async def _begin(self, heads: Learns, acknowledged_seq: int) -> None:
        clock = asyncio.get_running_loop().time
        until = clock() + STALE_SECONDS_MAX
        async with self._desk.lock:
            self._check()
            self.stream = await heads.learn(self.stream.table)
            while self.stream.seq < acknowledged_seq and clock() < until:
                await asyncio.sleep(AGAIN_SECONDS)
                self._check()
                self.stream = await heads.learn(self.stream.table)

    async def _take(
        self, frames: Sequence[bytes], times: Sequence[int], waits: Sequence[int]
    ) -> Outcome:
        async with self._desk.lock:
            self._check()
            try:
                outcome = await self._intake.take(
                    self.stream,
                    frames,
                    times,
                    waits,
                    peer=self._peer,
                    came_at=self._desk.came_at,
                )
            except BaseException:
                # What the brokers have is not known: the next call learns it from the log.
                if self._desk.speaker is self:
                    self._desk.speaker = None
                raise
            self.stream = outcome.stream
            self._desk.came_at = outcome.came_at
            return outcome

    def _check(self) -> None:
        if self._ended.done():
            self._ended.result()
        if self._desk.speaker is not self:
            raise Superseded(self.stream.table)


async def finish(work: Coroutine[Any, Any, T]) -> T:
    """A caller that goes away does not leave the desk in the middle of a batch."""
    task = asyncio.create_task(work)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return await asyncio.shield(task)


class Desks:
    """Every table that has spoken here."""

    def __init__(self, intake: Intake, heads: Learns, *, count: Callable[[int], object]) -> None:
        self._intake = intake
        self._heads = heads
        self._count = count
        self._desks: dict[str, _Desk] = {}
        self._speakers: set[Speaker] = set()
        self._closed: GatewayError | None = None

    @asynccontextmanager
    async def speaking(
        self, table: str, peer: str, *, acknowledged_seq: int = 0
    ) -> AsyncIterator[Speaker]:
        """Speaks for the table, from where the log is, until another does or the call ends."""
        if self._closed is not None:
            raise self._closed
        desk = self._desks.setdefault(table, _Desk())
        speaker = Speaker(table, peer, desk, self._intake)
        older, desk.speaker = desk.speaker, speaker
        if older is not None:
            older.end(Superseded(table))
        self._speakers.add(speaker)
        self._count(len(self._speakers))
        try:
            await speaker.begin(self._heads, acknowledged_seq)
            yield speaker
        finally:
            self._speakers.discard(speaker)
            self._count(len(self._speakers))
            if desk.speaker is speaker:
                desk.speaker = None

    async def retry(self, letter: Letter, *, author: str) -> Decision:
        """What was set aside is judged between two batches of whoever speaks for its table, who
        goes on: this is no newer call of the table's."""
        if self._closed is not None:
            raise self._closed
        desk = self._desks.setdefault(letter.table, _Desk())

        async def judge() -> Decision:
            async with desk.lock:
                stream = await self._heads.learn(letter.table)
                decision = await self._intake.retry(stream, letter, author=author)
                if isinstance(decision, Taken) and desk.speaker is not None:
                    desk.speaker.stream = decision.stream
                return decision

        return await finish(judge())

    def close(self, reason: GatewayError) -> None:
        """Ends every call, and lets no other begin."""
        self._closed = reason
        self.end_calls(reason)

    def end_calls(self, reason: GatewayError) -> None:
        """Ends every call; others may begin."""
        for speaker in tuple(self._speakers):
            speaker.end(reason)
