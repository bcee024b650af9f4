"""A whole day from a seed: every stream sealed, what is wrong in it, what could not be planted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from table_simulator.domain.back_office import (
    CAGE,
    PROMOTIONS,
    Note,
    cage_notes,
    desk_notes,
    office,
)
from table_simulator.domain.floor import furnish
from table_simulator.domain.house import START_AT
from table_simulator.domain.truth import Truth
from table_simulator.feed import PacedFeed, in_order
from table_simulator.plan import Plan
from table_simulator.sealing import Frame, seal
from table_simulator.seeded import posted, source


@dataclass(frozen=True, slots=True)
class Day:
    """`frames` are those of all streams in the order of their ingest times."""

    frames: tuple[Frame, ...]
    truths: tuple[Truth, ...]
    unplanted: tuple[str, ...]
    tables: tuple[str, ...]

    def feed(self, speed: float = 1.0) -> PacedFeed:
        """The day for a sender; 1 is real time, 0 is as fast as possible."""
        return PacedFeed(self.frames, speed)


def simulate(
    *,
    seed: int,
    tables: int,
    rounds: int,
    plan: Plan | None = None,
    start_at: int = START_AT,
    on_table: Callable[[str], None] = lambda _: None,
) -> Day:
    """The same arguments give the same day, byte for byte."""
    chances = source(seed)
    counts = (plan or Plan()).counts(chances("counts"), rounds=tables * rounds)
    floor = furnish(chances, posted, tables=tables, rounds=rounds, faults=counts, start_at=start_at)
    streams: list[list[Frame]] = []
    truths: list[Truth] = []
    unplanted = list(floor.homeless)
    cage: list[Note] = []
    desk: list[Note] = []
    names: list[str] = []
    for stream, failed in floor.streams():
        events = [entry.event for entry in stream.entries if not entry.is_twin]
        cage += cage_notes(events)
        desk += desk_notes(events)
        streams.append(list(seal(stream.entries)))
        truths += stream.truths
        unplanted += failed
        names.append(stream.table)
        on_table(stream.table)
    for name, notes in ((CAGE, cage), (PROMOTIONS, desk)):
        streams.append(list(seal(office(name, notes))))
    return Day(tuple(in_order(streams)), tuple(truths), tuple(unplanted), tuple(names))
