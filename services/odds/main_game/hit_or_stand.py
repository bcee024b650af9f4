"""A hand that is only hit or stood on, played for whatever its ends are worth.

That is how a free bet is played: no chips lie beside it to double or split with, and to
lose it costs nothing, so that a push is worth more than it is to a wager.
"""

from __future__ import annotations

from odds.main_game.analysis import FirstHand
from odds.main_game.arrays import ACE_COLUMN, TEN_COLUMN, VALUES
from odds.main_game.deals import dealer_ends, up_cards, wins_and_pushes
from odds.main_game.hands import hands, sequence_weights
from odds.main_game.main_rules import MainRules
from odds.main_game.playing import best_play, follow
from odds.main_game.ranks import Ranks, checked


def hit_or_stand(rules: MainRules, ranks: Ranks, *, win: float, push: float) -> FirstHand:
    """How the hand ends when it is played for these: a loss is worth nothing.

    What a natural is paid does not matter: nobody hits it.
    """
    checked(ranks, rules)
    every = hands()
    firsts = [every.at(column) for column in range(VALUES)]
    seconds = every.child[firsts].ravel()
    is_natural = seconds == every.at(ACE_COLUMN, TEN_COLUMN)
    natural_places, played_on = seconds[is_natural], seconds[~is_natural]
    wins = pushes = naturals = 0.0
    for seen in up_cards(rules, ranks):
        if seen.probability <= 0.0:
            continue
        ends, passes = dealer_ends(rules, seen, every.counts)
        drawn = sequence_weights(seen.shoe, every.counts)
        stood = wins_and_pushes(ends * drawn[:, None])
        _, hits = best_play(win * stood[:, 0] + push * stood[:, 1])
        brings = follow(hits, stood)[played_on].sum(axis=0)
        dealt = float(drawn[natural_places].sum())
        passing = float((drawn * passes)[natural_places].sum())
        wins += seen.probability * float(brings[0])
        pushes += seen.probability * (float(brings[1]) + dealt - passing)
        naturals += seen.probability * passing
    loss = 1.0 - wins - pushes - naturals
    return FirstHand(natural=naturals, win=wins, push=pushes, loss=loss)
