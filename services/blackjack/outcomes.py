"""The result of a round: every wager with its clause and its amounts, to the cent."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Protocol

from msgspec import Struct

from blackjack.cards.card import Card
from blackjack.facts import ShoeKind
from blackjack.findings import Finding, Withdrawal


class Result(StrEnum):
    """How a wager ended."""

    WON = "won"
    LOST = "lost"
    PUSHED = "pushed"
    SURRENDERED = "surrendered"
    RETURNED = "returned"
    VOID = "void"
    UNDETERMINED = "undetermined"
    NOT_SETTLED = "not_settled"
    """A wager of another filing on the same layout: counted, never judged."""


WON: Final = Result.WON
LOST: Final = Result.LOST
PUSHED: Final = Result.PUSHED
# Module constants for code that runs for every wager: looking a member up in its enum would take
# longer than most of the work done with it.


class Payment(StrEnum):
    """How the amount paid compares with the amount owed."""

    EXACT = "exact"
    WRONG = "wrong"
    UNPAID = "unpaid"
    UNOBSERVED = "unobserved"
    UNDECIDED = "undecided"


class OutcomeAmounts(Protocol):
    """The amounts of an outcome, also as a message that is not decoded."""

    @property
    def owed_cents(self) -> int: ...
    @property
    def taken_cents(self) -> int: ...
    @property
    def paid_cents(self) -> int: ...
    @property
    def collected_cents(self) -> int: ...


def net_owed(outcome: OutcomeAmounts) -> int:
    """Cents due to the patron, less those due to the house."""
    return outcome.owed_cents - outcome.taken_cents


def net_paid(outcome: OutcomeAmounts) -> int:
    """Cents that the patron was paid, less those that the house collected."""
    return outcome.paid_cents - outcome.collected_cents


class WagerOutcome(Struct, frozen=True, gc=False):
    """One wager at the end of a round.

    `owed_cents` are winnings due to the player and `taken_cents` the part of the stake
    due to the house; both hold only where `result` is not undetermined, and then least
    and most are equal to owed. `arithmetic` is empty where it follows from the outcome, the
    cards and the rules (`blackjack.settlement.explanations.explain`). `difference_cents` is
    the amount that the player has too much (or, negative, too little): paid less collected,
    against owed less taken.
    """

    seat: int
    hand: int
    wager: str
    stake_cents: int
    result: Result
    outcome: str
    clause: str
    arithmetic: str
    owed_cents: int
    owed_cents_least: int
    owed_cents_most: int
    taken_cents: int
    paid_cents: int
    collected_cents: int
    returned_cents: int
    difference_cents: int
    payment: Payment
    tip: bool = False
    patron: str = ""
    coupon: str = ""
    coupon_cents: int = 0
    coupon_owed_cents: int = 0
    coupon_promotion: str = ""
    coupon_spent: bool = False
    placed_cents: int = 0
    """What lay there when the cards were dealt; 0 for a hand that a split made."""

    @property
    def net_owed(self) -> int:
        """Cents due to the patron, less those due to the house."""
        return net_owed(self)

    @property
    def net_paid(self) -> int:
        """Cents that the patron was paid, less those that the house collected."""
        return net_paid(self)


class RoundStatus(StrEnum):
    SETTLED = "settled"
    VOID = "void"
    INCOMPLETE = "incomplete"
    """Facts are missing; the round heals when they arrive."""
    UNRESOLVED = "unresolved"
    """The rule set is not known; the round settles once it is published."""


class SeatPatron(Struct, frozen=True, gc=False):
    seat: int
    patron: str


class RoundContext(Struct, frozen=True, gc=False):
    """What a round inherits from before: with its own events, enough to rebuild it."""

    rule_set: str
    dealer: str
    supervisor: str
    patrons: tuple[SeatPatron, ...]
    shoe: str
    shoe_kind: ShoeKind
    shoe_decks: int
    shoe_seen: tuple[int, ...]
    """How often each of the 52 cards has been seen since the shoe was loaded."""
    shoe_unread: int
    shoe_complete: bool
    """Whether every card since the shoe was loaded is in the log."""
    shoe_last: Card | None = None
    shoe_run: int = 1
    """Cards in a new deck's order up to the last one; negative where ranks fall."""
    shoe_run_reported: bool = False
    payments_seen: bool = True


class HandCards(Struct, frozen=True, gc=False):
    """The cards of a player's hand in the order of the deal, and how it was played."""

    seat: int
    hand: int
    cards: tuple[Card | None, ...]
    doubled: bool = False
    surrendered: bool = False
    void: bool = False
    """Whether a supervisor declared this hand void; a void round has it in its status."""
    from_split: bool = False
    free_ace: bool = False
    """Whether a coupon made the first card count as an ace."""


class DealerPlace(StrEnum):
    """How a card of the dealer lay."""

    UP = "up"
    HOLE = "hole"
    DRAWN = "drawn"
    REPLACED = "replaced"
    """The first up card of Half Back, which left the hand; the one after it took its place."""
    SURPLUS = "surplus"
    """Drawn where the dealer had to stand: it does not count."""
    MATCH_ME = "match_me"
    MATCH_ME_2 = "match_me_2"


class DealerCard(Struct, frozen=True, gc=False):
    """One of the dealer's cards; None is one that was not read."""

    card: Card | None
    place: DealerPlace

    @property
    def in_hand(self) -> bool:
        """Whether the card counts in the dealer's hand."""
        return self.place in _IN_HAND


_IN_HAND: Final = frozenset((DealerPlace.UP, DealerPlace.HOLE, DealerPlace.DRAWN))


class SettledRound(Struct, frozen=True, gc=False):
    """A round as judged. A later version supersedes an earlier one and states why."""

    table: str
    round: str
    version: int
    cause: str
    status: RoundStatus
    game: str
    context: RoundContext
    opened_at: int
    closed_at: int
    first_seq: int
    last_seq: int
    dealer: tuple[DealerCard, ...]
    """The hand in the order of the deal, then the places of the layout."""
    hands: tuple[HandCards, ...]
    """The players' hands."""
    outcomes: tuple[WagerOutcome, ...]
    findings: tuple[str, ...]
    engine: str


class Step(Struct, frozen=True, gc=False):
    """The outputs of one event, besides the new state."""

    rounds: tuple[SettledRound, ...] = ()
    findings: tuple[Finding, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
