"""The dealer's final total, from whatever is left of the shoe.

The dealer does not choose, so the totals are a sum over the sets of cards that can be drawn
to an up card: the number of orders in which the dealer would draw just this set, times a
product of falling factorials. The sets are found once for each up card and rule of soft
seventeen; they are laid out as a tree in which a set is its parent and one card more, so that
each costs one multiplication for all shoes at once.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Final

import numpy as np
from msgspec import Struct

from odds.main_game.arrays import ACE_COLUMN, TEN_COLUMN, VALUES, Floats, Integers, points_of

DEALER_TOTALS: Final = 5
"""Seventeen to twenty-one; the rest is a bust or a blackjack."""

SHOES_AT_ONCE: Final = 512
"""As many as a processor's cache holds with all sets of one size."""

_Draws = tuple[int, ...]
"""Cards as columns."""


class DrawLevel(Struct, frozen=True, eq=False):
    """Sets of one size: the parent, the column of the card added, how many the parent has."""

    parent: Integers
    card: Integers
    taken: Floats
    orders: Floats
    """For each total, the orders in which the dealer draws the set and stops at it."""


def final_totals(shoes: Floats, up: int, *, hits_soft_17: bool) -> Floats:
    """Probabilities of 17 to 21 for every shoe; a blackjack is no 21.

    `shoes` has one row of counts for each shoe, the up card and all else that is known
    already taken away; `up` is a column. The rest is a bust, or the blackjack that the peek found.
    """
    result = np.empty((len(shoes), DEALER_TOTALS))
    levels = draw_tree(up, hits_soft_17=hits_soft_17)
    for first in range(0, len(shoes), SHOES_AT_ONCE):
        some = np.ascontiguousarray(shoes[first : first + SHOES_AT_ONCE].T)
        result[first : first + SHOES_AT_ONCE] = _totals_of(some, levels).T
    return result


def no_blackjack(shoes: Floats, up: int) -> Floats:
    """How likely the hole card leaves the dealer without a blackjack; `up` is a column."""
    if up not in (ACE_COLUMN, TEN_COLUMN):
        return np.ones(len(shoes))
    hole = TEN_COLUMN if up == ACE_COLUMN else ACE_COLUMN
    blackjack: Floats = shoes[:, hole] / np.maximum(shoes.sum(axis=1), 1.0)
    return 1.0 - blackjack


def _totals_of(shoes: Floats, levels: tuple[DrawLevel, ...]) -> Floats:
    cards = shoes.sum(axis=0)
    totals = np.zeros((DEALER_TOTALS, shoes.shape[1]))
    ways = np.ones((1, shoes.shape[1]))
    arrangements = np.ones(shoes.shape[1])
    for size, level in enumerate(levels):
        arrangements = arrangements * np.maximum(cards - size, 1.0)
        left = shoes[level.card]
        left -= level.taken[:, None]
        ways = left * ways[level.parent]
        totals += (level.orders @ ways) / arrangements
    return totals


@cache
def draw_tree(up: int, *, hits_soft_17: bool) -> tuple[DrawLevel, ...]:
    """The sets that can be drawn to an up card, given as a column, by size."""
    stops: Counter[tuple[_Draws, int]] = Counter()
    _draw(up, (), stops, hits_soft_17=hits_soft_17)
    sets = {draws[:size] for draws, _ in stops for size in range(len(draws) + 1)}
    levels: list[DrawLevel] = []
    above: list[_Draws] = [()]
    for size in range(1, max(map(len, sets)) + 1):
        here = sorted(draws for draws in sets if len(draws) == size)
        place = {each: index for index, each in enumerate(above)}
        levels.append(
            DrawLevel(
                parent=np.array([place[draw[:-1]] for draw in here]),
                card=np.array([draw[-1] for draw in here]),
                taken=np.array([float(draw[:-1].count(draw[-1])) for draw in here]),
                orders=np.array(
                    [[float(stops[draw, 17 + kind]) for draw in here] for kind in range(5)]
                ),
            )
        )
        above = here
    return tuple(levels)


def _draw(
    up: int, draws: _Draws, stops: Counter[tuple[_Draws, int]], *, hits_soft_17: bool
) -> None:
    """Follow the dealer, card by card; every order is met once and counted with its set."""
    cards = (up, *draws)
    hard = sum(map(points_of, cards))
    soft = ACE_COLUMN in cards and hard <= 11
    total = hard + 10 if soft else hard
    if total > 17 or (total == 17 and not (soft and hits_soft_17)):
        if total <= 21 and not (total == 21 and len(draws) == 1):
            stops[tuple(sorted(draws)), total] += 1
        return
    for card in range(VALUES):
        _draw(up, (*draws, card), stops, hits_soft_17=hits_soft_17)
