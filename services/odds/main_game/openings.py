"""Hits and stands before any first decision: every hand that was not split, for one up card."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from odds.main_game.arrays import Booleans, Floats
from odds.main_game.deals import ENDS, PUSHED, RETURNS, WON, SeenDeal, wins_and_pushes
from odds.main_game.hand_play import best_play, follow
from odds.main_game.hands import hands, sequence_weights


class Opening(Struct, frozen=True, eq=False):
    """Hits and stands of hands that were not split, against one up card.

    All are weighted by the probability of drawing the hand in one order, and have a last place
    for bust hands.
    """

    deal: SeenDeal
    drawn: Floats
    passing: Floats
    """That the hand is drawn and the peek finds nothing."""
    standing: Floats
    """The return of standing, for one unit."""
    brings: Floats
    """The return of best play."""
    hits: Booleans
    stood: Floats
    """Columns: how likely it wins and pushes when stood on."""
    played: Floats
    """The same when it is best played."""
    ends: Floats
    """How likely each end of the dealer is; as all above, without a blackjack."""
    stood_by_end: Floats
    """The return of standing for one unit, by the dealer's end."""
    played_by_end: Floats
    """The same when it is best played."""


def opening(deal: SeenDeal) -> Opening:
    """Every hand that can be hit or stood on without a split."""
    every = hands()
    drawn = _with_bust(sequence_weights(deal.shoe, every.counts))
    ends = deal.ends[deal.sets.own] * drawn[:-1, None]
    by_end = ends * RETURNS[every.kind]
    stood = np.zeros((len(every) + 1, 2))
    stood[:-1] = wins_and_pushes(ends)
    standing = stood @ [WON, PUSHED]
    brings, hits = best_play(standing[:-1])
    return Opening(
        deal=deal,
        drawn=drawn,
        passing=_with_bust(deal.passes[deal.sets.own]) * drawn,
        standing=standing,
        brings=brings,
        hits=hits,
        stood=stood,
        played=follow(hits, stood[:-1]),
        ends=ends,
        stood_by_end=np.vstack([by_end, np.zeros(ENDS)]),
        played_by_end=follow(hits, by_end),
    )


def _with_bust(values: Floats) -> Floats:
    return np.append(values, 0.0)
