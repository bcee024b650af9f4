"""The joint results of the hands of a split, against the same dealer.

Each hand's end is exact, jointly with the dealer's end and with how many hands were made.
Given these, sisters are taken for independent: they then share nothing but the few cards that
each takes from the other. Sums of averages are exact all the same.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from odds.main_game.arrays import VALUES, Booleans, Floats
from odds.main_game.deals import ENDS, PUSHED, RETURNS, WON
from odds.main_game.hand_play import orders
from odds.main_game.hands import hands
from odds.main_game.split_counts import first_hand, not_pairs, patterns
from odds.main_game.split_play import Sisters, SplitPlay

HAND_NET_MAX: Final = 2
"""A split hand that was doubled wins or loses two units."""

NET_MAX: Final = 4 * HAND_NET_MAX

LEAST: Final = 1e-18
"""A smaller probability is rounding."""


class SplitResults(Struct, frozen=True, eq=False):
    """Probabilities by net units from -8 to 8, and by the first hand's win, push, loss.

    All are times the odds of passing the peek.
    """

    net: Floats
    first: Floats
    mean_by_end: Floats
    """The average win of all hands together, by the dealer's end and times its probability."""


def split_results(held: Sisters, play: SplitPlay) -> SplitResults:
    """All that a pair may bring when it is split and played like this."""
    others = [column for column in range(VALUES) if column != held.pair]
    other = _hand(held, play.hits, play.doubles, others)
    same = _hand(held, play.hits_same, play.doubles, [held.pair])
    no_pair = other + (1.0 - play.same_rank)[:, None, None] * same
    any_card = other + same
    length = len(play.chances)
    alone = held.ends[:, np.flatnonzero(held.places == hands().at(held.pair))[0]]

    net = np.zeros(2 * NET_MAX + 1)
    mean_by_end = np.zeros(ENDS)
    units = np.arange(-HAND_NET_MAX, HAND_NET_MAX + 1)
    for pattern, ways in patterns(play.split_hands_max):
        known = play.chances * not_pairs(pattern.pairs, pattern.others, length)
        dealer = known @ alone
        free = np.tensordot(known, any_card, 1)
        completed = np.zeros_like(free)
        if pattern.others:
            fewer = play.chances * not_pairs(pattern.pairs, pattern.others - 1, length)
            completed = np.tensordot(fewer, no_pair, 1)
        mean_by_end += ways * (units @ (pattern.others * completed + pattern.free * free))
        for end in np.flatnonzero(dealer > LEAST):
            together = np.array([ways * dealer[end]])
            for hand, number in ((completed, pattern.others), (free, pattern.free)):
                for _ in range(number):
                    together = np.convolve(together, hand[:, end] / dealer[end])
            reach = len(together) // 2
            net[NET_MAX - reach : NET_MAX + reach + 1] += together

    weights = first_hand(play.split_hands_max, length)
    first = np.tensordot(play.chances * weights.other, no_pair, 1)
    first = (first + np.tensordot(play.chances * weights.any_card, any_card, 1)).sum(axis=1)
    wins, push, losses = first[HAND_NET_MAX + 1 :], first[HAND_NET_MAX], first[:HAND_NET_MAX]
    return SplitResults(
        net=net, first=np.array([wins.sum(), push, losses.sum()]), mean_by_end=mean_by_end
    )


def _hand(held: Sisters, hits: Booleans, doubles: Booleans, seconds: list[int]) -> Floats:
    """By pair cards gone, net units from -2 to 2, and the dealer's end: one hand's results.

    `seconds` are the columns of its second card.
    """
    every = hands()
    roots = every.child[every.at(held.pair), seconds]
    doubled = doubles[seconds]
    results = np.zeros((len(held.drawn), 2 * HAND_NET_MAX + 1, ENDS))
    for stake, begun in ((1, roots[~doubled]), (2, roots[doubled])):
        if not len(begun):
            continue
        stood = np.zeros(len(every) + 1)
        if stake == 1:
            from_roots = np.zeros(len(every))
            from_roots[begun] = 1.0
            stood[:-1] = orders(hits, from_roots) * ~hits
        else:
            np.add.at(stood, every.child[begun].ravel(), 1.0)
        ending = held.drawn * stood[held.places]
        back = RETURNS[every.kind[held.places]]
        begins = np.isin(held.places, begun)
        wins = np.einsum("kn,kne,ne->ke", ending, held.ends, back == WON)
        pushes = np.einsum("kn,kne,ne->ke", ending, held.ends, back == PUSHED)
        entire = np.einsum("kn,kne->ke", held.drawn[:, begins], held.ends[:, begins])
        results[:, HAND_NET_MAX + stake] += wins
        results[:, HAND_NET_MAX] += pushes
        # What neither wins nor pushes has lost: a bust hand need not be looked at.
        results[:, HAND_NET_MAX - stake] += entire - wins - pushes
    return results
