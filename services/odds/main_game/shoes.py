"""The cards a round is dealt from: how many of each rank, and how many of each value."""

from __future__ import annotations

from typing import Final

import numpy as np

from odds.main_game.arrays import VALUES, Floats
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


class NotAShoe(ValueError):
    """Counts that are not those of thirteen ranks."""

    def __init__(self, ranks: Ranks) -> None:
        self.ranks = ranks
        super().__init__(f"{ranks} are not thirteen counts, of ace to king")


class ShoeTooSmall(ValueError):
    """A shoe that a round could use up, so that nobody knows how it would end."""

    def __init__(self, *, pips: int, pips_min: int) -> None:
        self.pips = pips
        self.pips_min = pips_min
        super().__init__(f"the cards left count {pips}, and a round may use up {pips_min}")


def ranks_of(decks: int) -> Ranks:
    """A full shoe of so many decks.

    >>> ranks_of(6)
    (24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24)
    """
    return (SUITS * decks,) * RANKS


def values_of(ranks: Ranks) -> Floats:
    """Counts by value: tens, jacks, queens and kings are one."""
    values = np.zeros(VALUES)
    for rank, count in enumerate(ranks):
        values[min(rank, VALUES - 1)] += count
    return values


def checked(ranks: Ranks, rules: MainRules) -> Ranks:
    """The shoe, if no round by these rules can come to its end.

    Every hand ends below a fixed number of pips, the ace counting one, so that a shoe with
    more pips than all hands together can never run out.
    """
    if len(ranks) != RANKS or min(ranks) < 0:
        raise NotAShoe(ranks)
    pips = sum(min(rank + 1, VALUES) * count for rank, count in enumerate(ranks))
    pips_min = HAND_PIPS_MAX * rules.hands_max + DEALER_PIPS_MAX
    if rules.half_back:
        pips_min += DISCARDED_PIPS_MAX
    if pips < pips_min:
        raise ShoeTooSmall(pips=pips, pips_min=pips_min)
    return ranks
