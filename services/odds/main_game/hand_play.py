"""Hitting and standing: the best way to play a hand on, and where a way of playing leads.

Everything is weighted by the probability of drawing the hand's cards in one order. With that
weight the value of a hit is the plain sum over the hands it leads to, whatever is left in the
shoe, and values from several shoes may be added before the best choice is made.
"""

from __future__ import annotations

import numpy as np

from odds.main_game.arrays import VALUES, Booleans, Floats
from odds.main_game.hands import hands


def best_play(standing: Floats) -> tuple[Floats, Booleans]:
    """The return of every hand in best play, and whether to hit it.

    `standing` is what comes back when the hand is stood on. A bust brings nothing. The result
    has one place more than there are hands: that of the bust ones, which is zero.
    """
    every = hands()
    brings = np.zeros(len(every) + 1)
    hits = np.zeros(len(every), dtype=np.bool_)
    for level in every.levels:
        drawn = brings[every.child[level]].sum(axis=1)
        stood = standing[level]
        hits[level] = drawn > stood
        brings[level] = np.maximum(drawn, stood)
    return brings, hits


def follow(hits: Booleans, standing: Floats) -> Floats:
    """The same sum for a way of playing that is already chosen, for several columns at once."""
    every = hands()
    brings = np.zeros((len(every) + 1, standing.shape[1]))
    for level in every.levels:
        drawn = brings[every.child[level]].sum(axis=1)
        brings[level] = np.where(hits[level, None], drawn, standing[level])
    return brings


def orders(hits: Booleans, roots: Floats) -> Floats:
    """In how many orders of its cards each hand is met, beginning from `roots`.

    A root is met in the orders given for it, and is played on only if it is hit.
    """
    every = hands()
    met = np.zeros(len(every) + 1)
    met[:-1] = roots
    for level in reversed(every.levels):
        onward = met[level] * hits[level]
        for column in range(VALUES):
            met[every.child[level, column]] += onward
        met[-1] = 0.0
    return met[:-1]
