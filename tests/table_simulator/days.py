"""Days for the tests, and the engine's findings of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from blackjack.facts import Event
from blackjack.findings import Finding
from blackjack.play.table import Table, fold
from table_simulator.days.day import SimulatedDay, simulate
from table_simulator.days.event_chain import Frame
from table_simulator.days.fault_plan import Plan
from wire.events import decode_event


@cache
def a_day(
    seed: int, *, tables: int = 12, rounds: int = 40, every: int = 0, patterns: int = 0
) -> SimulatedDay:
    plan = Plan(every=every, patterns=patterns)
    return simulate(seed=seed, tables=tables, rounds=rounds, plan=plan)


def events_of(frames: Iterable[Frame]) -> dict[str, list[Event]]:
    """Every stream as it was received."""
    streams: dict[str, list[Event]] = {}
    for frame in frames:
        event = decode_event(frame.data, ingested_at=frame.ingested_at)
        streams.setdefault(frame.stream, []).append(event)
    return streams


def standing(day: SimulatedDay) -> list[Finding]:
    """What stands at the end of the day, over all streams."""
    found: dict[str, Finding] = {}
    for name, events in events_of(day.frames).items():
        for step in fold(Table.new(name), events)[1]:
            found |= {finding.id: finding for finding in step.findings}
            for withdrawal in step.withdrawals:
                found.pop(withdrawal.id, None)
    return list(found.values())
