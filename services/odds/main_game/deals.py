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

from odds.main_game.arrays import VALUES, Floats, Integers, points_of
from odds.main_game.cards_gone import CardsGone, cards_gone
from odds.main_game.dealer import DEALER_TOTALS, final_totals, no_blackjack
from odds.main_game.hands import TOTALS, hands
from odds.main_game.main_rules import MainRules
from odds.main_game.ranks import Ranks, values_of
from odds.main_game.split_counts import further_pair_cards

ENDS: Final = DEALER_TOTALS + 1
"""How the dealer ends: 17 to 21, or bust."""

REPLACED: Final = range(2, 6)
"""The columns of three to six, which Half Back replaces."""

BLACKJACK: Final = ENDS
"""The place after all ends: that of a dealer's blackjack, where it is distinguished."""

WON: Final = 2.0
PUSHED: Final = 1.0
"""The return for each unit of a hand that wins or pushes."""


def _returns() -> Floats:
    """The return for each unit, by kind of total and end of the dealer."""
    total = np.arange(TOTALS)[:, None]
    end = np.arange(1, DEALER_TOTALS + 1)[None, :]
    against = np.where(total > end, WON, np.where(total == end, PUSHED, 0.0))
    return np.hstack([against, np.full((TOTALS, 1), WON)])


RETURNS: Final = _returns()


class UpCard(Struct, frozen=True, eq=False):
    """An up card, and the one that was discarded before it, if one was; both are columns."""

    discarded: int | None
    up: int
    probability: float
    shoe: Floats
    """The shoe without both."""

    @property
    def up_points(self) -> int:
        """The points of the up card."""
        return points_of(self.up)

    @property
    def discarded_points(self) -> int:
        """The points of the card that was discarded, or 0."""
        return 0 if self.discarded is None else points_of(self.discarded)


class SeenDeal(UpCard, frozen=True, eq=False):
    """An up card, and how the dealer will end behind it."""

    sets: CardsGone
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
            yield UpCard(discarded=None, up=first, probability=chance, shoe=left)
            continue
        for up in range(VALUES):
            both = chance * float(left[up] / left.sum())
            yield UpCard(discarded=first, up=up, probability=both, shoe=without(left, up))


def deals(rules: MainRules, ranks: Ranks) -> Iterator[SeenDeal]:
    """The same, with how the dealer will end."""
    for seen in up_cards(rules, ranks):
        if seen.probability > 0.0:
            yield _deal(rules, seen)


def _deal(rules: MainRules, seen: UpCard) -> SeenDeal:
    further = further_pair_cards(rules.hands_max)
    sets = cards_gone(further, aces_play_on=rules.plays_on(aces=True))
    ends, passes = dealer_ends(rules, seen, sets.counts)
    return SeenDeal(
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

    Both are zero for sets that the shoe does not have.
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


def wins_and_pushes(ends: Floats) -> Floats:
    """By hand: how likely it wins and pushes when it is stood on, in two columns.

    `ends` has, for every hand, how likely each end of the dealer is.
    """
    back = RETURNS[hands().kind]
    return np.stack([(ends * (back == outcome)).sum(axis=1) for outcome in (WON, PUSHED)], axis=1)


def without(shoe: Floats, column: int) -> Floats:
    """A shoe with one card less."""
    left = shoe.copy()
    left[column] -= 1
    return left
