"""Coupons against their issue: used twice, never issued, void, another patron's."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from blackjack.facts import CouponDropped, CouponIssued, CouponPresented, CouponVoided, Fact
from table_simulator.domain.back_office import OfficeEntry
from table_simulator.domain.faults.round_view import CannotPlant
from table_simulator.domain.patterns.floor_log import FloorLog
from table_simulator.domain.truth import Truth

MINUTE = 60_000_000


def used_twice(log: FloorLog) -> list[Truth]:
    """The serial of a coupon of one table is on a coupon of another; both are taken.

    One that stays with its owner after a push was not used: it may come again.
    """
    used = list(_used(log))
    here, first = log.choose(used)
    there, second = log.choose([use for use in used if use[0] != here])

    def rewritten(fact: Fact) -> Fact:
        if getattr(fact, "serial", "") == second.serial:
            return replace(fact, serial=first.serial)
        if getattr(fact, "coupon", "") == second.serial:
            return replace(fact, coupon=first.serial)
        return fact

    log.rewrite(there, rewritten)
    return [Truth("coupon used twice", here, wager=first.serial, tables=(here, there))]


def unknown(log: FloorLog) -> list[Truth]:
    """The coupon was never issued."""
    place, _, fact, table = _issued(log)
    del log.desk[place]
    return [Truth("coupon unknown", table, wager=fact.serial)]


def void(log: FloorLog) -> list[Truth]:
    """The coupon was declared void before it was used."""
    _, at, fact, table = _issued(log)
    log.desk.append(OfficeEntry(at + MINUTE, CouponVoided(fact.serial, "lost")))
    return [Truth("coupon void", table, wager=fact.serial)]


def other_patrons(log: FloorLog) -> list[Truth]:
    """The coupon was issued to another patron."""
    place, at, fact, table = _issued(log, bound=True)
    log.desk[place] = OfficeEntry(at, replace(fact, patron="P-elsewhere"))
    return [Truth("other patron's coupon", table, wager=fact.serial, patron=fact.patron)]


def _issued(log: FloorLog, *, bound: bool = False) -> tuple[int, int, CouponIssued, str]:
    """The issue of a coupon that was used: its place, when, and at which table it was used."""
    claimed = {truth.wager for truth in log.truths}
    used = {fact.serial: table for table, fact in _used(log) if fact.patron or not bound}
    found = [
        (place, at, fact, used[fact.serial])
        for place, (at, fact, _) in enumerate(log.desk)
        if isinstance(fact, CouponIssued) and fact.serial in used and fact.serial not in claimed
    ]
    if not found:
        raise CannotPlant
    return log.rng.choice(found)


def _used(log: FloorLog) -> Iterator[tuple[str, CouponPresented]]:
    """Coupons that were presented and taken, with the table."""
    for table in sorted(log.tables):
        taken = {fact.serial for _, fact in log.facts(table, CouponDropped)}
        for _, fact in log.facts(table, CouponPresented):
            if fact.serial in taken:
                yield table, fact
