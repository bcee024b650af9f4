"""One round of a stream, with plain questions about it: where faults look for their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from blackjack.facts import (
    Action,
    BetsClosed,
    Fact,
    InsuranceTaken,
    PlayerActed,
    WagerChanged,
    WagerCollected,
    WagerPaid,
    WagerPlaced,
    WagerReturned,
)
from blackjack.rulebook.house_rules import HALF_BACK, MAIN
from table_simulator.domain.games import SIDE_WAGERS

OUR_WAGERS = frozenset({MAIN, HALF_BACK}).union(*SIDE_WAGERS.values())

F = TypeVar("F")
S = TypeVar("S", WagerPaid, WagerCollected, WagerReturned)
Settlement = WagerPaid | WagerCollected | WagerReturned


class CannotPlant(LookupError):
    """The stream has no place for this fault; another seed or another game will have."""


@dataclass(frozen=True, slots=True)
class RoundView:
    """One round of a draft: places of its facts, and plain questions about it."""

    id: str
    facts: tuple[tuple[int, Fact], ...]

    def of(self, kind: type[F]) -> list[tuple[int, F]]:
        return [(place, fact) for place, fact in self.facts if isinstance(fact, kind)]

    def first(self, kind: type[F]) -> tuple[int, F]:
        for found in self.of(kind):
            return found
        raise CannotPlant(f"{self.id} has no {kind.__name__}")

    def seats(self) -> list[int]:
        return sorted({fact.seat for _, fact in self.of(WagerPlaced)})

    def stake(self, seat: int, wager: str) -> int:
        """The chips there when bets were closed."""
        placings = self.placings(seat, wager)
        return placings[-1][1].cents if placings else 0

    def placings(self, seat: int, wager: str) -> list[tuple[int, WagerPlaced | WagerChanged]]:
        closed = self.first(BetsClosed)[0]
        return [
            (place, fact)
            for place, fact in self.facts
            if place < closed
            and isinstance(fact, WagerPlaced | WagerChanged)
            and (fact.seat, fact.wager, fact.tip) == (seat, wager, False)
        ]

    def settlements(self, seat: int, wager: str, hand: int = 1) -> list[tuple[int, Settlement]]:
        return [
            (place, fact)
            for place, fact in self.facts
            if isinstance(fact, Settlement)
            and (fact.seat, fact.wager, fact.hand, fact.tip) == (seat, wager, hand, False)
        ]

    def plain(self, kind: type[S]) -> list[tuple[int, S]]:
        """Settlements of one kind that are alone for their wager, with no coupon beside it."""
        coupons = {fact.seat for _, fact in self.of(WagerPlaced) if fact.coupon}
        return [
            (place, fact)
            for place, fact in self.of(kind)
            if fact.wager in OUR_WAGERS
            and not fact.tip
            and fact.seat not in coupons
            and len(self.settlements(fact.seat, fact.wager, fact.hand)) == 1
        ]

    @property
    def paid_cents(self) -> int:
        """All winnings paid in the round."""
        return sum(fact.cents for _, fact in self.of(WagerPaid))

    def acted(self, seat: int) -> list[PlayerActed]:
        return [fact for _, fact in self.of(PlayerActed) if fact.seat == seat]

    def is_simple(self, seat: int) -> bool:
        """No coupon, tip, insurance, split, double or surrender at this seat."""
        placed = [fact for _, fact in self.of(WagerPlaced) if fact.seat == seat]
        insured = any(fact.seat == seat for _, fact in self.of(InsuranceTaken))
        simple = {Action.HIT, Action.STAND}
        return (
            not insured
            and not any(fact.coupon or fact.tip for fact in placed)
            and all(fact.action in simple for fact in self.acted(seat))
        )

    def lost(self, wager: str) -> list[int]:
        """Simple seats whose whole stake of this wager was taken."""
        return [
            seat
            for seat in self.seats()
            if self.is_simple(seat)
            and [type(fact) for _, fact in self.settlements(seat, wager)] == [WagerCollected]
        ]
