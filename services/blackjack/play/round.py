"""A round while it is played: phase, seats, wagers, the dealer's cards."""

from __future__ import annotations

from typing import Final

from blackjack.cards.card import ACE, TEN, Card
from blackjack.cards.hand import Hand, is_natural
from blackjack.facts import DEALER
from blackjack.findings import Finding
from blackjack.outcomes import RoundContext
from blackjack.play.wagers import Wager, WagerKey
from blackjack.rulebook.rule_set import RuleSet
from blackjack.settlement.side_plans import SidePlan, plans_of

BETTING: Final = 0
DEALING: Final = 1
DEALT: Final = 2
"""All first cards are out; bonus wagers that need no more are settled now."""
PLAYING: Final = 3
"""Insurance, the peek or a player's decision has begun the blackjack game.

The phases of a round; a round only moves forward.
"""


BY_LOG_ORDER: Final = -(2**62)
"""Stands for a time that is not known, because a device clock is wrong: before every other."""
NOT_CLOSED: Final = 2**62
"""After every time: no device with a right clock has reported that bets closed."""


class Round:
    """All that is known of the round in progress."""

    __slots__ = (
        "bet_at",
        "big_wins",
        "close_at",
        "closed_by_card",
        "closing",
        "complete",
        "context",
        "dealer",
        "epoch",
        "even_money",
        "exposed",
        "findings",
        "first_close_at",
        "first_seq",
        "firsts",
        "half_back_returned",
        "hands",
        "hole",
        "hole_shown",
        "last_settled",
        "name",
        "noted",
        "opened_at",
        "original_up",
        "paid_by_patron",
        "payments_blind",
        "peeked",
        "phase",
        "plan",
        "plan_at",
        "plans",
        "presented",
        "replacement",
        "revision",
        "ruled",
        "rules",
        "skipped",
        "strays",
        "surplus",
        "table_places",
        "turn",
        "up",
        "void",
        "wagers",
    )

    def __init__(
        self,
        *,
        name: str,
        rules: RuleSet | None,
        context: RoundContext,
        opened_at: int,
        first_seq: int,
        plans: dict[str, SidePlan] | None = None,
    ) -> None:
        self.name = name
        self.rules = rules
        if plans is None:
            plans = plans_of(rules) if rules is not None else {}
        self.plans = plans
        self.context = context
        self.opened_at = opened_at
        self.first_seq = first_seq
        self.phase = BETTING
        self.complete = True
        """False where the log has a gap inside the round."""
        self.closed_by_card = False
        """Whether a card was dealt before bets were closed."""
        self.close_at = 0
        """When bets closed, by right device clocks; `NOT_CLOSED` where none reported it."""
        self.first_close_at = 0
        """The time of the fact that closed the bets in log order; `BY_LOG_ORDER` where a wrong
        clock reported it."""
        self.bet_at = BY_LOG_ORDER
        """When the last bet that counts was made, by a clock that is right."""
        self.closing = False
        """True from the moment no more cards or payments come."""
        self.void = ""
        self.revision = 0
        """Moves with everything that can change the amounts owed."""
        self.epoch = 0
        """Moves with what can change even a decided side bet: rulings and corrected cards."""
        self.hands: dict[int, list[Hand]] = {}
        self.firsts: dict[int, list[Card | None]] = {}
        """The first cards of each seat as dealt, which side bets look at for good."""
        self.wagers: dict[WagerKey, Wager] = {}
        self.strays: dict[WagerKey, Wager] = {}
        """Chips or money where no wager stands: late bets, and payments that are not due."""
        self.dealer = Hand(DEALER)
        self.up = -1
        """Where in the dealer's hand the up card lies, -1 before it is dealt."""
        self.hole = -1
        self.original_up: Card | None = None
        self.replacement: tuple[Card | None, ...] = ()
        """Empty before a replacement, so that an unread one is not taken for none."""
        self.table_places: dict[str, Card | None] = {}
        """Cards on named places of the layout (Match Me, Match Me 2)."""
        self.exposed: set[str] = set()
        self.hole_shown = False
        self.peeked: bool | None = None
        self.surplus: tuple[Card | None, ...] = ()
        """Cards that the dealer drew on a total to stand on: dead unless a ruling counts them."""
        self.plan: list[int] = []
        self.plan_at = 0
        self.skipped: list[int] = []
        self.turn = 0
        """The seat whose decisions have begun; the seats before it are done."""
        self.even_money: set[int] = set()
        self.half_back_returned: set[int] = set()
        self.presented: dict[str, int] = {}
        """Serials of coupons in this round, with their seat; negative where a wager names one that
        was not presented."""
        self.ruled: set[str] = set()
        self.last_settled: dict[str, int] = {}
        """The last seat settled, by wager kind."""
        self.noted: set[str] = set()
        """Subjects that were already reported in this round."""
        self.paid_by_patron: dict[str, int] = {}
        self.big_wins: dict[str, tuple[int, str]] = {}
        """Seat and wager that first took a patron's winnings over the line."""
        self.payments_blind = False
        self.findings: dict[str, Finding] = {}

    def fork(self) -> Round:
        other = Round(
            name=self.name,
            rules=self.rules,
            context=self.context,
            opened_at=self.opened_at,
            first_seq=self.first_seq,
            plans=self.plans,
        )
        other.phase = self.phase
        other.complete = self.complete
        other.closed_by_card = self.closed_by_card
        other.close_at = self.close_at
        other.first_close_at = self.first_close_at
        other.bet_at = self.bet_at
        other.closing = self.closing
        other.void = self.void
        other.revision = self.revision
        other.epoch = self.epoch
        other.hands = {seat: [hand.fork() for hand in held] for seat, held in self.hands.items()}
        other.firsts = {seat: held.copy() for seat, held in self.firsts.items()}
        other.wagers = {key: wager.fork() for key, wager in self.wagers.items()}
        other.strays = {key: wager.fork() for key, wager in self.strays.items()}
        other.dealer = self.dealer.fork()
        other.up = self.up
        other.hole = self.hole
        other.original_up = self.original_up
        other.replacement = self.replacement
        other.table_places = self.table_places.copy()
        other.exposed = self.exposed.copy()
        other.hole_shown = self.hole_shown
        other.peeked = self.peeked
        other.surplus = self.surplus
        other.plan = self.plan.copy()
        other.plan_at = self.plan_at
        other.skipped = self.skipped.copy()
        other.turn = self.turn
        other.even_money = self.even_money.copy()
        other.half_back_returned = self.half_back_returned.copy()
        other.presented = self.presented.copy()
        other.ruled = self.ruled.copy()
        other.last_settled = self.last_settled.copy()
        other.noted = self.noted.copy()
        other.paid_by_patron = self.paid_by_patron.copy()
        other.big_wins = self.big_wins.copy()
        other.payments_blind = self.payments_blind
        other.findings = self.findings.copy()
        return other

    def reconsider(self) -> None:
        """Forget every judgment: a ruling, a void or a card learned late changes it."""
        self.revision += 1
        self.epoch += 1

    def turn_card(self, *, learned: bool = False) -> None:
        """A card is turned over: where all had been read, no decided wager learns from it."""
        if learned or self.has_unread:
            self.reconsider()
        else:
            self.revision += 1

    @property
    def has_unread(self) -> bool:
        """Whether a card on the table is, or was, not read."""
        return (
            None in self.dealer.cards
            or None in self.replacement
            or None in self.table_places.values()
            or (self.up >= 0 and self.original_up is None)
            or any(None in cards for cards in self.firsts.values())
            or any(hand.unread for hands in self.hands.values() for hand in hands)
        )

    def hand(self, seat: int, number: int) -> Hand | None:
        held = self.hands.get(seat)
        if held is None or not 1 <= number <= len(held):
            return None
        return held[number - 1]

    @property
    def up_card(self) -> Card | None:
        """The up card the dealer plays with; None if not dealt or not read."""
        return self.dealer.cards[self.up] if self.up >= 0 else None

    @property
    def hole_card(self) -> Card | None:
        return self.dealer.cards[self.hole] if self.hole >= 0 else None

    @property
    def peek_due(self) -> bool:
        """Whether an ace or a ten-value card lies up, so that a blackjack is possible."""
        up = self.up_card
        return up is not None and (up.rank == ACE or up.points == TEN)

    @property
    def dealer_blackjack(self) -> bool | None:
        """Whether the dealer has a blackjack, None while the log does not show it."""
        if self.up < 0:
            return None
        up = self.up_card
        if up is not None and not (up.rank == ACE or up.points == TEN):
            return False
        hole = self.hole_card
        if up is not None and hole is not None:
            return is_natural(up, hole)
        return self.peeked

    @property
    def dealer_blackjack_shown(self) -> bool | None:
        """The same as far as the table itself can know it by now."""
        up = self.up_card
        if self.hole_shown or (up is not None and not self.peek_due):
            return self.dealer_blackjack
        return self.peeked
