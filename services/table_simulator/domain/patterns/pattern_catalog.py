"""Every pattern by its name: those of the tables first, then those of the books."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from table_simulator.domain.faults.round_view import CannotPlant
from table_simulator.domain.patterns import (
    anonymous_cash,
    coupons,
    errors,
    money,
    people,
    several_tables,
    shortages,
)
from table_simulator.domain.patterns.floor_log import FloorLog
from table_simulator.domain.truth import Truth


@dataclass(frozen=True, slots=True)
class SimulatedPattern:
    """`in_books`: planted after the tables, in entries of the cage and the promotions desk."""

    name: str
    planter: Callable[[FloorLog], list[Truth]]
    in_books: bool = False


PATTERNS = (
    SimulatedPattern("silent table", people.silent_table),
    SimulatedPattern("coupon used twice", coupons.used_twice),
    SimulatedPattern("dealer dumping", people.dealer_dumping),
    SimulatedPattern("dealer error rate", errors.dealer_error_rate),
    SimulatedPattern("structuring", money.structuring),
    SimulatedPattern("cash over the line", money.cash_over_the_line),
    SimulatedPattern("debit over the limit", several_tables.debit_over_the_limit),
    SimulatedPattern("anonymous cash over the line", anonymous_cash.cash_over_the_line),
    SimulatedPattern("anonymous structuring", anonymous_cash.structuring),
    SimulatedPattern("pattern of shortages", shortages.pattern_of_shortages),
    SimulatedPattern("slip gap", money.slip_gap),
    SimulatedPattern("signer missing", money.signer_missing),
    SimulatedPattern("patron in two places", people.two_places),
    SimulatedPattern("excluded patron", people.excluded),
    SimulatedPattern("errs at several tables", several_tables.errs_at_several_tables),
    SimulatedPattern("silent floor", people.silent_floor),
    SimulatedPattern("coupon unknown", coupons.unknown, in_books=True),
    SimulatedPattern("coupon void", coupons.void, in_books=True),
    SimulatedPattern("other patron's coupon", coupons.other_patrons, in_books=True),
    SimulatedPattern("drop short", money.drop_short, in_books=True),
)
BY_NAME = {pattern.name: pattern for pattern in PATTERNS}


def plant_patterns(log: FloorLog, counts: Mapping[str, int]) -> list[str]:
    """Plant them, open the books in between; return those without a place."""
    failed = []
    for in_books in (False, True):
        if in_books:
            log.open_the_books()
        for pattern in PATTERNS:
            if pattern.in_books is not in_books:
                continue
            for _ in range(counts.get(pattern.name, 0)):
                try:
                    planted = pattern.planter(log)
                except CannotPlant:
                    failed.append(pattern.name)
                    continue
                log.truths += [replace(truth, pattern=truth.fault) for truth in planted]
    return failed
