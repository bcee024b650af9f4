"""Coupons over the daily limit that a promotion sets for a patron."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import field

from alerting.kinds import KINDS
from alerting.settings import Settings
from blackjack.rulebook.state_rules import COUPON_RULE
from surveillance.domain.days import Daily, Day, day_at
from surveillance.domain.detector import Detector, Draft
from surveillance.domain.detectors.coupon_uses import evidence_of
from surveillance.domain.phrases import counted
from surveillance.domain.sightings import CouponUsage, PromotionLimit, PromotionUse, Sighting

KIND: Final = "coupon.over_limit"


class UsesDay(Day):
    patrons: dict[str, dict[str, CouponUsage]] = field(default_factory=dict)
    """By patron and serial with its round: the latest version."""


class LimitMemory(Daily[UsesDay]):
    limit: int = 0
    """The lowest limit in any version of the terms; by mistake, versions may differ."""
    name: str = ""


class CouponLimit(Detector[LimitMemory]):
    """About some patrons of a promotion; an alert for each patron and day."""

    name = "coupon_limit"
    kinds = frozenset({KIND})
    sees = frozenset({PromotionLimit, PromotionUse})
    memory = LimitMemory

    def fold(self, memory: LimitMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        match sighting:
            case PromotionLimit():
                stated = (sighting.limit, sighting.name)
                if memory.limit and (memory.limit, memory.name) <= stated:
                    return ()
                memory.limit, memory.name = stated
                return [
                    f"{date}/{patron}"
                    for date, day in sorted(memory.days.items())
                    for patron in day.patrons
                ]
            case PromotionUse(patron=patron, gaming_day=date, used=used):
                known = {name: list(kept.patrons) for name, kept in memory.days.items()}
                day, forgotten = day_at(memory, date, used.at, UsesDay)
                gone = [f"{name}/{token}" for name in forgotten for token in known.get(name, ())]
                if day is not None:
                    own = day.patrons.setdefault(patron, {})
                    place = f"{sighting.serial} {used.table}/{used.round}"
                    if place not in own or own[place].version <= used.version:
                        own[place] = used
                return (*gone, f"{date}/{patron}")
            case _:
                return ()

    def judge(self, memory: LimitMemory, key: str, settings: Settings) -> Iterator[Draft]:
        date, _, patron = key.partition("/")
        day = memory.days.get(date)
        own = day.patrons.get(patron, {}) if day is not None else {}
        spent = sorted(
            (use for use in own.values() if use.is_spent),
            key=lambda use: (use.at, use.table, use.first_seq, use.seat),
        )
        if memory.limit and len(spent) > memory.limit:
            name = memory.name or "one promotion"
            used = counted(len(spent), "coupon")
            yield Draft(
                kind=KIND,
                identity=key,
                level=KINDS[KIND].level,
                sentence=f"Coupons over the daily limit: patron {patron} used {used}, "
                f"{memory.limit} allowed",
                rule=f"{COUPON_RULE}; the promotion's terms",
                evidence=tuple(evidence_of(use) for use in spent),
                table=spent[-1].table,
                patron=patron,
                cents=sum(use.cents for use in spent[memory.limit :]),
                detail=f"Promotion: {name}. Gaming day {date}.",
            )
