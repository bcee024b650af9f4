"""Seats and cards of a round as numbers in one array, which a GIN index finds.

People remember the cards of a hand together, so each pair of cards in one hand has a number of its
own: two cards then lead to the rounds where one hand held both, and not to the many where two hands
did. The nth copy of a card counts as a card of its own, so that a search can require two aces of
spades. Numbers narrow the search; the column `hands` decides it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final

SEAT_MAX: Final = 999
"""No table has so many; a greater number is not indexed."""

CARD_MAX: Final = 52
_SEAT: Final = 10_000
_CARD: Final = 20_000
_PAIR: Final = 30_000
_DEALER: Final = 40_000
_COPIES: Final = 100  # more than any shoe has of one card


def copies(cards: Iterable[int]) -> list[int]:
    """Each card with the number of its copy; cards that were not read are left out.

    >>> copies([27, 40, 27, 0])
    [2701, 4001, 2702]
    """
    seen: Counter[int] = Counter()
    found = []
    for card in cards:
        if 1 <= card <= CARD_MAX:
            seen[card] += 1
            found.append(card * _COPIES + seen[card])
    return found


def seat_mark(seat: int) -> int:
    return _SEAT + seat


def dealer_marks(cards: Iterable[int]) -> list[int]:
    return [_DEALER + copy for copy in copies(cards)]


def hand_marks(cards: Iterable[int]) -> Iterator[int]:
    """The cards of one hand, and each two of them."""
    held = sorted(card for card in cards if 1 <= card <= CARD_MAX)
    for card in set(held):
        yield _CARD + card
    for low, high in set(combinations(held, 2)):
        yield _PAIR + low * 53 + high
