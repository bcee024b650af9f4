"""The history of one coupon: its issue, its end, and every place where it was used.

A coupon that was presented counts as a use until its round is settled, which then states the
outcome. A coupon in the drop box was taken, even if its round was never settled.
"""

from __future__ import annotations

from typing import Final

from msgspec import field
from msgspec.structs import replace

from alerting.alert import Evidence
from blackjack.money import format_cents
from surveillance.domain.detector import Memory
from surveillance.domain.phrases import place
from surveillance.domain.sightings import (
    CouponAppearance,
    CouponInvalidation,
    CouponIssue,
    CouponUsage,
    Sighting,
)

USES_KEPT: Final = 50
"""A forged number may be used without end: its last uses prove enough."""


class CouponMemory(Memory):
    issued: CouponIssue | None = None
    ended: CouponInvalidation | None = None
    """The earliest."""
    shown: list[CouponAppearance] = field(default_factory=list)
    used: dict[str, CouponUsage] = field(default_factory=dict)
    """By place; the latest version."""


def record(memory: CouponMemory, sighting: Sighting) -> None:
    match sighting:
        case CouponIssue():
            if memory.issued is None or sighting.at < memory.issued.at:
                memory.issued = sighting
        case CouponInvalidation():
            if memory.ended is None or sighting.at < memory.ended.at:
                memory.ended = sighting
        case CouponAppearance():
            memory.shown = sorted((*memory.shown, sighting), key=_when)[-2 * USES_KEPT :]
        case CouponUsage():
            position = sighting.entry_id or f"{sighting.table}/{sighting.round}/{sighting.seat}"
            before = memory.used.get(position)
            if before is None or before.version <= sighting.version:
                memory.used[position] = sighting
            if len(memory.used) > USES_KEPT:
                del memory.used[min(memory.used, key=lambda name: (memory.used[name].at, name))]
        case _:
            pass


def _when(shown: CouponAppearance) -> tuple[int, str, int]:
    return (shown.at, shown.table, shown.seq)


def _is_in(shown: CouponAppearance, used: CouponUsage) -> bool:
    return shown.table == used.table and used.first_seq <= shown.seq <= used.last_seq


def uses(memory: CouponMemory) -> list[CouponUsage]:
    """In the order of time."""
    found = [_settled(memory, use) for use in memory.used.values()]
    found += [
        _not_settled(shown)
        for shown in memory.shown
        if not shown.is_dropped and not any(_is_in(shown, used) for used in memory.used.values())
    ]
    return sorted(found, key=lambda use: (use.at, use.table, use.first_seq, use.entry_id))


def _settled(memory: CouponMemory, used: CouponUsage) -> CouponUsage:
    is_dropped = any(shown.is_dropped and _is_in(shown, used) for shown in memory.shown)
    return replace(used, is_spent=True) if is_dropped else used


def _not_settled(shown: CouponAppearance) -> CouponUsage:
    return CouponUsage(
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


def where(used: CouponUsage) -> str:
    return "at the cage" if used.entry_id else f"at {place(used.table, used.seat)}"


def evidence_of(used: CouponUsage) -> Evidence:
    worth = f", worth {format_cents(used.cents)}" if used.cents else ""
    return Evidence(
        at=used.at,
        words=f"Used {where(used)}{worth}",
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
