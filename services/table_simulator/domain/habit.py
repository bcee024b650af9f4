"""Habits: goals of a person at a table beside playing the game."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Habit(StrEnum):
    """By the name of the pattern that it makes."""

    COUNTS = "bet follows the count"
    COUNTS_SIDES = "side bet follows the count"
    SEES_HOLE_CARD = "plays the hole card"
    LUCKY = "luck beyond chance"
    WASHES = "coupon washing"
    HOARDS = "coupon over the limit"
    SUBSTITUTES = "coupon substitution"

    @property
    def is_about_coupons(self) -> bool:
        """A table has one habit of coupons and one of cards at most: they do not meet."""
        return self in (Habit.WASHES, Habit.HOARDS, Habit.SUBSTITUTES)


@dataclass(frozen=True, slots=True)
class Trace:
    """The person with the habit, the wager and the size."""

    patron: str = ""
    dealer: str = ""
    wager: str = ""
    sizes: dict[str, float] = field(default_factory=dict)
