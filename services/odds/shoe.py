"""The cards that are still to come: how many there are of each of the 52."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from msgspec import Struct

from blackjack.cards.card import DECK, Card

CARDS_MAX: Final = 10_000
"""Ten thousand cards: four of them can be drawn in fewer than 2 ** 63 ways."""


class NotAShoe(ValueError):
    """Counts that no shoe can have."""


class TooFewCards(ValueError):
    """A shoe with fewer cards than the wager needs to be decided."""

    def __init__(self, *, cards: int, needed: int) -> None:
        self.cards = cards
        self.needed = needed
        noun = "card" if cards == 1 else "cards"
        super().__init__(f"the shoe has {cards} {noun}, and {needed} may be needed")


class CardCounts(Struct, frozen=True, dict=True):
    """Counts by card, in the order of `blackjack.cards.card.DECK`."""

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.counts) != len(DECK):
            raise NotAShoe(f"{len(self.counts)} counts; a shoe has {len(DECK)}, one a card")
        for card, count in zip(DECK, self.counts, strict=True):
            if count < 0:
                raise NotAShoe(f"{count} copies of {card}")
        if self.total > CARDS_MAX:
            raise NotAShoe(f"{self.total} cards; a shoe has at most {CARDS_MAX}")

    @classmethod
    def of_decks(cls, decks: int) -> CardCounts:
        """A full shoe.

        >>> CardCounts.of_decks(6).total
        312
        """
        return cls((decks,) * len(DECK))

    @classmethod
    def of_cards(cls, cards: Iterable[Card]) -> CardCounts:
        """A shoe of just these cards, in any order."""
        counts = [0] * len(DECK)
        for card in cards:
            counts[card.index] += 1
        return cls(tuple(counts))

    def without(self, cards: Iterable[Card]) -> CardCounts:
        """This shoe after these cards have left it; `NotAShoe` if one is not in it."""
        counts = list(self.counts)
        for card in cards:
            counts[card.index] -= 1
            if counts[card.index] < 0:
                held = self.counts[card.index]
                raise NotAShoe(f"{held + 1} {card} cannot leave it: it has {held}")
        return CardCounts(tuple(counts))

    @cached_property
    def total(self) -> int:
        return sum(self.counts)

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """Counts by rank, from the ace to the king."""
        return tuple(sum(self.counts[rank::13]) for rank in range(13))

    def need(self, cards: int) -> None:
        """`TooFewCards` unless so many cards are left."""
        if self.total < cards:
            raise TooFewCards(cards=self.total, needed=cards)
