"""Rules of the State that a machine can check, with the date from which each holds.

A round is judged by the rules in force when it was played. Times are microseconds since
1970, UTC; a rule takes effect at midnight Pacific time.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from msgspec import Struct

from blackjack.money import Odds


class DatedLimit(Struct, frozen=True):
    """An amount, and the moment from which it holds."""

    from_us: int
    cents: int


WAGER_RULE: Final = "WAC 230-15-140"
WAGER_LIMITS: Final = (
    DatedLimit(from_us=0, cents=30_000),
    DatedLimit(from_us=1_695_625_200_000_000, cents=40_000),  # 2023-09-25T07:00:00Z
)
"""The most that one wager may be, oldest first."""

WAGER_CENTS_MAX: Final = WAGER_LIMITS[-1].cents
"""Today's maximum: what a rule set made now is measured by."""

_WAGER_FROM_US: Final = tuple(limit.from_us for limit in WAGER_LIMITS)


def wager_cents_max(at_us: int) -> int:
    """The most that one wager could be at a moment."""
    return WAGER_LIMITS[max(bisect_right(_WAGER_FROM_US, at_us) - 1, 0)].cents


AGGREGATE_RULE: Final = "WAC 230-15-490"
AGGREGATE_FROM_US: Final = 1_623_654_000_000_000  # 2021-06-14T07:00:00Z
"""The rule on aggregate limits has its present form from here on."""

AGGREGATE_RULE_BEFORE: Final = "WAC 230-15-490 in its form before 2021-06-14 (was 230-40-810)"


def aggregate_rule(at_us: int) -> str:
    """The rule on aggregate limits that was in force at a moment."""
    return AGGREGATE_RULE if at_us >= AGGREGATE_FROM_US else AGGREGATE_RULE_BEFORE


AGGREGATE_ODDS: Final = 50
"""To one: shorter odds may have no aggregate limit, longer ones count as this much."""


def may_have_aggregate(top: Odds) -> bool:
    """An aggregate limit is for prizes of at least fifty to one."""
    return top.win >= AGGREGATE_ODDS * top.stake


def aggregate_cents_min(*, wager_cents_max: int, top: Odds) -> int:
    """An aggregate limit pays one largest wager at its top odds, or fifty times it.

    A fraction of a cent counts as a whole one: the limit may not fall below the rule.
    """
    if may_have_aggregate(top):
        return wager_cents_max * AGGREGATE_ODDS
    return -(-wager_cents_max * top.win // top.stake)


SPOTS_MAX: Final = 9
SPOTS_RULE: Final = "WAC 230-15-040"
"""Wagering areas of a table."""

PLAYERS_RULE: Final = "WAC 230-15-055"
"""At most nine players, and one player an area."""

ONE_DECISION_RULE: Final = "WAC 230-15-140(2)"
"""One wager a decision, placed before the next card."""

APPROVAL_RULE: Final = "WAC 230-15-035, 230-15-065"
"""Game, decks and paytable are approved; the State's rule precedes the filing's."""

SIGNERS_RULE: Final = "WAC 230-15-460(3)"
"""The dealer and the supervisor who sign are two persons."""

TRAY_RULE: Final = "WAC 230-15-500(2), 230-15-510"
"""A tray changes only by sale, pay or collect, color change, fill or credit."""

TRAY_VARIANCE_RULE: Final = "WAC 230-15-495(5)(g)"
TRAY_VARIANCE_CENTS: Final = 20_000
"""A difference of this much or more goes to the commission within a day."""

TRAY_VARIANCE_CENTS_SMALL: Final = 2_500
"""Our own line, not the State's: below it a difference is not worth an alert."""

BIG_WIN_RULE: Final = "WAC 230-15-320(4)"
BIG_WIN_CENTS: Final = 300_000
"""Winnings over this, not at it, are verified by camera."""

VIDEO_RULE: Final = "WAC 230-15-310"
"""What the video cannot show is the player's, unless the house proves otherwise."""

COUPON_RULE: Final = "WAC 230-15-453"
CONSENT_RULE: Final = "WAC 230-15-141"
"""Extra prizes on a proprietary game need its owner's consent."""

TICKET_RULE: Final = "WAC 230-15-500(2)(c)"
TICKETS_FROM_US: Final = 1_698_044_400_000_000  # 2023-10-23T07:00:00Z
"""Chips may be exchanged for tickets, in and out, from here on."""

DEBIT_RULE: Final = "WAC 230-15-506"
DEBIT_SALE_CENTS_MAX: Final = 50_000
DEBIT_PATRON_CENTS_MAX: Final = 250_000
DEBIT_WINDOW_US: Final = 24 * 60 * 60 * 1_000_000
"""A patron's debit sales are added up over any 24 hours."""

CLOCK_RULE: Final = "Conventions of the log: clock"
CLOCK_SKEW_US_MAX: Final = 500_000
"""Our own convention: a device clock further off than this is not believed."""
