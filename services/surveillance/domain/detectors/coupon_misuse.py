"""A coupon against its issue: unknown, come again, void, somebody else's."""

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
    remember,
    uses,
    where,
)
from surveillance.domain.sightings import (
    CouponAppearance,
    CouponInvalidation,
    CouponIssue,
    CouponUse,
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
    sees = frozenset({CouponIssue, CouponInvalidation, CouponAppearance, CouponUse})
    memory = CouponMemory

    def fold(self, memory: CouponMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        remember(memory, sighting)
        return ("",)

    def judge(self, memory: CouponMemory, key: str, settings: Settings) -> Iterator[Draft]:
        found = uses(memory)
        issued, ended = memory.issued, memory.ended
        if not found:
            return
        if issued is None:
            yield _draft(memory, UNKNOWN, found, "was used, and nobody issued it")
        elif issued.patron:
            others = [each for each in found if each.patron and each.patron != issued.patron]
            if others:
                who = f"was issued to {issued.patron} and used by {others[-1].patron}"
                yield _draft(memory, OTHER_PATRON, others, who)
        if ended is not None and (late := [each for each in found if each.until >= ended.at]):
            yield _draft(memory, VOID, late, f"was used after it was {ended.words}")
        if again := _again(found, settings):
            tables = len({each.table for each in again})
            how = "in two places" if tables > 1 else "again after it was taken"
            yield _draft(memory, DUPLICATE, again, f"was used {how}")


def _again(found: list[CouponUse], settings: Settings) -> list[CouponUse]:
    """Uses that cannot all be of one coupon.

    What was taken must not come again, and nothing is at two tables within a walk.
    """
    wrong: dict[int, CouponUse] = {}
    for place, one in enumerate(found):
        walk = settings.microseconds("walking_seconds", one.at)
        for later, two in enumerate(found[place + 1 :], place + 1):
            is_elsewhere = one.table != two.table and two.at - one.until < walk
            if one.is_spent or is_elsewhere:
                wrong |= {place: one, later: two}
    return [wrong[each] for each in sorted(wrong)]


def _draft(memory: CouponMemory, kind: str, proof: list[CouponUse], words: str) -> Draft:
    last = proof[-1]
    tables = {each.table for each in proof}
    return Draft(
        kind=kind,
        identity=kind,
        level=KINDS[kind].level,
        sentence=f"Coupon {memory.about} {words}: {where(last)}.",
        rule=COUPON_RULE,
        evidence=tuple(evidence_of(each) for each in proof),
        table=last.table if len(tables) == 1 else "",
        round=last.round if len(proof) == 1 else "",
        seat=last.seat if len(proof) == 1 else 0,
        dealer=last.dealer if len(proof) == 1 else "",
        patron=last.patron,
        coupon=memory.about,
        cents=sum(each.cents for each in proof),
    )
