"""A tour of what was planted: each stop an address of the console, and for whom it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from alerting.alert import Alert
from console.shown.addresses import hand_address
from deploy.demo.watched import ALERTS_OF_PATTERNS
from table_simulator.domain.truth import Truth

ABOUT: Final = (
    ("payout", "a dealer's mistake, with the hand and the times of its video"),
    ("coupon", "a coupon that was misused, from its issue to the table"),
    ("cash", "cash that adds up to a line where it is reported"),
    ("box", "a box that held less than the rounds say, which nothing explains"),
    ("slip", "a slip that is missing, or lacks a signer"),
)
"""Families of alerts worth a stop, and what is to be seen there."""


@dataclass(frozen=True, slots=True)
class Stop:
    path: str
    who: str
    words: str


def tour_of(
    alerts: Sequence[Alert], disputed: Truth | None, *, day: str, coupons: Sequence[str]
) -> list[Stop]:
    """In the order of a working day: what is live, the guest, what was found, the morning after."""
    stops = [Stop("/floor", "surveillance", "the tables; those called L play on as you look")]
    stops += _alerts(alerts)
    stops.append(Stop("/alerts", "surveillance", "all of them, live: decide one, open a case"))
    if disputed is not None:
        hand = hand_address(disputed.table, disputed.round)
        stops.append(Stop(hand, "pit", "the hand that a guest disputes, fact by fact"))
    for serial in coupons[:1]:
        stops.append(
            Stop(f"/promotions?serial={serial}", "accounting", "a misused coupon in the books")
        )
    return [
        *stops,
        Stop(
            f"/reports/reconciliation?from={day}",
            "accounting",
            "from theory to what was counted",
        ),
        Stop(f"/day?day={day}", "accounting", "what is lacking before the day can be closed"),
        Stop("/system", "surveillance", "what was refused, with the reason and a retry"),
        Stop("/games/skweezit", "anybody", "a misprint in a filing, and what explains it"),
    ]


def _alerts(alerts: Sequence[Alert]) -> list[Stop]:
    """The most urgent of each family that has one."""
    stops = []
    for family, words in ABOUT:
        own = [each for each in alerts if each.kind.partition(".")[0] == family]
        if own:
            first = min(own, key=lambda each: (each.level, not each.round, each.id))
            stops.append(Stop(f"/alerts/{first.id}", "surveillance", words))
    return stops


def coupons_of(truths: Iterable[Truth]) -> list[str]:
    """Serial numbers of the coupons that were misused."""
    of_coupons = {
        pattern for pattern, kind in ALERTS_OF_PATTERNS.items() if kind.startswith("coupon.")
    }
    return [each.wager for each in truths if each.pattern in of_coupons and each.wager]
