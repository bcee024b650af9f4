"""Coupons that do not fit their issue: unknown, used again, void, or of another patron."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from alerting.kinds import KINDS
from alerting.settings import Settings
from blackjack.rulebook.state_rules import COUPON_RULE
from surveillance.domain.detector import Detector, Draft
from surveillance.domain.detectors.coupon_uses import (
    CouponMemory,
    evidence_of,
    record,
    uses,
    where,
)
from surveillance.domain.sightings import (
    CouponAppearance,
    CouponInvalidation,
    CouponIssue,
    CouponUsage,
    Sighting,
)

UNKNOWN: Final = "coupon.unknown"
DUPLICATE: Final = "coupon.duplicate"
VOID: Final = "coupon.void"
OTHER_PATRON: Final = "coupon.other_patron"


class CouponMisuse(Detector[CouponMemory]):
    """About a coupon; one alert of each kind at most."""

    name = "coupon_misuse"
    kinds = frozenset({UNKNOWN, DUPLICATE, VOID, OTHER_PATRON})
    sees = frozenset({CouponIssue, CouponInvalidation, CouponAppearance, CouponUsage})
    memory = CouponMemory

    def fold(self, memory: CouponMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        record(memory, sighting)
        return ("",)

    def judge(self, memory: CouponMemory, key: str, settings: Settings) -> Iterator[Draft]:
        found = uses(memory)
        issued, ended = memory.issued, memory.ended
        if not found:
            return
        if issued is None:
            detail = "No issue of this serial number is on record."
            yield _draft(memory, UNKNOWN, found, "Coupon never issued", detail)
        elif issued.patron:
            others = [use for use in found if use.patron and use.patron != issued.patron]
            if others:
                detail = f"Issued to {issued.patron}, used by {others[-1].patron}."
                yield _draft(memory, OTHER_PATRON, others, "Coupon of another patron", detail)
        if ended is not None and (late := [use for use in found if use.until >= ended.at]):
            detail = f"The coupon was {ended.words}."
            yield _draft(memory, VOID, late, "Void or expired coupon", detail)
        if again := _again(found, settings):
            is_elsewhere = len({use.table for use in again}) > 1
            point = "Coupon used in two places" if is_elsewhere else "Coupon used twice"
            yield _draft(memory, DUPLICATE, again, point, "A coupon that was taken is used up.")


def _again(found: list[CouponUsage], settings: Settings) -> list[CouponUsage]:
    """Uses that cannot all be of one coupon.

    A coupon that was taken must not appear again, and none is at two tables within a walk.
    """
    wrong: dict[int, CouponUsage] = {}
    for place, one in enumerate(found):
        walk = settings.microseconds("walking_seconds", one.at)
        for later, two in enumerate(found[place + 1 :], place + 1):
            is_elsewhere = one.table != two.table and two.at - one.until < walk
            if one.is_spent or is_elsewhere:
                wrong |= {place: one, later: two}
    return [wrong[position] for position in sorted(wrong)]


def _draft(
    memory: CouponMemory, kind: str, proof: list[CouponUsage], point: str, detail: str
) -> Draft:
    last = proof[-1]
    tables = {use.table for use in proof}
    return Draft(
        kind=kind,
        identity=kind,
        level=KINDS[kind].level,
        sentence=f"{point}: {memory.about} {where(last)}",
        rule=COUPON_RULE,
        evidence=tuple(evidence_of(use) for use in proof),
        table=last.table if len(tables) == 1 else "",
        round=last.round if len(proof) == 1 else "",
        seat=last.seat if len(proof) == 1 else 0,
        dealer=last.dealer if len(proof) == 1 else "",
        patron=last.patron,
        coupon=memory.about,
        cents=sum(use.cents for use in proof),
        detail=detail,
    )
