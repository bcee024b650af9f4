"""A hand that is only hit or stood on, played for whatever its ends are worth.

That is how a free bet is played: no chips lie beside it to double or split with, and to
lose it costs nothing, so that a push is worth more than it is to a wager.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from odds.main_game.analysis import FirstHand
from odds.main_game.arrays import ACE_COLUMN, TEN_COLUMN, VALUES, Floats
from odds.main_game.deals import dealer_ends, up_cards, wins_and_pushes
from odds.main_game.hand_play import best_play, follow
from odds.main_game.hands import hands, sequence_weights
from odds.main_game.main_rules import MainRules
from odds.main_game.ranks import Ranks, checked


class Stood(Struct, frozen=True, eq=False):
    """Against one up card: what comes of every hand that is stood on, and of naturals."""

    probability: float
    wins_and_pushes: Floats
    dealt: float
    """That a natural is dealt."""
    passing: float
    """That it is, and the peek finds nothing."""


def hit_or_stand(rules: MainRules, ranks: Ranks, *, win: float, push: float) -> FirstHand:
    """How the hand ends when it is played for these: a loss is worth nothing.

    The payout of a natural does not matter: it is never hit.
    """
    checked(ranks, rules)
    every = hands()
    seconds = every.child[[every.at(column) for column in range(VALUES)]].ravel()
    played_on = seconds[seconds != every.at(ACE_COLUMN, TEN_COLUMN)]
    # Only these two rules change how the dealer plays; games that differ in others share the work.
    alike = MainRules(dealer_hits_soft_17=rules.dealer_hits_soft_17, half_back=rules.half_back)
    wins = pushes = naturals = 0.0
    for seen in stood_on(alike, ranks):
        stood = seen.wins_and_pushes
        _, hits = best_play(win * stood[:, 0] + push * stood[:, 1])
        brings = follow(hits, stood)[played_on].sum(axis=0)
        wins += seen.probability * float(brings[0])
        pushes += seen.probability * (float(brings[1]) + seen.dealt - seen.passing)
        naturals += seen.probability * seen.passing
    loss = 1.0 - wins - pushes - naturals
    return FirstHand(natural=naturals, win=wins, push=pushes, loss=loss)


@lru_cache(maxsize=16)
def stood_on(rules: MainRules, ranks: Ranks) -> tuple[Stood, ...]:
    """Whatever the ends are worth, this is the same: coupons of one game share it."""
    every = hands()
    natural = every.at(ACE_COLUMN, TEN_COLUMN)
    found = []
    for seen in up_cards(rules, ranks):
        if seen.probability <= 0.0:
            continue
        ends, passes = dealer_ends(rules, seen, every.counts)
        drawn = sequence_weights(seen.shoe, every.counts)
        dealt = 2.0 * float(drawn[natural])
        found.append(
            Stood(
                probability=seen.probability,
                wins_and_pushes=wins_and_pushes(ends * drawn[:, None]),
                dealt=dealt,
                passing=dealt * float(passes[natural]),
            )
        )
    return tuple(found)
