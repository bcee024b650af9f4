"""Every number that a house may set, with the default and what it may be.

Units are in the name. A change holds from a moment on; what happened before is judged by what
was in force then.
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
            30 * 60, 60, DAY_SECONDS, "findings further apart are stories of their own"
        ),
        "payout_repeated_count": Threshold(
            3, 2, 100, "so many wrong payouts of a dealer, at several tables, are a story"
        ),
        "payout_repeated_seconds": Threshold(
            8 * 60 * 60, 60, 7 * DAY_SECONDS, "the time in which they count as repeated"
        ),
        "walking_seconds": Threshold(
            60, 30, 60 * 60, "nobody gets from one table to another in less"
        ),
        "washing_visit_count": Threshold(3, 2, 100, "so many visits for coupons alone are washing"),
        "washing_round_count": Threshold(
            3, 1, 100, "a visit for coupons alone has at most so many rounds"
        ),
        "washing_days": Threshold(7, 1, 90, "visits count for so many days"),
        "cash_sale_cents": Threshold(
            3_000_00, 1_00, 10_000_00, "cash sales below this may be parts of a larger one"
        ),
        "cash_near_cents": Threshold(
            8_000_00, 1_00, 10_000_00, "small cash sales of a gaming day from here on are near"
        ),
        "cash_line_cents": Threshold(
            10_000_00, 1_00, 1_000_000_00, "cash over this in a gaming day must be reported"
        ),
        "debit_patron_cents": Threshold(
            2_500_00, 1_00, 1_000_000_00, "debit sales to a player in 24 hours, at all tables"
        ),
        "drop_variance_cents": Threshold(
            25_00, 1, 1_000_000_00, "a box that is off by less is let pass"
        ),
        "drop_variance_urgent_cents": Threshold(
            200_00, 1, 1_000_000_00, "a box that is off by so much is looked at now"
        ),
        "shortage_count": Threshold(
            3, 2, 100, "so many float shortages of a table or a dealer are a pattern"
        ),
        "shortage_days": Threshold(7, 1, 90, "the days, of 24 hours each, in which they count"),
        "shortage_cents": Threshold(
            25_00, 25_00, 1_000_000_00, "a float that is short by less is no shortage"
        ),
        "peers_count": Threshold(
            2, 1, 100, "so many others who deal the same game at the same time are peers"
        ),
        "wrong_payments_per_million": Threshold(
            2_000, 1, 500_000, "what is usual of a dealer's payments where peers are too few"
        ),
        "coupon_bets_per_million": Threshold(
            250_000, 1, 900_000, "what is usual of bets with a coupon where peers are too few"
        ),
        "silence_seconds": Threshold(
            10 * 60, 60, DAY_SECONDS, "an open table that says nothing for so long is silent"
        ),
        "surveillance_behind_seconds": Threshold(
            5, 1, 60 * 60, "surveillance that is further behind raises an alert"
        ),
    }
)
