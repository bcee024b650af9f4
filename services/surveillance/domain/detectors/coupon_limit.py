"""Coupons over the limit: more of a promotion than a patron may use in a day."""

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
from surveillance.domain.sightings import CouponUse, PromotionLimit, PromotionUse, Sighting

KIND: Final = "coupon.over_limit"


class UsesDay(Day):
    patrons: dict[str, dict[str, CouponUse]] = field(default_factory=dict)
    """By patron and serial with its round: the latest version."""


class LimitMemory(Daily[UsesDay]):
    limit: int = 0
    """The least that was told; terms under one name do not differ, unless somebody errs."""
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
                said = (sighting.limit, sighting.name)
                if memory.limit and (memory.limit, memory.name) <= said:
                    return ()
                memory.limit, memory.name = said
                return [
                    f"{date}/{patron}"
                    for date, day in sorted(memory.days.items())
                    for patron in day.patrons
                ]
            case PromotionUse(patron=patron, gaming_day=date, used=used):
                known = {name: list(each.patrons) for name, each in memory.days.items()}
                day, forgotten = day_at(memory, date, used.at, UsesDay)
                gone = [f"{name}/{each}" for name in forgotten for each in known.get(name, ())]
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
            (each for each in own.values() if each.is_spent),
            key=lambda each: (each.at, each.table, each.first_seq, each.seat),
        )
        if memory.limit and len(spent) > memory.limit:
            name = memory.name or "one promotion"
            yield Draft(
                kind=KIND,
                identity=key,
                level=KINDS[KIND].level,
                sentence=f"Patron {patron} used {len(spent)} coupons of {name} in the gaming day "
                f"{date}; {memory.limit} are allowed.",
                rule=f"{COUPON_RULE}; the promotion's terms",
                evidence=tuple(evidence_of(each) for each in spent),
                table=spent[-1].table,
                patron=patron,
                cents=sum(each.cents for each in spent[memory.limit :]),
            )
