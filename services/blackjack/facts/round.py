"""A round, from the first chip to the last payment."""

from __future__ import annotations

from msgspec import Struct

from blackjack.cards.card import Card
from blackjack.facts.vocabulary import Action, Irregularity, Place, Ruling


class RoundOpened(Struct, frozen=True, gc=False):
    round: str


class WagerPlaced(Struct, frozen=True, gc=False):
    """Chips on a spot. With `coupon`, the serial of a coupon that lies beside them."""

    seat: int
    wager: str
    cents: int
    patron: str = ""
    coupon: str = ""
    tip: bool = False


class WagerChanged(Struct, frozen=True, gc=False):
    """The chips of a wager now amount to `cents` in all."""

    seat: int
    wager: str
    cents: int
    hand: int = 1
    tip: bool = False


class BetsClosed(Struct, frozen=True, gc=False):
    pass


class CardDealt(Struct, frozen=True, gc=False):
    """`shoe_index` is the place in the shoe from 1, 0 where the device does not report it."""

    seat: int
    card: Card | None
    hand: int = 1
    face_up: bool = True
    place: Place = Place.HAND
    shoe_index: int = 0


class CardExposed(Struct, frozen=True, gc=False):
    """A dealt card was shown; `position` counts the cards of the hand from 1."""

    seat: int
    card: Card | None
    position: int
    hand: int = 1
    place: Place = Place.HAND


class UpcardReplaced(Struct, frozen=True, gc=False):
    card: Card | None
    shoe_index: int = 0


class HoleCardRevealed(Struct, frozen=True, gc=False):
    card: Card | None


class DealerPeeked(Struct, frozen=True, gc=False):
    blackjack: bool


class InsuranceTaken(Struct, frozen=True, gc=False):
    seat: int
    cents: int = 0
    even_money: bool = False


class PlayerActed(Struct, frozen=True, gc=False):
    """`cents` is the amount a double or split adds; 0 is the amount that the rules require."""

    seat: int
    action: Action
    hand: int = 1
    cents: int = 0


class HalfBackReturned(Struct, frozen=True, gc=False):
    seat: int
    cents: int = 0


class CardsRemoved(Struct, frozen=True, gc=False):
    seat: int
    hand: int = 1


class WagerPaid(Struct, frozen=True, gc=False):
    """Winnings only; that the stake goes back with them is implied."""

    seat: int
    wager: str
    cents: int
    hand: int = 1
    tip: bool = False


class WagerCollected(Struct, frozen=True, gc=False):
    seat: int
    wager: str
    cents: int
    hand: int = 1
    tip: bool = False


class WagerReturned(Struct, frozen=True, gc=False):
    """A stake went back to the player with nothing won: a push, a void."""

    seat: int
    wager: str
    cents: int
    hand: int = 1
    tip: bool = False


class IrregularityRuled(Struct, frozen=True, gc=False):
    """`seat` 0 with `hand` 0 means the whole table; `wager` narrows it to one wager."""

    irregularity: Irregularity
    ruling: Ruling
    supervisor: str
    seat: int = 0
    hand: int = 0
    wager: str = ""
    note: str = ""


class RoundVoided(Struct, frozen=True, gc=False):
    reason: str
    supervisor: str


class RoundClosed(Struct, frozen=True, gc=False):
    pass


class SettlementCorrected(Struct, frozen=True, gc=False):
    """More winnings to the player (positive) or money taken back from him (negative)."""

    round: str
    seat: int
    wager: str
    cents: int
    reason: str
    supervisor: str
    hand: int = 1
    tip: bool = False


RoundFact = (
    RoundOpened
    | WagerPlaced
    | WagerChanged
    | BetsClosed
    | CardDealt
    | CardExposed
    | UpcardReplaced
    | HoleCardRevealed
    | DealerPeeked
    | InsuranceTaken
    | PlayerActed
    | HalfBackReturned
    | CardsRemoved
    | WagerPaid
    | WagerCollected
    | WagerReturned
    | IrregularityRuled
    | RoundVoided
    | RoundClosed
    | SettlementCorrected
)

PaymentFact = WagerPaid | WagerCollected | WagerReturned | SettlementCorrected
"""Chips that move for a wager when it is settled, or afterwards."""
