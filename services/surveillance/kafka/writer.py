"""What the brokers must have before anything that builds on it happens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Final

from runtime import logs
from runtime.kafka.producer import AcknowledgedProducer, NotWritten
from runtime.kafka.records import Output
from runtime.positions import Position

AGAIN_SECONDS: Final = 1.0
TURN_SECONDS: Final = 0.005
"""A round takes longer. A finding takes less: many of them need not wait for a round each."""
_log = logs.logger(__name__)


class Writer:
    """Sends until it is taken: everything that surveillance writes may be written twice."""

    def __init__(self, producer: AcknowledgedProducer) -> None:
        self._producer = producer

    async def write(self, outputs: Sequence[Output]) -> tuple[Position, ...]:
        """Where each was written, once the brokers have all of them.

        A producer that does not come back ends the process through its own part.
        """
        while True:
            try:
                return await self._producer.send(outputs)
            except NotWritten as failed:
                _log.warning("not written, sent again", topic=failed.topic, reason=str(failed))
                await asyncio.sleep(AGAIN_SECONDS)


class Sending:
    """Writes while work goes on: one write after the other, with all that `take` gives.

    So an alert does not wait for the end of a long batch, nor the batch for the brokers. After a
    write the next one waits for `pause_seconds`: more goes into each message."""

    def __init__(
        self,
        writer: Writer,
        take: Callable[[], Sequence[Output]],
        *,
        pause_seconds: float = 0.0,
    ) -> None:
        self._writer = writer
        self._take = take
        self._pause_seconds = pause_seconds
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """There may be something. What is on its way is written first."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write())

    async def end(self) -> None:
        """Until the brokers have everything."""
        self.begin()
        if self._task is not None:
            await self._task

    async def _write(self) -> None:
        while outputs := self._take():
            await self._writer.write(outputs)
            if self._pause_seconds:
                await asyncio.sleep(self._pause_seconds)


class Turn:
    """Of a task that shares the event loop: it gives way to others after a while, not each time."""

    def __init__(self) -> None:
        self._until = time.monotonic() + TURN_SECONDS

    async def give_way(self) -> None:
        """If it is time to."""
        if time.monotonic() >= self._until:
            await asyncio.sleep(0)
            self._until = time.monotonic() + TURN_SECONDS
