"""Faust and its agents as one part of the process, which ends when any of it fails."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, cast

import faust

from runtime import logs
from runtime.health import Health
from runtime.kafka.log_guard import LogGuard
from runtime.kafka.log_identity import LogRejected
from runtime.positions import Position
from runtime.process import ServicePart, Stop
from surveillance.kafka.faust_app import SESSION_SECONDS
from surveillance.kafka.inbox import Inbox
from surveillance.kafka.recovery import recovery_of
from surveillance.kafka.transport import Consumer
from surveillance.metrics import Figures

KAFKA: Final = "kafka"
LOOK_SECONDS: Final = 0.2
ASSIGNED_SECONDS_MAX: Final = 2.0
"""Without partitions: then it joins again."""
JOINS_MAX: Final = 20
BATCH_SECONDS_MAX: Final = SESSION_SECONDS * 0.75
"""How long partitions that are to move wait for the batch under way: the brokers wait no longer
than for the session."""
_log = logs.logger(__name__)


class Crashed(Exception):
    """Faust has given up."""


class RecoveryStuck(Exception):
    """States are to be read, and none came for too long."""

    def __init__(self, remaining: int, seconds: float) -> None:
        self.remaining = remaining
        super().__init__(
            f"{remaining} messages of states are left, and none was read for {seconds:g} s"
        )


class LogReturned(Exception):
    """A log that was refused is accepted: a new process reads it."""

    def __init__(self) -> None:
        super().__init__("the logs are accepted again: start surveillance anew")


class NothingAssigned(Exception):
    """The group has given us nothing of topics of which every worker must have some.

    A leader that joined while the brokers were coming back knows of no topic, and gives nobody
    anything until somebody joins again; here, not even then."""

    def __init__(self, topics: Iterable[str], joins: int) -> None:
        self.topics = tuple(sorted(topics))
        super().__init__(f"no partition of {', '.join(self.topics)} after joining {joins} times")


class Worker:
    """`recovery_seconds_max` bounds how long it may be without partitions or progress."""

    def __init__(
        self,
        app: faust.App,
        inboxes: Sequence[Inbox],
        health: Health,
        figures: Figures,
        *,
        shared: Iterable[str],
        recovery_seconds_max: float,
        guard: LogGuard,
    ) -> None:
        """`shared`: topics of which every worker has some partitions. `guard` has accepted the
        logs before the worker runs."""
        self._app = app
        self._inboxes = inboxes
        self._health = health
        self._figures = figures
        self._shared = frozenset(shared)
        self._recovery_seconds_max = recovery_seconds_max
        self._guard = guard

    def part(self) -> ServicePart:
        return ServicePart("streams", self.run)

    async def run(self, stop: Stop) -> None:
        try:
            await self._run(stop)
        except LogRejected:
            # Told by the guard. Faust cannot be started a second time, so the process ends when
            # the log is accepted; until then it stays up, so that its health tells why.
            if await asyncio.to_thread(self._guard.wait, stop):
                raise LogReturned from None

    async def _run(self, stop: Stop) -> None:
        self._app.on_partitions_revoked.connect(self._end_batches)
        # To start takes as long as states are read: it is looked after, too.
        start = asyncio.create_task(self._app.start())
        tasks = [asyncio.create_task(each.empty()) for each in self._inboxes]
        try:
            await self._look_after(start, tasks, stop)
        finally:
            for task in (start, *tasks):
                task.cancel()
            await asyncio.gather(start, *tasks, return_exceptions=True)
            await self._app.stop()

    async def _end_batches(self, *_: Any, **__: Any) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(BATCH_SECONDS_MAX):
                for inbox in self._inboxes:
                    await inbox.quiet()

    async def _look_after(
        self, start: asyncio.Task[None], tasks: Sequence[asyncio.Task[None]], stop: Stop
    ) -> None:
        app, recovery = self._app, recovery_of(self._app)
        thread = cast(Consumer, app.consumer).thread
        progress, moved_at = (-1, -1), time.monotonic()
        joins, join_at = 0, time.monotonic() + ASSIGNED_SECONDS_MAX
        while not await stop.wait(LOOK_SECONDS):
            if self._guard.rejected is not None:
                raise self._guard.rejected
            self._note_positions()
            if app.crashed:
                raise Crashed from app.crash_reason
            for task in (start, *tasks):
                if task.done():
                    await task
            if app.tables.actives_ready and not app.rebalancing:
                progress, moved_at = (-1, -1), time.monotonic()
                self._figures.recovering(0)
                missing = self._shared - {each.topic for each in app.consumer.assignment()}
                if not missing:
                    joins, join_at = 0, time.monotonic() + ASSIGNED_SECONDS_MAX
                    self._health.met(KAFKA)
                elif time.monotonic() > join_at:
                    joins, join_at = joins + 1, time.monotonic() + ASSIGNED_SECONDS_MAX
                    await self._join_again(missing, joins)
                continue
            join_at = time.monotonic() + ASSIGNED_SECONDS_MAX
            remaining = recovery.remaining
            self._health.not_met(KAFKA, "states are being read")
            self._figures.recovering(remaining)
            # While no broker looks after the group there is nothing to be stuck in.
            if not thread.knows_coordinator or progress != (app.rebalancing_count, remaining):
                progress, moved_at = (app.rebalancing_count, remaining), time.monotonic()
            elif time.monotonic() - moved_at > self._recovery_seconds_max:
                raise RecoveryStuck(remaining, self._recovery_seconds_max)

    def _note_positions(self) -> None:
        read = cast(Consumer, self._app.consumer).read_positions()
        self._guard.note(Position(*place, offset) for place, offset in read)

    async def _join_again(self, missing: Iterable[str], joins: int) -> None:
        if joins > JOINS_MAX:
            raise NothingAssigned(missing, JOINS_MAX)
        self._health.not_met(KAFKA, "the group has given us no partitions")
        _log.warning("nothing assigned, joining again", topics=sorted(missing))
        await cast(Consumer, self._app.consumer).thread.join_again()
