"""A card is `suit * 13 + rank - 1`: clubs, diamonds, hearts, spades; the ace is rank 1."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

Card = int
Shoe = tuple[int, ...]
Law = dict[str, Fraction]

ACE: Final = 1
EIGHT: Final = 8
TEN: Final = 10
QUEEN: Final = 12
KING: Final = 13


def rank(card: Card) -> int:
    return card % 13 + 1


def suit(card: Card) -> int:
    return card // 13


def is_red(card: Card) -> bool:
    return suit(card) in (1, 2)


def points(card: Card) -> int:
    """One to ten: an ace is one, a picture is ten."""
    return min(rank(card), TEN)


def full_shoe(decks: int) -> Shoe:
    return (decks,) * 52


def shoe_of(*cards: Card) -> Shoe:
    """A shoe of just these cards."""
    return tuple(cards.count(card) for card in range(52))
