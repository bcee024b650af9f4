"""A coupon for a free ace: the first card counts as an ace, whatever it is.

The card that is dealt is any card of the shoe, and it is this card that the shoe loses. The
hand is only hit or stood on: no double, split, surrender or return goes with the coupon. With
a ten-value card it is a natural.
"""

from __future__ import annotations

import numpy as np

from odds.main_game.analysis import FirstHand, FreeAce
from odds.main_game.arrays import ACE, TEN, VALUES, Floats, Integers
from odds.main_game.deals import ENDS, RETURNS, dealer_ends, up_cards, without
from odds.main_game.hands import hands, sequence_weights
from odds.main_game.main_rules import MainRules
from odds.main_game.playing import best_play, follow
from odds.main_game.removals import free_ace_removals
from odds.main_game.shoes import Ranks, checked


def value_with_free_ace(rules: MainRules, ranks: Ranks) -> FreeAce:
    """A round with a free-ace coupon beside the main wager, best played."""
    checked(ranks, rules)
    places, gone, found = free_ace_removals()
    results = np.zeros(4)
    for seen in up_cards(rules, ranks):
        if seen.probability <= 0.0:
            continue
        ends, passes = dealer_ends(rules, seen, gone)
        for card in range(VALUES):
            chance = seen.probability * float(seen.shoe[card] / seen.shoe.sum())
            if chance > 0.0:
                left = without(seen.shoe, card)
                sets = found[card]
                results += chance * _results(left, places, ends[sets], passes[sets])
    natural, win, push, loss = map(float, results)
    return FreeAce(
        rules=rules,
        ranks=ranks,
        edge=rules.units * (loss - win - natural * rules.natural_net),
        first_hand=FirstHand(natural=natural, win=win, push=push, loss=loss),
    )


def _results(left: Floats, places: Integers, dealer: Floats, passes: Floats) -> Floats:
    """Natural, win, push and loss of a hand that begins with the free ace."""
    every = hands()
    further = every.counts[places].copy()
    further[:, ACE] -= 1
    drawn, passing = np.zeros(len(every)), np.zeros(len(every))
    drawn[places] = sequence_weights(left, further)
    passing[places] = drawn[places] * passes
    ends = np.zeros((len(every), ENDS))
    ends[places] = drawn[places, None] * dealer
    back = RETURNS[every.kind]
    stood = np.stack([(ends * (back == 2.0)).sum(axis=1), (ends * (back == 1.0)).sum(axis=1)], 1)
    _, hits = best_play(stood @ [2.0, 1.0])
    seconds = every.child[every.at(ACE)]
    win, push = follow(hits, stood)[np.delete(seconds, TEN)].sum(axis=0)
    natural = passing[seconds[TEN]]
    push += drawn[seconds[TEN]] - natural
    return np.array([natural, win, push, 1.0 - natural - win - push])
