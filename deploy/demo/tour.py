"""A tour of the planted faults: each stop is a page of the console, with the role it is for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from alerting.alert import Alert
from console.web.display.addresses import hand_address
from table_simulator.domain.truth import Truth

ABOUT: Final = (
    ("payout", "a dealer's mispay, with the hand and the times of its video"),
    ("coupon", "a misused coupon, from its issue to the table"),
    ("cash", "cash that adds up to a reporting threshold"),
    ("box", "a drop box with less cash than the rounds report, unexplained"),
    ("slip", "a slip that is missing, or without a signature"),
)
"""Families of alerts with a stop, and the contents of the page."""
IN_BOOKS: Final = ("coupon.duplicate", "coupon.void", "coupon.other_patron")
"""Alerts about a coupon that was issued."""


@dataclass(frozen=True, slots=True)
class Stop:
    path: str
    who: str
    words: str


def tour_of(alerts: Sequence[Alert], disputed: Truth | None, *, day: str) -> list[Stop]:
    """Stops in the order of a working day: live floor, alerts, disputed hand, books."""
    stops = [Stop("/floor", "surveillance", "all tables; those named L are live")]
    stops += _alerts(alerts)
    stops.append(Stop("/alerts", "surveillance", "all alerts, live: decide one, open a case"))
    if disputed is not None:
        hand = hand_address(disputed.table, disputed.round)
        stops.append(Stop(hand, "pit", "the disputed hand, step by step"))
    for serial in _coupons(alerts)[:1]:
        stops.append(
            Stop(
                f"/promotions?serial={serial}#coupon",
                "accounting",
                "a misused coupon in the books",
            )
        )
    return [
        *stops,
        Stop(
            f"/reports/reconciliation?from={day}",
            "accounting",
            "from theoretical win to count win",
        ),
        Stop(f"/day?day={day}", "accounting", "open items before the day can be closed"),
        Stop("/system", "surveillance", "rejected messages, with the reason and a retry"),
        Stop("/games/skweezit", "any role", "a misprint in a filing, and its explanation"),
    ]


def _alerts(alerts: Sequence[Alert]) -> list[Stop]:
    """The most urgent alert of each family."""
    stops = []
    for family, words in ABOUT:
        matching = [alert for alert in alerts if alert.kind.partition(".")[0] == family]
        if matching:
            first = min(matching, key=lambda alert: (alert.level, not alert.round, alert.id))
            stops.append(Stop(f"/alerts/{first.id}", "surveillance", words))
    return stops


def _coupons(alerts: Sequence[Alert]) -> list[str]:
    """Serial numbers that the books know and that were misused."""
    return sorted({alert.coupon for alert in alerts if alert.kind in IN_BOOKS and alert.coupon})
