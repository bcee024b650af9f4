"""Shoes, continuous shufflers and dealing machines with real cards in them.

A shoe is never invented card by card: it holds its decks, shuffled, and every copy of a
card is dealt once. `arrange` moves rare cards to the top, so that tests meet rows that
come once in a million deals; the shoe stays a whole shoe.
"""

from __future__ import annotations

from collections.abc import Sequence

from blackjack.cards.card import DECK, Card
from blackjack.facts import ShoeKind
from table_simulator.domain.chance import RandomStream

Wish = tuple[int, frozenset[int], str]
"""How many cards below the top, which ranks will do, and which suit ("" for any)."""


class SimulatedShoe:
    """`position` counts the cards that have left; a continuous shuffler takes them back.

    Behind the cut card lies enough for one more round of `seats_max` players.
    """

    __slots__ = ("cards", "cut", "cut_seen", "decks", "kind", "position", "rng", "seats_max")

    def __init__(
        self, rng: RandomStream, *, decks: int, kind: ShoeKind, is_shuffled: bool = True
    ) -> None:
        self.rng = rng
        self.decks = decks
        self.kind = kind
        self.cards: list[Card] = list(DECK) * decks
        self.position = 0
        self.cut = 0
        self.cut_seen = False
        self.seats_max = {1: 3, 2: 5}.get(decks, 9)
        self.shuffle()
        if not is_shuffled:
            self.cards = list(DECK) * decks

    def shuffle(self) -> None:
        self.rng.shuffle(self.cards)
        self.position = 0
        self.cut_seen = False
        behind = 5 * self.seats_max + 12
        self.cut = len(self.cards) - self.rng.randint(behind, behind + 8 * self.decks)

    @property
    def remaining(self) -> int:
        return len(self.cards) - self.position

    @property
    def index(self) -> int:
        """The place in the shoe of the card that left last; a shuffler has no places."""
        return 0 if self.kind is ShoeKind.CONTINUOUS else self.position

    @property
    def passes_cut(self) -> bool:
        return self.kind is ShoeKind.SHOE and self.position >= self.cut

    def draw(self) -> Card:
        card = self.cards[self.position]
        self.position += 1
        return card

    def take_back(self) -> None:
        """The round's cards go back into a continuous shuffler."""
        cards, rng = self.cards, self.rng
        last = len(cards) - 1
        for place in range(self.position):
            other = rng.randint(0, last)
            cards[place], cards[other] = cards[other], cards[place]
        self.position = 0

    def arrange(self, wishes: Sequence[Wish], *, from_below: bool = False) -> None:
        """Bring wished cards to wished places, as far as the rest of the shoe has them.

        They come from the top of it or, so that no other hand's cards are touched, from below.
        """
        kept = {self.position + offset for offset, _, _ in wishes}
        for offset, ranks, suit in wishes:
            place = self.position + offset
            if place >= len(self.cards):
                continue
            places = range(self.position, len(self.cards))
            for other in reversed(places) if from_below else places:
                card = self.cards[other]
                if other not in kept and card.rank in ranks and (not suit or card.suit == suit):
                    cards = self.cards
                    cards[place], cards[other] = cards[other], cards[place]
                    break
