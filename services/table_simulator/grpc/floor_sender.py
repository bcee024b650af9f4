"""A floor of controllers that report a day, each over its own line and from its own journal."""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from runtime.addresses import Address
from runtime.identity.credentials import Credentials
from runtime.identity.names import Name
from runtime.rpc.links import Links
from table_client.backoff import Backoff
from table_client.outbox import Outbox
from table_simulator.days.event_chain import ControllerScript, Frame
from table_simulator.days.feed import AS_FAST_AS_POSSIBLE, PacedFeed, in_order
from table_simulator.grpc.controller import Controller

REAL_TIME: Final = 1.0
BACKLOG_MAX: Final = 2_000
"""Events of one table that may wait in its journal: a day is not poured out at once."""
LATE_SECONDS_MAX: Final = 60.0
"""A machine that stood still so long at most is late; an older event was played another time."""
LOOK_SECONDS: Final = 0.1
SERVICE: Final = "table_gateway"


@dataclass(frozen=True, slots=True)
class FloorConnection:
    """The tables' connection to their gateway, with the folders it needs."""

    gateway: Address
    certificates_folder: Path
    """A folder for each table, by its name."""
    journal_folder: Path
    """A file for each table."""
    authority_folder: Path | None = None
    """The local authority, which issues certificates; none: they are there."""

    def open_journal(self, table: str) -> Outbox:
        self.journal_folder.mkdir(0o700, parents=True, exist_ok=True)
        return Outbox(self.journal_folder / f"{table}.journal", table)

    def credentials(self, table: str) -> Credentials:
        if self.authority_folder is not None:
            self.certificates_folder.mkdir(0o700, parents=True, exist_ok=True)
        folder = self.certificates_folder / table
        return Credentials(Name("table", table), folder, self.authority_folder)


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a floor."""

    events: int
    """Events of the day."""
    recorded: int
    acknowledged: int
    rejected: int
    rounds: int
    """Rounds whose last event is in the log."""
    seconds: float

    @property
    def is_done(self) -> bool:
        return self.acknowledged == self.events

    @property
    def events_per_second(self) -> float:
        return self.acknowledged / self.seconds if self.seconds else 0.0


class FloorSender:
    """The controllers of a day. `run` ends when all their events are acknowledged."""

    def __init__(self, controllers: list[Controller], *, speed: float) -> None:
        self._controllers = {controller.script.stream: controller for controller in controllers}
        self._numbers = {
            controller.script.stream: [frame.seq for frame in controller.script.frames]
            for controller in controllers
        }
        self._ends = {
            controller.script.stream: [
                frame.seq for frame in controller.script.frames if frame.ends_round
            ]
            for controller in controllers
        }
        self._speed = speed
        self._recorded = 0
        self._began = time.monotonic()
        self._ended = 0.0

    @property
    def progress(self) -> Progress:
        rounds = acknowledged = 0
        for name, controller in self._controllers.items():
            through = controller.journal.acknowledged_seq
            acknowledged += bisect_right(self._numbers[name], through)
            rounds += bisect_right(self._ends[name], through)
        frames = sum(map(len, self._numbers.values()))
        rejected = sum(controller.rejected for controller in self._controllers.values())
        seconds = (self._ended or time.monotonic()) - self._began
        return Progress(frames, self._recorded, acknowledged, rejected, rounds, seconds)

    async def run(self, report: Callable[[Progress], None] = lambda _: None) -> Progress:
        """Send every event at its time; raises errors that a controller cannot recover from."""
        self._began = time.monotonic()
        running = [
            asyncio.create_task(controller.run()) for controller in self._controllers.values()
        ]
        recording = asyncio.create_task(self._record())
        try:
            while not self._is_over(recording):
                await asyncio.wait(
                    [recording, *running], timeout=LOOK_SECONDS, return_when=asyncio.FIRST_EXCEPTION
                )
                for task in (recording, *running):
                    if task.done():
                        task.result()
                report(self.progress)
                if recording.done():
                    await asyncio.sleep(LOOK_SECONDS / 2)
        finally:
            for task in (recording, *running):
                task.cancel()
            await asyncio.gather(recording, *running, return_exceptions=True)
            self._ended = time.monotonic()
        return self.progress

    def _is_over(self, recording: asyncio.Task[None]) -> bool:
        return recording.done() and all(
            controller.journal.acknowledged_seq >= controller.script.frames[-1].seq
            and not controller.has_asides
            for controller in self._controllers.values()
        )

    async def _record(self) -> None:
        for number, (seconds, frame) in enumerate(self._dues()):
            controller = self._controllers[frame.stream]
            if seconds > 0:
                await asyncio.sleep(seconds)
            elif number % 100 == 0:
                await asyncio.sleep(0)
            while frame.seq - controller.journal.acknowledged_seq > BACKLOG_MAX:
                await asyncio.sleep(LOOK_SECONDS / 10)
            controller.report_frame(frame.seq, frame.data, reported_at=self._due_at(frame))
            self._recorded += 1

    def _due_at(self, frame: Frame) -> int:
        """When a controller should have recorded an event of a late machine; 0 if not late.

        A clock that is right must not look wrong because of the machine that plays the table.
        """
        if self._speed != REAL_TIME:
            return 0
        late = time.time() - frame.ingested_at / 1_000_000
        return frame.ingested_at if 0 < late <= LATE_SECONDS_MAX else 0

    def _dues(self) -> Iterator[tuple[float, Frame]]:
        """Frames in the order of recording, and how long to wait for each from now."""
        frames = tuple(
            in_order(controller.script.frames for controller in self._controllers.values())
        )
        if self._speed == REAL_TIME:  # by the clock on the wall, which is that of the gateway too
            for frame in frames:
                yield frame.ingested_at / 1_000_000 - time.time(), frame
            return
        begin = time.monotonic()
        for due in PacedFeed(frames, self._speed):
            waits = begin + due.seconds - time.monotonic()
            yield (waits if self._speed != AS_FAST_AS_POSSIBLE else 0.0), due.frame


@asynccontextmanager
async def open_floor(
    scripts: Iterable[ControllerScript], line: FloorConnection, *, speed: float
) -> AsyncIterator[FloorSender]:
    """A floor whose journals and lines are open, until the context ends.

    In real time the gateway's clock gives the time of receipt. At any other speed the only
    clock is that of the day, and each batch states the times.
    """
    async with AsyncExitStack() as stack:
        controllers = []
        for script in scripts:
            links = await stack.enter_async_context(Links(line.credentials(script.stream)))
            journal = stack.enter_context(line.open_journal(script.stream))
            controllers.append(
                Controller(
                    script,
                    journal,
                    partial(links.to, SERVICE, line.gateway),
                    backoff=Backoff(Random()),
                    simulated_time=speed != REAL_TIME,
                )
            )
        yield FloorSender(controllers, speed=speed)
