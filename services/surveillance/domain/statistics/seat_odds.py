"""A side bet at one spot after another, once the cards that all of them share are known.

What the spots of a round have in common is the dealer's cards and the shoe. Given the first, a
spot wins with a probability that depends on what is left of the shoe alone; and when its cards
are known too, so does the next. So the spots are bets one after the other, each at exact odds
of its own, where without this they would be one bet together.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import perm, prod
from typing import Final

import numpy as np
from msgspec import Struct

from blackjack.cards.card import DECK, Card
from blackjack.outcomes import DealerPlace, SettledRound
from blackjack.settlement.side_bets import LOSS, SideBet, SideBetRole
from odds.lenses import LENSES, every_card
from odds.shoe import CardCounts
from odds.two_seats import OWN
from odds.ways import NOT_CARDS
from surveillance.domain.statistics.unseen import first_cards

PAIR: Final = 2
_PLACES = {
    SideBetRole.UP: (DealerPlace.REPLACED, DealerPlace.UP),
    SideBetRole.HOLE: (DealerPlace.HOLE,),
    SideBetRole.MATCH_ME: (DealerPlace.MATCH_ME,),
    SideBetRole.MATCH_ME_2: (DealerPlace.MATCH_ME_2,),
}
"""Where a shared card lies; the up card is the one first dealt."""


class Winning(Struct, frozen=True):
    """The rows of cards that win, by classes of cards that look alike."""

    classes: tuple[tuple[int, ...], ...]
    """The cards of each class, by index."""
    rows: tuple[tuple[int, ...], ...]
    """Rows of classes, one for each card of the spot."""


def has_spots_of_its_own(side_bet: SideBet) -> bool:
    """Whether spots have cards of their own, and cards alone decide."""
    return NOT_CARDS.isdisjoint(side_bet.roles) and not OWN.isdisjoint(side_bet.roles)


def spot_chances(
    played: SettledRound, side_bet: SideBet, shoe: CardCounts, seats: Sequence[int]
) -> Iterator[tuple[int, Fraction]]:
    """The seats in turn, each with its chance of winning given all cards before.

    It ends where a card is unknown, and leaves out spots whose end is certain.
    """
    shared = _shared(played, side_bet)
    own = sum([role in OWN for role in side_bet.roles])
    if shared is None:
        return
    winning = _winning_ways(side_bet, shared)
    left = list(shoe.without(shared).counts)
    for seat in seats:
        total = sum(left)
        if total < own:
            return
        ways, all_ways = winning.of(left), perm(total, own)
        if 0 < ways < all_ways:
            yield seat, Fraction(ways, all_ways)
        cards = first_cards(played.hands, seat, own)
        if len(cards) < own:
            return
        for card in cards:
            if card is None:
                return
            left[card.index] -= 1


@lru_cache(maxsize=1_000)
def winning_rows(side_bet: SideBet, shared: tuple[Card, ...]) -> Winning:
    """What wins against these shared cards, given in the order of the evaluator's roles."""
    lens = LENSES.get(side_bet.evaluator, every_card)
    classes: dict[Hashable, list[int]] = {}
    for card in DECK:
        classes.setdefault(lens(shared[-1], card), []).append(card.index)
    faces = [DECK[members[0]] for members in classes.values()]
    is_own = [role in OWN for role in side_bet.roles]
    rows = []
    for row in product(range(len(faces)), repeat=sum(is_own)):
        mine, dealers = iter(row), iter(shared)
        seen = [faces[next(mine)] if own else next(dealers) for own in is_own]
        if side_bet.judge(*seen) != LOSS:
            rows.append(row)
    return Winning(tuple(map(tuple, classes.values())), tuple(rows))


class WinningWays:
    """In how many ways a spot can be dealt the rows of cards that win, from any shoe.

    Rows of one or two cards, as nearly all are, are added up as a product of matrices.
    """

    def __init__(self, winning: Winning, own: int) -> None:
        self._rows = winning.rows if own > PAIR else ()
        size = len(winning.classes)
        self._members = np.zeros((size, len(DECK)), np.int32)
        for place, members in enumerate(winning.classes):
            self._members[place, list(members)] = 1
        self._wins = np.zeros((size,) * own, np.int32) if own <= PAIR else None
        if self._wins is not None and winning.rows:
            self._wins[tuple(zip(*winning.rows, strict=True))] = 1

    def of(self, left: Sequence[int]) -> int:
        counts = self._members @ np.array(left, np.int32)
        if self._wins is None:
            counted = counts.tolist()
            return sum([_ways(row, counted) for row in self._rows])
        if self._wins.ndim < PAIR:
            return int(self._wins @ counts)
        # Of one class there is one card less for the second.
        return int(counts @ self._wins @ counts - self._wins.diagonal() @ counts)


@lru_cache(maxsize=4_000)  # of 8 kB each
def _winning_ways(side_bet: SideBet, shared: tuple[Card, ...]) -> WinningWays:
    own = sum([role in OWN for role in side_bet.roles])
    return WinningWays(winning_rows(side_bet, shared), own)


def _ways(row: tuple[int, ...], counts: list[int]) -> int:
    """How many ways there are to deal cards of these classes, one after the other."""
    return prod([counts[each] - row[:place].count(each) for place, each in enumerate(row)])


def _shared(played: SettledRound, side_bet: SideBet) -> tuple[Card, ...] | None:
    """The dealer's cards that the wager looks at, in the order of its roles."""
    found = []
    for role in side_bet.roles:
        if role not in OWN:
            places = _PLACES.get(role, ())
            lying = [each.card for place in places for each in played.dealer if each.place is place]
            if not lying or lying[0] is None:
                return None
            found.append(lying[0])
    return tuple(found)
