"""A hand that is only hit or stood on, played for whatever its ends are worth.

That is how a free bet is played: no chips lie beside it to double or split with, and to
lose it costs nothing, so that a push is worth more than it is to a wager.
"""

from __future__ import annotations

import numpy as np

from odds.main_game.analysis import FirstHand
from odds.main_game.arrays import ACE, TEN, VALUES
from odds.main_game.deals import RETURNS, dealer_ends, up_cards
from odds.main_game.hands import hands, sequence_weights
from odds.main_game.main_rules import MainRules
from odds.main_game.playing import best_play, follow
from odds.main_game.shoes import Ranks, checked


def hit_or_stand(rules: MainRules, ranks: Ranks, *, win: float, push: float) -> FirstHand:
    """How the hand ends when it is played for these: a loss is worth nothing."""
    checked(ranks, rules)
    every = hands()
    back = RETURNS[every.kind]
    firsts = [every.at(value) for value in range(VALUES)]
    natural_places = [every.child[firsts[ACE], TEN], every.child[firsts[TEN], ACE]]
    seconds = every.child[firsts].ravel()
    played_on = seconds[~np.isin(seconds, natural_places)]
    wins = pushes = naturals = 0.0
    for seen in up_cards(rules, ranks):
        if seen.probability <= 0.0:
            continue
        ends, passes = dealer_ends(rules, seen, every.counts)
        drawn = sequence_weights(seen.shoe, every.counts)
        ends *= drawn[:, None]
        won, pushed = ((ends * (back == worth)).sum(axis=1) for worth in (2.0, 1.0))
        _, hits = best_play(win * won + push * pushed)
        brings = follow(hits, np.stack([won, pushed], axis=1))[played_on].sum(axis=0)
        dealt = float(drawn[natural_places].sum())
        passing = float((drawn * passes)[natural_places].sum())
        wins += seen.probability * float(brings[0])
        pushes += seen.probability * (float(brings[1]) + dealt - passing)
        naturals += seen.probability * passing
    loss = 1.0 - wins - pushes - naturals
    return FirstHand(natural=naturals, win=wins, push=pushes, loss=loss)
