"""The shoe and its cards."""

from __future__ import annotations

from msgspec import Struct

from blackjack.cards.card import Card
from blackjack.facts.vocabulary import ShoeKind


class ShoeLoaded(Struct, frozen=True, gc=False):
    shoe: str
    decks: int
    kind: ShoeKind = ShoeKind.SHOE


class ShuffleCompleted(Struct, frozen=True, gc=False):
    """The shuffler is done; `cards` is what it counted, 0 if it does not count."""

    cards: int = 0
    fault: str = ""


class CardBurned(Struct, frozen=True, gc=False):
    card: Card | None
    shoe_index: int = 0


class CutCardReached(Struct, frozen=True, gc=False):
    pass


class ShoeCounted(Struct, frozen=True, gc=False):
    """The undealt rest was counted; `cards` names them where a device read them."""

    remaining: int
    cards: tuple[Card, ...] = ()


ShoeFact = ShoeLoaded | ShuffleCompleted | CardBurned | CutCardReached | ShoeCounted
