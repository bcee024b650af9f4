"""What a table can report: every fact, past tense, frozen.

A `Fact` says what happened; an `Event` says which table reported it, in which place of
its stream, by which device and when. Seats run from 1 at the dealer's left; seat 0 is
the dealer. Hands of a seat run from 1; a split hand takes the next free number.
Amounts are cents. Times are microseconds since 1970, UTC. A card nobody read is `None`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from blackjack.cards import Card
from blackjack.promotions import Terms
from blackjack.rules import RuleSetSpec

DEALER: Final = 0
"""The seat number of the dealer."""

CERTAIN: Final = 1000
"""Confidence, in parts of a thousand, of a reading that nobody doubts."""


class ShoeKind(StrEnum):
    SHOE = "shoe"
    CONTINUOUS = "continuous"
    DEALING_MACHINE = "dealing_machine"


class Place(StrEnum):
    """Where on the layout a card was put."""

    HAND = "hand"
    MATCH_ME = "match_me"
    MATCH_ME_2 = "match_me_2"
    DISCARD = "discard"


class Action(StrEnum):
    HIT = "hit"
    STAND = "stand"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"


class Tender(StrEnum):
    CASH = "cash"
    DEBIT = "debit"


class Irregularity(StrEnum):
    """What went wrong at the table, as the supervisor names it."""

    MISDEAL = "misdeal"
    CARD_EXPOSED = "card_exposed"
    CARD_SKIPPED = "card_skipped"
    DEALER_DREW_TOO_MANY = "dealer_drew_too_many"
    PAYMENT_CORRECTED = "payment_corrected"
    VIDEO_UNCLEAR = "video_unclear"


class Ruling(StrEnum):
    """What the supervisor decided, and so what is owed."""

    PLAY_ON = "play_on"
    VOID_ROUND = "void_round"
    VOID_HAND = "void_hand"
    CARD_DEAD = "card_dead"
    FOR_PLAYER = "for_player"


class Observation(StrEnum):
    """What a device can see."""

    CARDS = "cards"
    WAGERS = "wagers"
    PAYMENTS = "payments"
    TRAY = "tray"
    DECISIONS = "decisions"


class ChipCount(Struct, frozen=True, gc=False):
    denomination_cents: int
    count: int


Inventory = tuple[ChipCount, ...]


# The table -----------------------------------------------------------------------------


class TableOpened(Struct, frozen=True, gc=False):
    inventory: Inventory = ()
    slip: str = ""
    signers: tuple[str, ...] = ()


class TableClosed(Struct, frozen=True, gc=False):
    inventory: Inventory = ()
    slip: str = ""
    signers: tuple[str, ...] = ()


class RuleSetActivated(Struct, frozen=True, gc=False):
    """From now on the table plays by this rule set; the definition may come along."""

    rule_set: str
    definition: RuleSetSpec | None = None


class DealerArrived(Struct, frozen=True, gc=False):
    licence: str


class DealerLeft(Struct, frozen=True, gc=False):
    licence: str


class SupervisorAssigned(Struct, frozen=True, gc=False):
    licence: str


# The shoe ------------------------------------------------------------------------------


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


# The round -----------------------------------------------------------------------------


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
    """`shoe_index` is the place in the shoe from 1, 0 where the device does not say."""

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
    """`cents` is what a double or split adds; 0 means what the rules ask for."""

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


# Money ---------------------------------------------------------------------------------


class ChipsSold(Struct, frozen=True, gc=False):
    cents: int
    tender: Tender = Tender.CASH
    patron: str = ""
    seat: int = 0


class ChipsExchanged(Struct, frozen=True, gc=False):
    """Colour change: as much came in as went out."""

    cents: int
    patron: str = ""
    seat: int = 0


class TrayObserved(Struct, frozen=True, gc=False):
    inventory: Inventory


class FillReceived(Struct, frozen=True, gc=False):
    slip: str
    inventory: Inventory
    signers: tuple[str, ...] = ()


class CreditSent(Struct, frozen=True, gc=False):
    slip: str
    inventory: Inventory
    signers: tuple[str, ...] = ()


class DropBoxRemoved(Struct, frozen=True, gc=False):
    box: str
    signers: tuple[str, ...] = ()


class TipDropped(Struct, frozen=True, gc=False):
    cents: int
    seat: int = 0


class FillIssued(Struct, frozen=True, gc=False):
    slip: str
    inventory: Inventory
    signers: tuple[str, ...] = ()


class CreditAccepted(Struct, frozen=True, gc=False):
    slip: str
    inventory: Inventory
    signers: tuple[str, ...] = ()


class DropCount(Struct, frozen=True, gc=False):
    """What the count team found of one kind (currency, chips, coupons, debit)."""

    kind: str
    denomination_cents: int
    count: int


class DropCounted(Struct, frozen=True, gc=False):
    box: str
    counts: tuple[DropCount, ...]
    team: tuple[str, ...] = ()


class ChipsRedeemed(Struct, frozen=True, gc=False):
    cents: int
    patron: str = ""


# Patrons -------------------------------------------------------------------------------


class PatronSeated(Struct, frozen=True, gc=False):
    seat: int
    patron: str


class PatronLeft(Struct, frozen=True, gc=False):
    seat: int
    patron: str = ""


class RatingRecorded(Struct, frozen=True, gc=False):
    patron: str
    seat: int = 0
    average_wager_cents: int = 0
    minutes: int = 0


# Promotions ----------------------------------------------------------------------------


class PromotionDefined(Struct, frozen=True, gc=False):
    promotion: str
    terms: Terms


class CouponIssued(Struct, frozen=True, gc=False):
    serial: str
    promotion: str
    patron: str = ""
    expires_at: int = 0


class CouponVoided(Struct, frozen=True, gc=False):
    serial: str
    reason: str = ""


class CouponExpired(Struct, frozen=True, gc=False):
    serial: str


class CouponPresented(Struct, frozen=True, gc=False):
    """`expires_at` is what the coupon itself says, 0 where it says nothing."""

    seat: int
    wager: str
    serial: str
    promotion: str
    patron: str = ""
    expires_at: int = 0


class CouponDropped(Struct, frozen=True, gc=False):
    serial: str
    seat: int = 0


# Devices -------------------------------------------------------------------------------


class DeviceJoined(Struct, frozen=True, gc=False):
    device: str
    observes: tuple[Observation, ...] = ()


class DeviceFaulted(Struct, frozen=True, gc=False):
    device: str
    reason: str = ""
    observes: tuple[Observation, ...] = ()


class DeviceRecovered(Struct, frozen=True, gc=False):
    device: str


class ReadCorrected(Struct, frozen=True, gc=False):
    """The card that event `corrects_seq` reported was in truth this one."""

    corrects_seq: int
    card: Card
    reason: str = ""


class GapDeclared(Struct, frozen=True, gc=False):
    """The controller lost these events and says so."""

    first_seq: int
    last_seq: int
    reason: str = ""


class ControllerRestarted(Struct, frozen=True, gc=False):
    """The chain of hashes starts anew with this event."""

    reason: str = ""


class HeartbeatSent(Struct, frozen=True, gc=False):
    pass


Fact = (
    TableOpened
    | TableClosed
    | RuleSetActivated
    | DealerArrived
    | DealerLeft
    | SupervisorAssigned
    | ShoeLoaded
    | ShuffleCompleted
    | CardBurned
    | CutCardReached
    | ShoeCounted
    | RoundOpened
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
    | ChipsSold
    | ChipsExchanged
    | TrayObserved
    | FillReceived
    | CreditSent
    | DropBoxRemoved
    | TipDropped
    | FillIssued
    | CreditAccepted
    | DropCounted
    | ChipsRedeemed
    | PatronSeated
    | PatronLeft
    | RatingRecorded
    | PromotionDefined
    | CouponIssued
    | CouponVoided
    | CouponExpired
    | CouponPresented
    | CouponDropped
    | DeviceJoined
    | DeviceFaulted
    | DeviceRecovered
    | ReadCorrected
    | GapDeclared
    | ControllerRestarted
    | HeartbeatSent
)


class Event(Struct, frozen=True, gc=False):
    """A fact with its place in the table's stream.

    `digest` is the hash of the event's own bytes as received and `previous` the hash it
    names for the event before; both are empty where a stream has no bytes (a text, a
    test), and then nothing is checked. `ingested_at` is 0 where no gateway was passed.
    """

    table: str
    seq: int
    at: int
    fact: Fact
    device: str = ""
    confidence: int = CERTAIN
    ingested_at: int = 0
    digest: bytes = b""
    previous: bytes = b""
