"""A table whose float is short again and again, each time by little."""

from __future__ import annotations

from msgspec.structs import replace

from blackjack.facts import (
    DeviceFaulted,
    Event,
    Fact,
    Observation,
    TableClosed,
    TableOpened,
    TrayObserved,
)
from blackjack.findings import Kind
from table_simulator.domain.faults.round_view import CannotPlant
from table_simulator.domain.patterns.floor_log import FloorLog
from table_simulator.domain.play.controller_log import inventory, moved_cents, value_cents
from table_simulator.domain.truth import Truth

SHORTAGES = 3
SHORT_CENTS = 30_00
"""Over $25, which is reported, and far from $200, which by itself goes to the commission."""

OF_THE_TRAY = frozenset({Kind.TRAY_VARIANCE, Kind.TRAY_CHANGED, Kind.SEQUENCE_GAP})
"""Faults beside which the cause of a shortage could not be determined."""


def pattern_of_shortages(log: FloorLog) -> list[Truth]:
    """At three looks at the float $30 more are missing than at the one before."""
    spoilt = {truth.table for truth in log.truths if OF_THE_TRAY & {*truth.kinds}}
    for table in log.shuffled_tables():
        looks = comparable_looks(log.events(table))
        if table in spoilt or len(looks) < SHORTAGES:
            continue
        chosen = sorted(log.rng.sample(looks, SHORTAGES))
        log.change(table, _short_of(log.events(table), chosen))
        numbers = [log.tables[table][place].event.seq for place in chosen]
        return [
            Truth(
                "pattern of shortages",
                table,
                kinds=(Kind.TRAY_VARIANCE,),
                first_seq=seq,
                last_seq=seq,
                cents=SHORT_CENTS,
                tables=(table,),
                sizes={"shortages": SHORTAGES},
            )
            for seq in numbers
        ]
    raise CannotPlant


def comparable_looks(events: list[Event]) -> list[int]:
    """Places at which the float is seen, what it must hold is known, and chips moved before.

    Where none moved, the float would have changed by itself, which is another finding. At a table
    where payments went unseen, the cause of a shortage could not be determined.
    """
    found: list[int] = []
    is_known = has_moved = False
    for place, event in enumerate(events):
        fact = event.fact
        has_moved = has_moved or bool(moved_cents(fact))
        match fact:
            case DeviceFaulted(observes=observes) if Observation.PAYMENTS in observes:
                return []
            case TableOpened():
                is_known, has_moved = True, False
            case TrayObserved() | TableClosed():
                if is_known and has_moved:
                    found.append(place)
                is_known, has_moved = True, False
            case _:
                pass
    return found


def _short_of(events: list[Event], chosen: list[int]) -> dict[int, Fact]:
    """Every look from the first of these places on, less the chips missing by then."""
    changes: dict[int, Fact] = {}
    for place, event in enumerate(events):
        fact = event.fact
        missing = SHORT_CENTS * sum(1 for start in chosen if start <= place)
        if missing and isinstance(fact, TrayObserved | TableClosed):
            left = inventory(value_cents(fact.inventory) - missing)
            changes[place] = replace(fact, inventory=left)
    return changes
