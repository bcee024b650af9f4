"""A deal: what the player sees of the dealer, how likely it is, and how the dealer will end.

All that follows is reckoned with the dealer's blackjack left out: a probability is that of the
event *and* of a hole card that makes no blackjack. Decisions are not changed by that, since
all choices of a hand share the factor, and the cards stay exchangeable: the next card is still
any card of the shoe.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from msgspec import Struct

from odds.main_game.arrays import VALUES, Floats, Integers
from odds.main_game.dealer import DEALER_TOTALS, final_totals, no_blackjack
from odds.main_game.hands import TOTALS
from odds.main_game.main_rules import MainRules
from odds.main_game.removals import Removals, removals
from odds.main_game.shoes import Ranks, values_of
from odds.main_game.splitting import further_pair_cards

ENDS: Final = DEALER_TOTALS + 1
"""How the dealer ends: 17 to 21, or bust."""

REPLACED: Final = range(2, 6)
"""The columns of three to six, which Half Back replaces."""

KEPT: Final = -1
"""The column of a discarded up card when there was none."""


def _returns() -> Floats:
    """What comes back for each unit: two for a win, one for a push, by total and end."""
    total = np.arange(TOTALS)[:, None]
    end = np.arange(1, DEALER_TOTALS + 1)[None, :]
    against = np.where(total > end, 2.0, np.where(total == end, 1.0, 0.0))
    return np.hstack([against, np.full((TOTALS, 1), 2.0)])


RETURNS: Final = _returns()


class UpCard(Struct, frozen=True, eq=False):
    """An up card, and the one that was discarded before it; columns, not points."""

    discarded: int
    up: int
    probability: float
    shoe: Floats
    """What is left when both are taken away."""


class Deal(UpCard, frozen=True, eq=False):
    """An up card, and how the dealer will end behind it."""

    sets: Removals
    ends: Floats
    """By set of cards gone: how likely each end of the dealer is, without a blackjack."""
    passes: Floats
    """By set of cards gone: how likely the peek finds no blackjack."""


def up_cards(rules: MainRules, ranks: Ranks) -> Iterator[UpCard]:
    """Every up card that can be played against, with the probability of seeing it."""
    full = values_of(ranks)
    for first in range(VALUES):
        chance = float(full[first] / full.sum())
        left = without(full, first)
        if not (rules.half_back and first in REPLACED):
            yield UpCard(discarded=KEPT, up=first, probability=chance, shoe=left)
            continue
        for up in range(VALUES):
            both = chance * float(left[up] / left.sum())
            yield UpCard(discarded=first, up=up, probability=both, shoe=without(left, up))


def deals(rules: MainRules, ranks: Ranks) -> Iterator[Deal]:
    """The same, with how the dealer will end."""
    for seen in up_cards(rules, ranks):
        if seen.probability > 0.0:
            yield _deal(rules, seen)


def _deal(rules: MainRules, seen: UpCard) -> Deal:
    sets = removals(further_pair_cards(rules.hands_max), aces_play_on=rules.plays_on(aces=True))
    ends, passes = dealer_ends(rules, seen, sets.counts)
    return Deal(
        discarded=seen.discarded,
        up=seen.up,
        probability=seen.probability,
        shoe=seen.shoe,
        sets=sets,
        ends=ends,
        passes=passes,
    )


def dealer_ends(rules: MainRules, seen: UpCard, gone: Integers) -> tuple[Floats, Floats]:
    """By set of cards gone: the dealer's ends, and the odds of passing the peek.

    Both are nought for sets that the shoe does not have.
    """
    shoes = seen.shoe - gone
    possible = np.flatnonzero((shoes >= 0).all(axis=1))
    some = shoes[possible]
    ends = np.zeros((len(shoes), ENDS))
    passes = np.zeros(len(shoes))
    passes[possible] = no_blackjack(some, seen.up)
    ends[possible, :-1] = final_totals(some, seen.up, hits_soft_17=rules.dealer_hits_soft_17)
    ends[:, -1] = passes - ends.sum(axis=1)
    return ends, passes


def without(shoe: Floats, value: int) -> Floats:
    """A shoe with one card less."""
    left = shoe.copy()
    left[value] -= 1
    return left
