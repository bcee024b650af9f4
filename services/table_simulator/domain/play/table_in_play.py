"""A table in play: its staff, its patrons, its shoe, its tray and its pen, in one place."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from blackjack.cards.card import Card
from blackjack.facts import (
    CERTAIN,
    CardDealt,
    CutCardReached,
    Place,
    TipDropped,
    WagerCollected,
    WagerPaid,
    WagerReturned,
)
from blackjack.outcomes import Result
from blackjack.rulebook.house_rules import RuleSetSpec
from blackjack.rulebook.promotions import Terms
from table_simulator.domain.chance import RandomStream
from table_simulator.domain.habit import Habit, Trace
from table_simulator.domain.play.controller_log import CHIPS, SHOE, ControllerLog, SimulatedTray
from table_simulator.domain.play.shoe import SimulatedShoe
from table_simulator.domain.play.staff import Staff, staff_of
from table_simulator.domain.record import (
    ExpectedRound,
    ExpectedWager,
    HeldCoupon,
    JudgedBet,
    PlacedBet,
    RoundRecord,
)


@dataclass(frozen=True, slots=True)
class Visit:
    """A regular is here between two moments, if there is a seat."""

    patron: str
    since: int
    until: int


@dataclass(slots=True)
class SeatedPatron:
    """A patron at a seat, with betting habits; `patron` is empty for an unknown one."""

    patron: str
    unit_cents: int
    likes_sides: float
    coupon: HeldCoupon | None = None
    chips_cents: int = 0
    """Chips at the seat; negative if chips of an earlier visit are in play."""
    bought_cents: int = 0
    habit: Habit | None = None
    """The patron's habit, if any."""


@dataclass(slots=True)
class TableInPlay:
    rng: RandomStream
    log: ControllerLog
    tray: SimulatedTray
    spec: RuleSetSpec
    shoe: SimulatedShoe
    stacked: float
    wager_cents_max: int
    """The State's limit of one wager on the day."""
    patrons: dict[int, SeatedPatron] = field(default_factory=dict)
    promotions: list[tuple[str, Terms]] = field(default_factory=list)
    coupon_share: float = 0.08
    coupons_issued: int = 0
    patrons_seen: int = 0
    rounds_played: int = 0
    shoes_loaded: int = 0
    staff: Staff = field(default_factory=lambda: staff_of(0))
    dealer: str = ""
    supervisor: str = ""
    relieved_at_round: int = 0
    heartbeat_at: int = 0
    blind_until_round: int = 0
    """Until then payments are not seen: the chip reader is out of order."""
    tray_unseen_until_round: int = 0
    visits: tuple[Visit, ...] = ()
    """Arrivals and departures of regulars."""
    visited: set[str] = field(default_factory=set)
    """Regulars who have come."""
    habits: dict[Habit, Trace] = field(default_factory=dict)
    """The habits at this table."""
    strikes: Counter[Habit] = field(default_factory=Counter)
    """The number of times that a habit has made a difference."""
    limited_uses: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Coupons of a promotion issued to a patron."""
    stacked_rounds: int = 0
    wash_rounds: tuple[int, ...] = ()
    lucky_round: int = 0
    """The number of a round in which a patron wins big; 0 for none."""
    expected: list[ExpectedRound] = field(default_factory=list)

    def deal(
        self, seat: int, hand: int = 1, face_up: bool = True, place: Place = Place.HAND
    ) -> Card:
        """The next card of the shoe, read as it leaves."""
        shoe, rng = self.shoe, self.rng
        card = shoe.draw()
        confidence = CERTAIN if rng.random() < 0.97 else rng.randint(920, 999)
        self.log.write(CardDealt(seat, card, hand, face_up, place, shoe.index), SHOE, confidence)
        self.show_cut_card()
        return card

    def show_cut_card(self) -> None:
        if self.shoe.passes_cut and not self.shoe.cut_seen:
            self.shoe.cut_seen = True
            self.log.write(CutCardReached(), SHOE)

    def settle(self, record: RoundRecord, judged: list[JudgedBet]) -> None:
        """Pay, take or give back each wager as the oracle decides, and keep its result."""
        for bet, expected in judged:
            record.expected.append(expected)
            match expected.result:
                case Result.WON:
                    self._pay(bet, expected)
                case Result.LOST | Result.SURRENDERED:
                    self._collect(bet, expected.taken_cents)
                case Result.PUSHED:
                    self._give_back(bet, bet.stake_cents)
                case _:
                    pass

    def settle_other(self, record: RoundRecord, bet: PlacedBet, expected: ExpectedWager) -> None:
        """A wager of another filing wins or loses by rules we do not know."""
        record.expected.append(expected)
        if self.rng.random() < 0.2:
            cents = bet.stake_cents * 3
            record.other_cents[bet.seat] = record.other_cents.get(bet.seat, 0) + cents
            self._collect_step(bet, cents)
        else:
            self._collect(bet, bet.stake_cents)

    @property
    def is_blind(self) -> bool:
        return self.rounds_played <= self.blind_until_round

    def _pay(self, bet: PlacedBet, expected: ExpectedWager) -> None:
        """Mostly in one go; now and then in two stacks, which add up."""
        cents = expected.owed_cents
        first = cents
        if cents > 1000 and self.rng.random() < 0.02:
            first = cents // 200 * 100
        self._collect_step(bet, first)
        if first < cents:
            self._collect_step(bet, cents - first)
        if bet.tip:
            self.log.write(TipDropped(bet.stake_cents + cents, bet.seat), CHIPS)

    def _collect_step(self, bet: PlacedBet, cents: int) -> None:
        self._move(bet, -cents)
        if not self.is_blind:
            self.log.write(WagerPaid(bet.seat, bet.wager, cents, bet.hand, bet.tip), CHIPS)

    def _collect(self, bet: PlacedBet, cents: int) -> None:
        if not cents:
            return
        self._move(bet, cents)
        if not self.is_blind:
            self.log.write(WagerCollected(bet.seat, bet.wager, cents, bet.hand, bet.tip), CHIPS)

    def _give_back(self, bet: PlacedBet, cents: int) -> None:
        if cents and not self.is_blind:
            self.log.write(WagerReturned(bet.seat, bet.wager, cents, bet.hand, bet.tip), CHIPS)

    def _move(self, bet: PlacedBet, cents: int) -> None:
        """Chips into the tray; all but tips are the patron's loss."""
        self.tray.cents += cents
        player = self.patrons.get(bet.seat)
        if player is not None and not bet.tip:
            player.chips_cents -= cents
