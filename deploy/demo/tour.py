"""A tour of what was planted: each stop an address of the console, and for whom it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from alerting.alert import Alert
from console.web.display.addresses import hand_address
from table_simulator.domain.truth import Truth

ABOUT: Final = (
    ("payout", "a dealer's mistake, with the hand and the times of its video"),
    ("coupon", "a coupon that was misused, from its issue to the table"),
    ("cash", "cash that adds up to a line where it is reported"),
    ("box", "a box that held less than the rounds say, which nothing explains"),
    ("slip", "a slip that is missing, or lacks a signer"),
)
"""Families of alerts worth a stop, and what is to be seen there."""
IN_BOOKS: Final = ("coupon.duplicate", "coupon.void", "coupon.other_patron")
"""Alerts about a coupon that was issued."""


@dataclass(frozen=True, slots=True)
class Stop:
    path: str
    who: str
    words: str


def tour_of(alerts: Sequence[Alert], disputed: Truth | None, *, day: str) -> list[Stop]:
    """In the order of a working day: what is live, the guest, what was found, the morning after."""
    stops = [Stop("/floor", "surveillance", "the tables; those called L play on as you look")]
    stops += _alerts(alerts)
    stops.append(Stop("/alerts", "surveillance", "all of them, live: decide one, open a case"))
    if disputed is not None:
        hand = hand_address(disputed.table, disputed.round)
        stops.append(Stop(hand, "pit", "the hand that a guest disputes, fact by fact"))
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
        own = [alert for alert in alerts if alert.kind.partition(".")[0] == family]
        if own:
            first = min(own, key=lambda each: (each.level, not each.round, each.id))
            stops.append(Stop(f"/alerts/{first.id}", "surveillance", words))
    return stops


def _coupons(alerts: Sequence[Alert]) -> list[str]:
    """Serial numbers that the books know and that were misused."""
    return sorted({alert.coupon for alert in alerts if alert.kind in IN_BOOKS and alert.coupon})
