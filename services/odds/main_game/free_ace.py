"""A coupon for a free ace: the first card counts as an ace, whatever it is.

The card that is dealt is any card of the shoe, and it is this card that the shoe loses. With a
ten-value card the hand is a natural. It may be doubled, and in Half Back the second wager may be
taken back; it is not split, since a split gives the first card back its face.
"""

from __future__ import annotations

import numpy as np

from odds.main_game.analysis import FirstHand, FreeAce
from odds.main_game.arrays import ACE_COLUMN, TEN_COLUMN, VALUES, Floats, Integers
from odds.main_game.cards_gone import free_ace_cards_gone
from odds.main_game.deals import ENDS, PUSHED, WON, dealer_ends, up_cards, wins_and_pushes, without
from odds.main_game.hand_play import best_play, follow
from odds.main_game.hands import hands, sequence_weights
from odds.main_game.main_rules import MainRules
from odds.main_game.ranks import Ranks, checked
from odds.main_game.starts import RETURNED_ON


def value_with_free_ace(rules: MainRules, ranks: Ranks) -> FreeAce:
    """A round with a free-ace coupon beside the main wager, best played."""
    checked(ranks, rules)
    places, gone, found = free_ace_cards_gone()
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
                results += chance * _results(rules, left, places, ends[sets], passes[sets])
    natural, win, push, net = map(float, results)
    loss = 1.0 - natural - win - push
    return FreeAce(
        rules=rules,
        ranks=ranks,
        edge=-net,
        first_hand=FirstHand(natural=natural, win=win, push=push, loss=loss),
    )


def _results(
    rules: MainRules, left: Floats, places: Integers, dealer: Floats, passes: Floats
) -> Floats:
    """Natural, win and push of a hand that begins with the free ace, and what it nets."""
    every = hands()
    further = every.counts[places].copy()
    further[:, ACE_COLUMN] -= 1
    drawn, passing = np.zeros(len(every)), np.zeros(len(every))
    drawn[places] = sequence_weights(left, further)
    passing[places] = drawn[places] * passes
    ends = np.zeros((len(every) + 1, ENDS))
    ends[places] = drawn[places, None] * dealer
    stood = np.vstack([wins_and_pushes(ends[:-1]), np.zeros((1, 2))])
    _, hits = best_play(stood[:-1] @ [WON, PUSHED])
    played = follow(hits, stood[:-1])
    seconds = every.child[every.at(ACE_COLUMN)]
    natural = passing[seconds[TEN_COLUMN]]
    pushed_natural = drawn[seconds[TEN_COLUMN]] - natural
    results = np.array([natural, 0.0, pushed_natural, rules.units * rules.natural_net * natural])
    for place in np.delete(seconds, TEN_COLUMN):
        ways = [(rules.units, played[place])]
        total = int(every.total[place])
        if rules.doubles(total, soft=True):
            ways.append((rules.units + 1, stood[every.child[place]].sum(axis=0)))
        if rules.half_back and total in RETURNED_ON:
            ways.append((1, played[place]))
        net, (win, push) = max(
            ((units * (ended @ [WON, PUSHED] - passing[place]), ended) for units, ended in ways),
            key=lambda way: float(way[0]),
        )
        lost_to_blackjack = rules.units * (drawn[place] - passing[place])
        results += [0.0, win, push, net - lost_to_blackjack]
    return results
