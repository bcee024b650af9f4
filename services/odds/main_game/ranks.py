"""The cards a round is dealt from: how many of each rank, and how many of each value."""

from __future__ import annotations

from typing import Final

import numpy as np

from odds import shoe
from odds.main_game.arrays import TEN_COLUMN, VALUES, Floats, points_of
from odds.main_game.main_rules import MainRules

Ranks = tuple[int, ...]
"""Counts of the thirteen ranks, from ace to king."""

RANKS: Final = 13
SUITS: Final = 4
DEALER_PIPS_MAX: Final = 26
"""A dealer stops at 17 or, hard, at 26: a ten on sixteen."""

HAND_PIPS_MAX: Final = 31
"""No player can do worse than a ten on twenty-one."""

DISCARDED_PIPS_MAX: Final = 6


class NotRankCounts(shoe.NotAShoe):
    """Counts that are not those of thirteen ranks."""

    def __init__(self, ranks: Ranks) -> None:
        self.ranks = ranks
        super().__init__(f"{ranks} are not thirteen counts, of ace to king")


class ShoeTooSmall(ValueError):
    """A shoe that a round could use up, so that its end is undefined.

    No `TooFewCards`: it is not the number of cards that decides, but what they count.
    """

    def __init__(self, *, cards: int, pips: int, pips_min: int) -> None:
        self.cards = cards
        self.pips = pips
        self.pips_min = pips_min
        noun = "card" if cards == 1 else "cards"
        super().__init__(f"the remaining shoe, {cards} {noun}, may run out within a round")


def ranks_of(decks: int) -> Ranks:
    """A full shoe of so many decks.

    >>> ranks_of(6)
    (24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24)
    """
    return (SUITS * decks,) * RANKS


def column_of_rank(rank: int) -> int:
    """The column of a rank, counted from the ace at 0 to the king at 12.

    >>> [column_of_rank(rank) for rank in (0, 8, 9, 12)]
    [0, 8, 9, 9]
    """
    return min(rank, TEN_COLUMN)


def values_of(ranks: Ranks) -> Floats:
    """Counts by column: tens, jacks, queens and kings are one."""
    values = np.zeros(VALUES)
    for rank, count in enumerate(ranks):
        values[column_of_rank(rank)] += count
    return values


def checked(ranks: Ranks, rules: MainRules) -> Ranks:
    """The shoe, if no round by these rules can come to its end.

    Every hand ends below a fixed number of pips, the ace counting one, so that a shoe with
    more pips than all hands together can never run out.
    """
    if len(ranks) != RANKS or min(ranks) < 0:
        raise NotRankCounts(ranks)
    pips = sum(points_of(column_of_rank(rank)) * count for rank, count in enumerate(ranks))
    pips_min = HAND_PIPS_MAX * rules.hands_max + DEALER_PIPS_MAX
    if rules.half_back:
        pips_min += DISCARDED_PIPS_MAX
    if pips < pips_min:
        raise ShoeTooSmall(cards=sum(ranks), pips=pips, pips_min=pips_min)
    return ranks
