"""A fact with its place in the stream, and the list of all facts."""

from __future__ import annotations

from msgspec import Struct

from blackjack.facts.device import (
    ControllerRestarted,
    DeviceFaulted,
    DeviceJoined,
    DeviceRecovered,
    GapDeclared,
    HeartbeatSent,
    ReadCorrected,
)
from blackjack.facts.money import (
    ChipsExchanged,
    ChipsRedeemed,
    ChipsSold,
    CreditAccepted,
    CreditSent,
    DropBoxRemoved,
    DropCounted,
    FillIssued,
    FillReceived,
    TicketIssued,
    TipDropped,
    TrayObserved,
)
from blackjack.facts.patron import PatronLeft, PatronSeated, RatingRecorded
from blackjack.facts.promotion import (
    CouponDropped,
    CouponExpired,
    CouponIssued,
    CouponPresented,
    CouponVoided,
    PromotionDefined,
)
from blackjack.facts.round import (
    BetsClosed,
    CardDealt,
    CardExposed,
    CardsRemoved,
    DealerPeeked,
    HalfBackReturned,
    HoleCardRevealed,
    InsuranceTaken,
    IrregularityRuled,
    PlayerActed,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    SettlementCorrected,
    UpcardReplaced,
    WagerChanged,
    WagerCollected,
    WagerPaid,
    WagerPlaced,
    WagerReturned,
)
from blackjack.facts.shoe import (
    CardBurned,
    CutCardReached,
    ShoeCounted,
    ShoeLoaded,
    ShuffleCompleted,
)
from blackjack.facts.table import (
    DealerArrived,
    DealerLeft,
    RuleSetActivated,
    SupervisorAssigned,
    TableClosed,
    TableOpened,
)
from blackjack.facts.vocabulary import CERTAIN

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
    | TicketIssued
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
    `waited_us` is how long the event had been at its controller when it was sent, by the
    controller's clock: 0 for what was sent at once. `claimed_at` is what the clock said
    where that is no valid time (`blackjack.play.clock`): `at` is then when the event was sent,
    by the gateway's clock. It is 0 otherwise.
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
    waited_us: int = 0
    claimed_at: int = 0
