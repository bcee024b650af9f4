"""Heads of tables for an event loop: the log is read once for many queries at the same time.

A gateway is ready while it can read all of the log. Tables whose gateway is not ready are sent to
another, and come back when it is. A log that is not the one that was read before is rejected:
calls end, and no event is accepted until the log is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeAlias

from runtime import logs
from runtime.health import Health
from runtime.kafka.log_guard import LogGuard
from runtime.kafka.log_identity import LogRejected
from runtime.kafka.producer import AcknowledgedProducer, NotWritten
from runtime.kafka.records import Output
from runtime.process import ServicePart, Stop
from table_gateway.domain.stream import TableStream
from table_gateway.grpc.errors import GatewayError, LogUnreadable
from table_gateway.kafka.log_reader import LogReader

KAFKA: Final = "kafka"
RETRY_SECONDS = 1.0
LOOK_SECONDS = 5.0
"""How often the log is read while no table queries its head."""
PendingQueries: TypeAlias = dict[str, list[asyncio.Future[TableStream]]]
_log = logs.logger(__name__)


class TableHeads:
    """Queries of the heads of tables; the part reads the log, and writes checkpoints."""

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
        self.on_rejected_log: Callable[[GatewayError], None] = lambda _: None
        """Ends the calls in progress when the log is rejected."""
        self._seconds = seconds
        self._pending: PendingQueries = {}
        self._writing: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()

    async def query(self, table: str) -> TableStream:
        """The table's stream by the log, read after this call began; or `LogUnreadable`."""
        if self._guard.rejected is not None:
            raise LogUnreadable(str(self._guard.rejected))
        answer: asyncio.Future[TableStream] = asyncio.get_running_loop().create_future()
        self._pending.setdefault(table, []).append(answer)
        self._wake.set()
        return await answer

    def part(self) -> ServicePart:
        return ServicePart("heads", self._run)

    async def _run(self, stop: Stop) -> None:
        stopped = asyncio.create_task(stop.wait())
        try:
            while not (await self._is_accepted(stop) and await self._look()):
                if await stop.wait(RETRY_SECONDS):
                    return
            loop = asyncio.get_running_loop()
            due, write_due = loop.time(), loop.time()
            while not stop.requested:
                if self._guard.rejected is not None:
                    await self._wait_for_log(stop)
                    continue
                if loop.time() >= due:
                    if await self._look() and loop.time() >= write_due:
                        self._start_writing()
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
        """Whether all of the log can be read; readiness is set by this alone."""
        try:
            await asyncio.to_thread(self._reader.catch_up)
        except LogUnreadable as failed:
            self._health.not_met(KAFKA, failed.reason)
            self._fail_all(failed)
            return False
        except LogRejected:
            return False  # the guard reports it
        self._health.met(KAFKA)
        return True

    async def _is_accepted(self, stop: Stop) -> bool:
        return await asyncio.to_thread(self._guard.wait, stop)

    async def _wait_for_log(self, stop: Stop) -> None:
        """Wait until the log is accepted, and forget the heads of a rejected one."""
        refused = LogUnreadable(str(self._guard.rejected))
        self.on_rejected_log(refused)
        self._fail_all(refused)
        self._reader.forget()
        if await self._is_accepted(stop):
            self._reader.forget()

    async def _answer(self) -> None:
        self._wake.clear()
        pending, self._pending = self._pending, {}
        if not pending:
            return
        try:
            await asyncio.to_thread(self._reader.catch_up, pending)
        except LogUnreadable as failed:
            self._health.not_met(KAFKA, failed.reason)
            _fail(pending, failed)
            return
        except LogRejected as refused:
            _fail(pending, LogUnreadable(str(refused)))
            return
        for table, answers in pending.items():
            for answer in answers:
                if not answer.done():
                    answer.set_result(self._reader.stream(table))

    def _start_writing(self) -> None:
        if self._writing is not None and not self._writing.done():
            return  # the brokers are slow: no query waits for that too
        self._writing = asyncio.create_task(self._write(self._reader.checkpoints()))

    async def _write(self, checkpoints: list[Output]) -> None:
        try:
            await self._producer.send(checkpoints)
        except NotWritten as failed:  # one shortcut less, nothing lost
            _log.warning("checkpoints not written", reason=str(failed))

    def _fail_all(self, failed: LogUnreadable) -> None:
        pending, self._pending = self._pending, {}
        _fail(pending, failed)


def _fail(pending: PendingQueries, failed: LogUnreadable) -> None:
    for answers in pending.values():
        for answer in answers:
            if not answer.done():
                answer.set_exception(failed)
