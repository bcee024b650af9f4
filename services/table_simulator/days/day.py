"""A whole day from a seed: sealed streams, the planted faults and those not planted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from table_simulator.days.event_chain import ControllerScript, Frame, script_of, seal_events
from table_simulator.days.fault_plan import Plan
from table_simulator.days.feed import PacedFeed, in_order
from table_simulator.days.randomness import posted_rules, random_source
from table_simulator.domain.back_office import CAGE, PROMOTIONS, OfficeEntry, office_stream
from table_simulator.domain.back_office import entries_in_order as notes_in_order
from table_simulator.domain.faults.draft import StreamEntry
from table_simulator.domain.faults.fault_catalog import BY_NAME as FAULTS_BY_NAME
from table_simulator.domain.floor_plan import FLOOR_NAME, plan_floor
from table_simulator.domain.patterns.floor_log import FloorLog
from table_simulator.domain.patterns.pattern_catalog import plant_patterns
from table_simulator.domain.table_day import START_AT
from table_simulator.domain.truth import Truth


@dataclass(frozen=True, slots=True)
class SimulatedDay:
    """`frames` are those of all streams in the order of their ingest times."""

    frames: tuple[Frame, ...]
    truths: tuple[Truth, ...]
    unplanted: tuple[str, ...]
    tables: tuple[str, ...]
    controllers: Mapping[str, list[StreamEntry]]
    """The entries of each table's controller, with the planted faults."""
    cage: tuple[OfficeEntry, ...] = ()
    """The entries of the cage and the count team, in order."""
    desk: tuple[OfficeEntry, ...] = ()
    """The entries of the promotions desk, in order."""

    def scripts(self) -> tuple[ControllerScript, ...]:
        """The messages of each table's controller to a gateway."""
        return tuple(script_of(name, entries) for name, entries in self.controllers.items())

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
    floor_name: str = FLOOR_NAME,
    on_table: Callable[[str], None] = lambda _: None,
) -> SimulatedDay:
    """The same arguments give the same day, byte for byte.

    Tables are called by the name of their floor and a number. Another name changes nothing
    else: neither the play nor the planted faults.
    """
    chances = random_source(seed)
    counts = (plan or Plan()).counts(chances("counts"), rounds=tables * rounds)
    faults = {name: count for name, count in counts.items() if name in FAULTS_BY_NAME}
    floor = plan_floor(
        chances,
        posted_rules,
        tables=tables,
        rounds=rounds,
        faults=faults,
        habits=counts,
        start_at=start_at,
        name=floor_name,
    )
    log = FloorLog(chances("patterns"), {}, [])
    unplanted = list(floor.unplaceable)
    for stream, failed in floor.streams():
        log.tables[stream.table] = stream.entries
        log.truths += stream.truths
        unplanted += failed
        on_table(stream.table)
    unplanted += plant_patterns(log, counts)
    offices = [office_stream(CAGE, log.cage), office_stream(PROMOTIONS, log.desk)]
    streams = [list(seal_events(entries)) for entries in (*log.tables.values(), *offices)]
    frames = tuple(in_order(streams))
    return SimulatedDay(
        frames,
        tuple(log.truths),
        tuple(unplanted),
        tuple(log.tables),
        log.tables,
        tuple(notes_in_order(log.cage)),
        tuple(notes_in_order(log.desk)),
    )
