"""Every pattern by its name: those of the tables first, then those of the books."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from table_simulator.domain.faults.view import CannotPlant
from table_simulator.domain.patterns import (
    coupons,
    errors,
    money,
    people,
    shortages,
    strangers,
    walking,
)
from table_simulator.domain.patterns.floor_log import FloorLog
from table_simulator.domain.truth import Truth


@dataclass(frozen=True, slots=True)
class Pattern:
    """`in_books`: it is planted into what the cage and the desk say, after the tables."""

    name: str
    planter: Callable[[FloorLog], list[Truth]]
    in_books: bool = False


PATTERNS = (
    Pattern("silent table", people.silent_table),
    Pattern("coupon used twice", coupons.used_twice),
    Pattern("dealer dumping", people.dealer_dumping),
    Pattern("dealer error rate", errors.dealer_error_rate),
    Pattern("structuring", money.structuring),
    Pattern("cash over the line", money.cash_over_the_line),
    Pattern("debit over the limit", walking.debit_over_the_limit),
    Pattern("anonymous cash over the line", strangers.cash_over_the_line),
    Pattern("anonymous structuring", strangers.structuring),
    Pattern("pattern of shortages", shortages.pattern_of_shortages),
    Pattern("slip gap", money.slip_gap),
    Pattern("signer missing", money.signer_missing),
    Pattern("patron in two places", people.two_places),
    Pattern("excluded patron", people.excluded),
    Pattern("errs at several tables", walking.errs_at_several_tables),
    Pattern("silent floor", people.silent_floor),
    Pattern("coupon unknown", coupons.unknown, in_books=True),
    Pattern("coupon void", coupons.void, in_books=True),
    Pattern("other patron's coupon", coupons.other_patrons, in_books=True),
    Pattern("drop short", money.drop_short, in_books=True),
)
BY_NAME = {pattern.name: pattern for pattern in PATTERNS}


def plant_patterns(log: FloorLog, counts: Mapping[str, int]) -> list[str]:
    """Plant them, open the books in between; what found no place is named."""
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
                log.truths += [replace(each, pattern=each.fault) for each in planted]
    return failed
