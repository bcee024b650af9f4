"""Hands: cards in the order they came, and what they count."""

from __future__ import annotations

from collections.abc import Iterable

from blackjack.cards.card import ACE, Card


def best_total(hard: int, has_ace: bool) -> int:
    """A total never passes 21 while an ace can still count one."""
    return hard + 10 if has_ace and hard <= 11 else hard


def total_of(cards: Iterable[Card]) -> tuple[int, bool]:
    """The best total of these cards, and whether an ace counts eleven in it."""
    hard = 0
    has_ace = False
    for card in cards:
        hard += card.points
        has_ace = has_ace or card.rank == ACE
    return best_total(hard, has_ace), has_ace and hard <= 11


def is_natural(first: Card, second: Card) -> bool:
    """An ace and a ten-value card."""
    return first.points + second.points == 11 and (first.rank == ACE or second.rank == ACE)


class Hand:
    """A player's or the dealer's hand while it is played.

    `cards` holds None for a card that was not read (or read with too little confidence);
    while there is one, `total` is unknown and reads 0.
    """

    __slots__ = (
        "acted",
        "cards",
        "done",
        "doubled",
        "due",
        "free_ace",
        "from_split",
        "hard",
        "has_ace",
        "number",
        "seat",
        "split_aces",
        "surrendered",
        "unread",
        "void",
    )

    def __init__(self, seat: int, number: int = 1) -> None:
        self.seat = seat
        self.number = number
        self.cards: list[Card | None] = []
        self.hard = 0
        self.has_ace = False
        self.unread = 0
        self.due = 0
        """Cards the dealer still has to give, because of a hit, a double or a split."""
        self.done = False
        self.acted = False
        self.doubled = False
        self.surrendered = False
        self.from_split = False
        self.split_aces = False
        self.void = False
        self.free_ace = False
        """Whether a coupon makes the first card count as an ace."""

    def fork(self) -> Hand:
        other = Hand(self.seat, self.number)
        other.cards = self.cards.copy()
        other.hard = self.hard
        other.has_ace = self.has_ace
        other.unread = self.unread
        other.due = self.due
        other.done = self.done
        other.acted = self.acted
        other.doubled = self.doubled
        other.surrendered = self.surrendered
        other.from_split = self.from_split
        other.split_aces = self.split_aces
        other.void = self.void
        other.free_ace = self.free_ace
        return other

    def add(self, card: Card | None) -> None:
        self.cards.append(card)
        if self.free_ace and len(self.cards) == 1:
            self.hard = 1
            self.has_ace = True
        elif card is None:
            self.unread += 1
        else:
            self.hard += card.points
            if card.rank == ACE:
                self.has_ace = True

    def recount(self) -> None:
        """Count the cards again after one was learned, replaced or taken away."""
        held = self.cards
        self.cards = []
        self.hard = 0
        self.has_ace = False
        self.unread = 0
        for card in held:
            self.add(card)

    @property
    def known(self) -> bool:
        return not self.unread

    @property
    def total(self) -> int:
        if self.unread:
            return 0
        return self.hard + 10 if self.has_ace and self.hard <= 11 else self.hard

    @property
    def soft(self) -> bool:
        return self.has_ace and self.hard <= 11

    @property
    def busted(self) -> bool:
        """Whether the cards that were read already pass 21."""
        return self.hard > 21

    @property
    def natural(self) -> bool:
        return (
            not self.from_split
            and len(self.cards) == 2
            and not self.unread
            and self.hard == 11
            and self.has_ace
        )

    def is_pair(self, *, by_value: bool) -> bool:
        if len(self.cards) != 2:
            return False
        first, second = self.cards
        if first is None or second is None:
            return True
        return first.points == second.points if by_value else first.rank == second.rank
