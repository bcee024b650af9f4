"""That a table says nothing more is seen by who has read all of it: told as time goes by.

Only where tables tell the time of the wall. What is told of a table that has spoken within the
minute would say nothing, so it is not told.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from confluent_kafka import Message

from surveillance.domain import subjects
from surveillance.domain.sightings import SourcedSighting, SubjectSighting, TableCaughtUp
from surveillance.kafka.sighting_records import Sighted

Rest = Callable[[int, str], Iterable[SubjectSighting]]
"""By partition and table: what was heard of it and is not told yet."""
TOLD_EVERY_SECONDS: Final = 30.0
QUIET_SECONDS: Final = 60.0
LIVE_SECONDS: Final = 5.0
"""A message that was written longer ago is not the end of the log: we are still catching up."""


class Listening:
    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._clock = clock
        self._wall = wall
        self._heard: dict[int, dict[str, float]] = {}
        """When each table of a partition was last heard."""
        self._due = clock() + TOLD_EVERY_SECONDS

    def heard(self, partition: int, table: str) -> None:
        self._heard.setdefault(partition, {})[table] = self._clock()

    def forget(self, partition: int) -> None:
        self._heard.pop(partition, None)

    def told(self, rest: Rest, last: Message | None = None) -> Iterator[Sighted]:
        """After a batch that ended with `last`, or while nothing comes. Before it is told that a
        table is silent, the `rest` of what it said is."""
        now, wall = self._clock(), self._wall()
        if now < self._due or (last is not None and not _is_live(last, wall)):
            return
        self._due = now + TOLD_EVERY_SECONDS
        at = int(wall * 1_000_000)
        for partition, tables in self._heard.items():
            quiet = sorted(name for name, heard in tables.items() if now - heard > QUIET_SECONDS)
            seen: list[SubjectSighting] = []
            for name in quiet:
                seen += (
                    *rest(partition, name),
                    SubjectSighting(subjects.FLOOR, TableCaughtUp(name, at)),
                )
            for ordinal, each in enumerate(seen):
                yield Sighted(SourcedSighting(f"clock/{partition}", at, ordinal, each))


def _is_live(message: Message, wall: float) -> bool:
    return wall - message.timestamp()[1] / 1_000 < LIVE_SECONDS
