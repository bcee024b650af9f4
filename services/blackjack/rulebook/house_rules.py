"""What a house chooses, as plain data: house rules, limits, and the whole choice.

A `RuleSetSpec` is not yet a rule set: it may hold choices that no filing allows.
`blackjack.rulebook.rule_set.compose` makes the rule set of it, or reports the forbidden choices.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct, field

from blackjack.money import THREE_TO_TWO, Odds, Rounding

MAIN: Final = "main"
HALF_BACK: Final = "half_back"
INSURANCE: Final = "insurance"


class DoubleOn(StrEnum):
    ANY_TWO = "any_two"
    HARD_9_TO_11 = "hard_9_to_11"
    HARD_10_TO_11 = "hard_10_to_11"


class SplitBy(StrEnum):
    """A pair is two cards of one rank, or of one value (a king and a ten)."""

    RANK = "rank"
    VALUE = "value"


class Peek(StrEnum):
    """When the dealer looks at the hole card before the players decide."""

    ACE_AND_TEN = "ace_and_ten"
    NONE = "none"


class HouseRules(Struct, frozen=True):
    """How standard blackjack is played where the filing leaves it to the house."""

    dealer_hits_soft_17: bool = False
    natural_pays: Odds = THREE_TO_TWO
    double_on: DoubleOn = DoubleOn.ANY_TWO
    double_after_split: bool = True
    double_for_less: bool = False
    split_by: SplitBy = SplitBy.RANK
    hands_max: int = 4
    resplit_aces: bool = False
    hit_split_aces: bool = False
    insurance: bool = True
    even_money: bool = True
    late_surrender: bool = False
    read_confidence_min: int = 900
    """In parts of a thousand; a reading below it counts as not read."""
    peek: Peek = Peek.ACE_AND_TEN


class WagerLimit(Struct, frozen=True):
    """Posted limits of one wager; 0 means the State's own maximum, or no aggregate."""

    cents_min: int = 0
    cents_max: int = 0
    aggregate_cents: int = 0


class PostedLimits(Struct, frozen=True):
    """Posted limits by wager, the smallest chip, and how less than a chip is rounded.

    `other_wagers` are bonus wagers on the layout that belong to other filings: they are
    counted against the four-wager rule, and not settled.
    """

    wagers: dict[str, WagerLimit] = field(default_factory=dict)
    smallest_chip_cents: int = 50
    rounding: Rounding = Rounding.FAVOUR_PLAYER
    other_wagers: tuple[str, ...] = ()


class RuleSetSpec(Struct, frozen=True):
    """A game with its decks, a filed paytable option for each side bet, and the house's part."""

    game: str
    decks: int
    paytables: dict[str, int]
    house: HouseRules = HouseRules()
    limits: PostedLimits = PostedLimits()
