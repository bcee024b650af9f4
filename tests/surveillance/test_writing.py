"""Writing while work goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from runtime.kafka.records import Output
from runtime.positions import Position
from surveillance.kafka.writer import Sending, Writer


class SlowWriter(Writer):
    """Takes a write when it is let; keeps what it was given, write by write."""

    def __init__(self) -> None:
        self.let = asyncio.Semaphore(0)
        self.written: list[list[str]] = []

    async def write(self, outputs: Sequence[Output]) -> tuple[Position, ...]:
        await self.let.acquire()
        self.written.append([output.topic for output in outputs])
        return ()


def test_what_gathers_while_a_write_is_on_its_way_is_written_next_and_together() -> None:
    async def scene() -> list[list[str]]:
        writer, waiting = SlowWriter(), ["a"]

        def take() -> list[Output]:
            outputs = [Output(name, b"") for name in waiting]
            waiting.clear()
            return outputs

        sending = Sending(writer, take)
        sending.begin()
        await asyncio.sleep(0)
        for name in "bcd":
            waiting.append(name)
            sending.begin()
            await asyncio.sleep(0)
        ending = asyncio.create_task(sending.end())
        writer.let.release()
        await asyncio.sleep(0.01)
        assert not ending.done()
        writer.let.release()
        await ending
        return writer.written

    assert asyncio.run(scene()) == [["a"], ["b", "c", "d"]]


def test_what_was_never_begun_is_written_by_the_end() -> None:
    async def scene() -> list[list[str]]:
        writer, waiting = SlowWriter(), [[Output("a", b"")], []]
        writer.let.release()
        await Sending(writer, lambda: waiting.pop(0)).end()
        return writer.written

    assert asyncio.run(scene()) == [["a"]]
