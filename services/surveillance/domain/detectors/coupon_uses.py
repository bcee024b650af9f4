"""What is known of one coupon: its issue, its end, and wherever it was laid down.

A coupon that was presented counts as a use of its own until its round is there, which then says
what became of it. What was dropped into the box was taken, even if nobody can say how its round
ended.
"""

from __future__ import annotations

from typing import Final

from msgspec import field
from msgspec.structs import replace

from alerting.alert import Evidence
from blackjack.money import format_cents
from surveillance.domain.detector import Memory
from surveillance.domain.sightings import (
    CouponAppearance,
    CouponInvalidation,
    CouponIssue,
    CouponUse,
    Sighting,
)

USES_KEPT: Final = 50
"""A number that is on any coupon is used without end: its last uses prove enough."""


class CouponMemory(Memory):
    issued: CouponIssue | None = None
    ended: CouponInvalidation | None = None
    """The earliest."""
    shown: list[CouponAppearance] = field(default_factory=list)
    used: dict[str, CouponUse] = field(default_factory=dict)
    """By place; the latest version."""


def remember(memory: CouponMemory, sighting: Sighting) -> None:
    match sighting:
        case CouponIssue():
            if memory.issued is None or sighting.at < memory.issued.at:
                memory.issued = sighting
        case CouponInvalidation():
            if memory.ended is None or sighting.at < memory.ended.at:
                memory.ended = sighting
        case CouponAppearance():
            memory.shown = sorted((*memory.shown, sighting), key=_when)[-2 * USES_KEPT :]
        case CouponUse():
            place = sighting.entry_id or f"{sighting.table}/{sighting.round}/{sighting.seat}"
            before = memory.used.get(place)
            if before is None or before.version <= sighting.version:
                memory.used[place] = sighting
            if len(memory.used) > USES_KEPT:
                del memory.used[min(memory.used, key=lambda each: (memory.used[each].at, each))]
        case _:
            pass


def _when(shown: CouponAppearance) -> tuple[int, str, int]:
    return (shown.at, shown.table, shown.seq)


def _is_in(shown: CouponAppearance, used: CouponUse) -> bool:
    return shown.table == used.table and used.first_seq <= shown.seq <= used.last_seq


def uses(memory: CouponMemory) -> list[CouponUse]:
    """In the order of time."""
    found = [_settled(memory, each) for each in memory.used.values()]
    found += [
        _not_settled(each)
        for each in memory.shown
        if not each.is_dropped and not any(_is_in(each, used) for used in memory.used.values())
    ]
    return sorted(found, key=lambda each: (each.at, each.table, each.first_seq, each.entry_id))


def _settled(memory: CouponMemory, used: CouponUse) -> CouponUse:
    is_dropped = any(each.is_dropped and _is_in(each, used) for each in memory.shown)
    return replace(used, is_spent=True) if is_dropped else used


def _not_settled(shown: CouponAppearance) -> CouponUse:
    return CouponUse(
        at=shown.at,
        until=shown.at,
        version=0,
        is_spent=False,
        patron=shown.patron,
        table=shown.table,
        seat=shown.seat,
        first_seq=shown.seq,
        last_seq=shown.seq,
    )


def where(used: CouponUse) -> str:
    if used.entry_id:
        return "at an office"
    in_round = f", round {used.round}" if used.round else ""
    return f"at table {used.table}, seat {used.seat}{in_round}"


def evidence_of(used: CouponUse, words: str = "used") -> Evidence:
    worth = f", worth {format_cents(used.cents)}" if used.cents else ""
    return Evidence(
        at=used.at,
        words=f"{words} {where(used)}{worth}",
        kind="coupon",
        table=used.table,
        round=used.round,
        seat=used.seat,
        wager=used.wager,
        first_seq=used.first_seq,
        last_seq=used.last_seq,
        entry_id=used.entry_id,
        dealer=used.dealer,
        patron=used.patron,
        cents=used.cents,
    )
