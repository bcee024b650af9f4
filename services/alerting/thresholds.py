"""Every number that a property may set, with its default and bounds.

Units are in the name. A change applies from a moment on; earlier events are judged by the value in
force then.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

DAY_SECONDS: Final = 24 * 60 * 60


class Threshold(NamedTuple):
    default: int
    least: int
    most: int
    words: str


THRESHOLDS: Final[Mapping[str, Threshold]] = MappingProxyType(
    {
        "story_gap_seconds": Threshold(
            30 * 60, 60, DAY_SECONDS, "findings further apart are separate alerts"
        ),
        "payout_repeated_count": Threshold(
            3, 2, 100, "mispays of a dealer at several tables that raise an alert"
        ),
        "payout_repeated_seconds": Threshold(
            8 * 60 * 60, 60, 7 * DAY_SECONDS, "time within which mispays count as repeated"
        ),
        "walking_seconds": Threshold(60, 30, 60 * 60, "shortest walk from one table to another"),
        "washing_visit_count": Threshold(3, 2, 100, "visits for coupons alone that raise an alert"),
        "washing_round_count": Threshold(
            3, 1, 100, "most decided rounds of a visit for coupons alone"
        ),
        "washing_days": Threshold(7, 1, 90, "days for which a visit counts"),
        "cash_sale_cents": Threshold(
            3_000_00, 1_00, 10_000_00, "cash sales below this may be structured"
        ),
        "cash_near_cents": Threshold(
            8_000_00,
            1_00,
            10_000_00,
            "total of a day's small cash sales that raises an alert",
        ),
        "cash_line_cents": Threshold(
            10_000_00, 1_00, 1_000_000_00, "cash over this in a gaming day must be reported"
        ),
        "debit_patron_cents": Threshold(
            2_500_00, 1_00, 1_000_000_00, "debit sales to a patron in 24 hours, at all tables"
        ),
        "drop_variance_cents": Threshold(
            25_00, 1, 1_000_000_00, "smallest variance of a drop box that raises an alert"
        ),
        "drop_variance_urgent_cents": Threshold(
            200_00, 1, 1_000_000_00, "variance of a drop box that raises a P1 alert"
        ),
        "shortage_count": Threshold(
            3, 2, 100, "float shortages of a table or a dealer that are a pattern"
        ),
        "shortage_days": Threshold(7, 1, 90, "days, of 24 hours each, in which shortages count"),
        "shortage_cents": Threshold(
            25_00, 25_00, 1_000_000_00, "smallest amount that counts as a float shortage"
        ),
        "peers_count": Threshold(
            2, 1, 100, "others dealing the same game at the same time, for a comparison"
        ),
        "wrong_payments_per_million": Threshold(
            2_000, 1, 500_000, "usual rate of wrong payments where peers are too few"
        ),
        "coupon_bets_per_million": Threshold(
            250_000, 1, 900_000, "usual rate of bets with a coupon where peers are too few"
        ),
        "silence_seconds": Threshold(
            10 * 60, 60, DAY_SECONDS, "an open table without events for this long is silent"
        ),
        "surveillance_behind_seconds": Threshold(
            5, 1, 60 * 60, "delay of surveillance that raises an alert"
        ),
    }
)
