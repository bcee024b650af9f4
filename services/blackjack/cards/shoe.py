"""The shoe: which cards have been seen, and whether that is possible.

Cards are conserved. A shoe of n decks holds each of the 52 cards n times, so one more is
impossible; cards dealt and cards left add up; and a shuffled shoe does not come in
the order of a new deck.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from blackjack.cards.card import DECK, Card
from blackjack.facts import ShoeKind

NEW_DECK_RUN: Final = 8
"""Cards in a row, one suit, each next in rank, that a shuffle all but never leaves.

By chance, seven neighbors in a row occur about once in a billion shoes.
"""


SHOE: Final = ShoeKind.SHOE
NONE_SEEN: Final = (0,) * 52


class Shoe:
    """The cards in the log since the shoe was loaded."""

    __slots__ = (
        "complete",
        "decks",
        "in_play",
        "kind",
        "last",
        "name",
        "run",
        "run_reported",
        "run_step",
        "seen",
        "unread",
    )

    def __init__(
        self,
        name: str = "",
        decks: int = 0,
        kind: ShoeKind = ShoeKind.SHOE,
        seen: Iterable[int] = NONE_SEEN,
    ) -> None:
        self.name = name
        self.decks = decks
        self.kind = kind
        self.seen: list[int] = list(seen)
        self.unread = 0
        self.in_play: dict[int, int] = {}
        """Cards of the round, for a shuffler that takes the discards back at once."""
        self.complete = decks > 0
        self.last: Card | None = None
        self.run = 1
        self.run_step = 0
        self.run_reported = False

    def fork(self) -> Shoe:
        other = Shoe(self.name, self.decks, self.kind, self.seen)
        other.unread = self.unread
        other.in_play = self.in_play.copy()
        other.complete = self.complete
        other.last = self.last
        other.run = self.run
        other.run_step = self.run_step
        other.run_reported = self.run_reported
        return other

    def draw(self, card: Card | None) -> bool:
        """Count a card out of the shoe; whether it can have been in it."""
        if card is None:
            self.unread += 1
            self.last = None
            self.run = 1
            return True
        self._follow(card)
        index = card.index
        self.seen[index] += 1
        if not self.decks:
            return True
        if self.kind is SHOE:
            return self.seen[index] <= self.decks
        copies = self.in_play.get(index, 0) + 1
        self.in_play[index] = copies
        return copies <= self.decks

    def copies(self, card: Card) -> int:
        """How many of this card are out at once, as far as they cannot have come back."""
        if self.kind is ShoeKind.SHOE:
            return self.seen[card.index]
        return self.in_play.get(card.index, 0)

    def _follow(self, card: Card) -> None:
        last = self.last
        self.last = card
        if last is not None and last.suit == card.suit:
            step = card.rank - last.rank
            if step in (1, -1):
                self.run = self.run + 1 if step == self.run_step else 2
                self.run_step = step
                return
        self.run = 1
        self.run_step = 0

    def take_unshuffled(self) -> bool:
        """Whether the cards have just shown a new deck's order; reported once a shoe."""
        if self.run < NEW_DECK_RUN or self.run_reported:
            return False
        self.run_reported = True
        return True

    def reshuffle(self) -> None:
        """All cards are back and mixed, as after the count of a shuffler."""
        self.seen = list(NONE_SEEN)
        self.unread = 0
        self.in_play = {}
        self.complete = self.decks > 0
        self.last = None
        self.run = 1
        self.run_step = 0
        self.run_reported = False

    def round_over(self) -> None:
        """A continuous shuffler and a dealing machine take the discards back."""
        if self.kind is not ShoeKind.SHOE:
            self.in_play = {}

    @property
    def dealt(self) -> int:
        return sum(self.seen) + self.unread

    def surplus(self, counted: tuple[Card, ...]) -> tuple[Card, ...]:
        """The cards that the deal and the count together show more often than decks allow."""
        shown = self.seen.copy()
        for card in counted:
            shown[card.index] += 1
        return tuple(card for card in DECK if shown[card.index] > self.decks) if counted else ()

    def missing(self, counted: tuple[Card, ...]) -> tuple[Card, ...]:
        """The cards that neither the deal nor the count has shown, each as often as it is missing.

        Known only where every card was read.
        """
        if self.unread:
            return ()
        left = [self.decks - seen for seen in self.seen]
        for card in counted:
            left[card.index] -= 1
        return tuple(card for card in DECK for _ in range(max(0, left[card.index])))
