"""The number of hands a pair becomes, and the value of all of them from that of one.

Every split hand is played by its own cards, the up card and the pair it came from, never by
the cards of its sisters. Then it does not matter in which order cards are dealt to the hands,
and one may think that all second cards are drawn first, one after the other: a pair card makes
a further hand while there may be one, any other card completes a hand, and when the most hands
are reached, those still waiting get any card at all.

A `SplitPattern` is one way in which that can end. That so many second cards are *not* pair cards is
undone by inclusion and exclusion: it is the sum, with alternating signs, over how many of them
are. So a hand is only ever valued with a known number of pair cards gone, and nothing else is
known of its sisters.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import comb

import numpy as np
from msgspec import Struct

from odds.main_game.arrays import Floats


class SplitPattern(Struct, frozen=True):
    """Second cards that are pair cards, that are not, and hands that get any card."""

    pairs: int
    others: int
    free: int


class Weights(Struct, frozen=True, eq=False):
    """How much one hand counts with 0, 1, 2... further pair cards gone.

    `other` is for hands whose second card is no pair card, `any_card` for those with any.
    """

    other: Floats
    any_card: Floats


@cache
def patterns(split_hands_max: int) -> tuple[tuple[SplitPattern, int], ...]:
    """Every pattern, and the number of orders of second cards that lead to it."""
    found: Counter[SplitPattern] = Counter()

    def deal(made: int, waiting: int, pairs: int, others: int) -> None:
        if made == split_hands_max or not waiting:
            found[SplitPattern(pairs=pairs, others=others, free=waiting)] += 1
            return
        deal(made + 1, waiting + 1, pairs + 1, others)
        deal(made, waiting - 1, pairs, others + 1)

    deal(2, 2, 0, 0)
    return tuple(found.items())


@cache
def further_pair_cards(split_hands_max: int) -> int:
    """The most pair cards beyond the first two that a hand is valued without.

    >>> [further_pair_cards(hands) for hands in (2, 3, 4)]
    [0, 2, 4]
    """
    return max(
        each.pairs + each.others - (0 if each.free else 1) for each, _ in patterns(split_hands_max)
    )


def not_pairs(pairs: int, others: int, length: int) -> Floats:
    """Signs and counts of "so many are pair cards, and so many others are none"."""
    signed = np.zeros(length)
    for more in range(others + 1):
        signed[pairs + more] += (-1) ** more * comb(others, more)
    return signed


@cache
def all_hands(split_hands_max: int, length: int) -> Weights:
    """The weights of all hands of a split together, still without the odds of a pair card."""
    other, any_card = np.zeros(length), np.zeros(length)
    for each, ways in patterns(split_hands_max):
        if each.others:
            other += ways * each.others * not_pairs(each.pairs, each.others - 1, length)
        if each.free:
            any_card += ways * each.free * not_pairs(each.pairs, each.others, length)
    return Weights(other=other, any_card=any_card)


@cache
def first_hand(split_hands_max: int, length: int) -> Weights:
    """The weights of the first hand alone: it is split until its second card is no pair card."""
    other, any_card = np.zeros(length), np.zeros(length)
    other[: split_hands_max - 2] = 1.0
    any_card[split_hands_max - 2] = 1.0
    return Weights(other=other, any_card=any_card)


def pair_chances(pair_cards: float, cards: float, length: int) -> Floats:
    """How likely the next 0, 1, 2... cards are all pair cards."""
    steps = np.arange(length - 1)
    ratios = np.maximum(pair_cards - steps, 0.0) / np.maximum(cards - steps, 1.0)
    return np.concatenate([[1.0], np.cumprod(ratios)])
