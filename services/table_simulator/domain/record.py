"""A round as the dealer remembers it: plain, mutable, and with nothing beyond the log."""

from __future__ import annotations

from dataclasses import dataclass, field

from blackjack.cards.card import Card
from blackjack.outcomes import Result
from blackjack.rulebook.house_rules import RuleSetSpec
from blackjack.rulebook.promotions import Terms


@dataclass(slots=True)
class HeldCoupon:
    serial: str
    promotion: str
    terms: Terms
    expires_at: int
    patron: str


@dataclass(slots=True)
class PlacedBet:
    """Chips on one spot; `coupon` lies beside them."""

    seat: int
    wager: str
    stake_cents: int
    hand: int = 1
    tip: bool = False
    coupon: HeldCoupon | None = None


@dataclass(slots=True)
class PlayedHand:
    """`bets` ride on this hand; the first of them is the one a double raises."""

    number: int
    cards: list[Card]
    bets: list[PlacedBet]
    is_split: bool = False
    is_split_aces: bool = False
    free_ace: bool = False
    is_doubled: bool = False
    is_surrendered: bool = False
    took_even_money: bool = False
    is_settled: bool = False
    is_removed: bool = False


@dataclass(slots=True)
class PlayedSeat:
    """`dealt` are the cards of the first deal, which splits do not change.

    `main_unit_cents` is the main wager at bets closed: what a double or a split adds.
    """

    number: int
    patron: str
    hands: list[PlayedHand]
    sides: list[PlacedBet]
    dealt: list[Card] = field(default_factory=list)
    main_unit_cents: int = 0
    insurance: PlacedBet | None = None
    half_back_returned: bool = False

    @property
    def main(self) -> PlacedBet:
        return self.hands[0].bets[0]


@dataclass(frozen=True, slots=True)
class ExpectedWager:
    """The result of one wager by the rules. Owed are winnings only, the coupon's included."""

    seat: int
    hand: int
    wager: str
    tip: bool
    stake_cents: int
    result: Result
    outcome: str
    owed_cents: int
    taken_cents: int
    coupon_owed_cents: int = 0


JudgedBet = tuple[PlacedBet, ExpectedWager]


@dataclass(slots=True)
class RoundRecord:
    """`dealer` is up card (the replacement, if there was one), hole card, and the cards drawn.

    In stand-alone Match Madness `match_cards` are those of the two places and `dealer`
    stays empty.
    """

    id: str
    spec: RuleSetSpec
    seats: list[PlayedSeat]
    dealer: list[Card] = field(default_factory=list)
    original_upcard: Card | None = None
    match_cards: dict[str, Card] = field(default_factory=dict)
    expected: list[ExpectedWager] = field(default_factory=list)
    other_cents: dict[int, int] = field(default_factory=dict)
    """Winnings of each seat on wagers of other filings."""


@dataclass(frozen=True, slots=True)
class ExpectedRound:
    """All wagers of a round, and the patrons (or, unknown, the seats) that won big."""

    round: str
    table: str
    game: str
    wagers: tuple[ExpectedWager, ...]
    big_wins: frozenset[str]
