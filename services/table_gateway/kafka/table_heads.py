"""How far each table is, for an event loop: many ask at once, the log is read once for all.

Whoever reads all of the log knows whether Kafka is there: that is what readiness is judged by.
Tables whose gateway is not ready are sent to another, and come back when it is. A log that is not
the one that was read before is refused: calls end, and nothing is taken until it is accepted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeAlias

from runtime import logs
from runtime.health import Health
from runtime.kafka.log_guard import LogGuard
from runtime.kafka.log_identity import LogRefused
from runtime.kafka.producer import AcknowledgedProducer, NotWritten
from runtime.kafka.records import Output
from runtime.process import Part, Stop
from table_gateway.domain.stream import Stream
from table_gateway.grpc.errors import GatewayError, LogUnreadable
from table_gateway.kafka.log_reader import LogReader

KAFKA: Final = "kafka"
RETRY_SECONDS = 1.0
LOOK_SECONDS = 5.0
"""How often it is tried whether the log can be read, though no table asks."""
Asked: TypeAlias = dict[str, list[asyncio.Future[Stream]]]
_log = logs.logger(__name__)


class TableHeads:
    """Answers how far a table is; its part reads the log, and writes down what it read."""

    def __init__(
        self,
        reader: LogReader,
        producer: AcknowledgedProducer,
        health: Health,
        guard: LogGuard,
        *,
        seconds: float,
    ) -> None:
        self._reader = reader
        self._producer = producer
        self._health = health
        self._guard = guard
        self.on_refused: Callable[[GatewayError], None] = lambda _: None
        """Ends what is under way for a log that is refused."""
        self._seconds = seconds
        self._asked: Asked = {}
        self._writing: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()

    async def learn(self, table: str) -> Stream:
        """As the log has it, read after this was asked. Raises `LogUnreadable`."""
        if self._guard.refused is not None:
            raise LogUnreadable(str(self._guard.refused))
        answer: asyncio.Future[Stream] = asyncio.get_running_loop().create_future()
        self._asked.setdefault(table, []).append(answer)
        self._wake.set()
        return await answer

    def part(self) -> Part:
        return Part("heads", self._run)

    async def _run(self, stop: Stop) -> None:
        stopped = asyncio.create_task(stop.wait())
        try:
            while not (await self._is_accepted(stop) and await self._look()):
                if await stop.wait(RETRY_SECONDS):
                    return
            loop = asyncio.get_running_loop()
            due, write_due = loop.time(), loop.time()
            while not stop.asked:
                if self._guard.refused is not None:
                    await self._wait_for_log(stop)
                    continue
                if loop.time() >= due:
                    if await self._look() and loop.time() >= write_due:
                        self._write_down()
                        write_due = loop.time() + self._seconds
                    due = loop.time() + min(LOOK_SECONDS, self._seconds)
                await self._answer()
                woken = asyncio.create_task(self._wake.wait())
                await asyncio.wait(
                    {woken, stopped},
                    timeout=min(max(due - loop.time(), 0), RETRY_SECONDS),
                    return_when=asyncio.FIRST_COMPLETED,
                )
                woken.cancel()
        finally:
            stopped.cancel()
            self._fail_all(LogUnreadable("the gateway stops"))
            await asyncio.to_thread(self._reader.close)

    async def _look(self) -> bool:
        """Whether all of the log can be read; only this says that Kafka is there."""
        try:
            await asyncio.to_thread(self._reader.catch_up)
        except LogUnreadable as failed:
            self._health.not_met(KAFKA, failed.reason)
            self._fail_all(failed)
            return False
        except LogRefused:
            return False  # told by the guard
        self._health.met(KAFKA)
        return True

    async def _is_accepted(self, stop: Stop) -> bool:
        return await asyncio.to_thread(self._guard.wait, stop)

    async def _wait_for_log(self, stop: Stop) -> None:
        """Nothing is taken for a log that is refused, nor answered from what was read of it."""
        refused = LogUnreadable(str(self._guard.refused))
        self.on_refused(refused)
        self._fail_all(refused)
        self._reader.forget()
        if await self._is_accepted(stop):
            self._reader.forget()

    async def _answer(self) -> None:
        self._wake.clear()
        asked, self._asked = self._asked, {}
        if not asked:
            return
        try:
            await asyncio.to_thread(self._reader.catch_up, asked)
        except LogUnreadable as failed:
            self._health.not_met(KAFKA, failed.reason)
            _fail(asked, failed)
            return
        except LogRefused as refused:
            _fail(asked, LogUnreadable(str(refused)))
            return
        for table, answers in asked.items():
            for answer in answers:
                if not answer.done():
                    answer.set_result(self._reader.stream(table))

    def _write_down(self) -> None:
        if self._writing is not None and not self._writing.done():
            return  # the brokers are slow: nobody who asks shall wait for that too
        self._writing = asyncio.create_task(self._write(self._reader.checkpoints()))

    async def _write(self, checkpoints: list[Output]) -> None:
        try:
            await self._producer.send(checkpoints)
        except NotWritten as failed:  # a shortcut less, nothing lost
            _log.warning("heads not written down", reason=str(failed))

    def _fail_all(self, failed: LogUnreadable) -> None:
        asked, self._asked = self._asked, {}
        _fail(asked, failed)


def _fail(asked: Asked, failed: LogUnreadable) -> None:
    for answers in asked.values():
        for answer in answers:
            if not answer.done():
                answer.set_exception(failed)
