"""A stream under the pen: facts are changed, added and taken out, then it is made whole again.

Places in the stream stay what they are until `finish`, which numbers the events anew and
lets the tray follow the chips, so that a planted fault is the only thing wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from msgspec.structs import replace

from blackjack.facts import (
    Action,
    BetsClosed,
    ChipsSold,
    CreditSent,
    Event,
    Fact,
    FillReceived,
    InsuranceTaken,
    PlayerActed,
    RoundClosed,
    RoundOpened,
    TableClosed,
    TableOpened,
    TrayObserved,
    WagerChanged,
    WagerCollected,
    WagerPaid,
    WagerPlaced,
    WagerReturned,
)
from blackjack.rules import HALF_BACK, MAIN
from tests.croupier.games import SIDE_WAGERS
from tests.croupier.log import inventory

OUR_WAGERS = frozenset({MAIN, HALF_BACK}).union(*SIDE_WAGERS.values())

F = TypeVar("F")
S = TypeVar("S", WagerPaid, WagerCollected, WagerReturned)
Settlement = WagerPaid | WagerCollected | WagerReturned


class CannotPlant(LookupError):
    """The stream has no place for this fault; another seed or another game will have."""


@dataclass(frozen=True, slots=True)
class View:
    """One round of a draft: places of its facts, and plain questions about it."""

    id: str
    facts: tuple[tuple[int, Fact], ...]

    def of(self, kind: type[F]) -> list[tuple[int, F]]:
        return [(place, fact) for place, fact in self.facts if isinstance(fact, kind)]

    def first(self, kind: type[F]) -> tuple[int, F]:
        for each in self.of(kind):
            return each
        raise CannotPlant(f"{self.id} has no {kind.__name__}")

    def seats(self) -> list[int]:
        return sorted({fact.seat for _, fact in self.of(WagerPlaced)})

    def stake(self, seat: int, wager: str) -> int:
        """What lay there when bets were closed."""
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


class Draft:
    def __init__(self, events: list[Event], rng: Random) -> None:
        self.rng = rng
        self.original = events
        self.kept: list[Event | None] = list(events)
        self.added: dict[int, list[Event]] = {}
        self.is_balanced = True
        self.is_renumbered = True

    def rounds(self) -> list[View]:
        """All rounds, in an order that depends on the seed: the first that fits is taken."""
        found: list[View] = []
        facts: list[tuple[int, Fact]] = []
        name = ""
        for place, event in enumerate(self.original):
            if isinstance(event.fact, RoundOpened):
                facts, name = [], event.fact.round
            facts.append((place, event.fact))
            if isinstance(event.fact, RoundClosed):
                found.append(View(name, tuple(facts)))
        self.rng.shuffle(found)
        return found

    def pick(self, candidates: Callable[[View], list[F]]) -> tuple[View, F]:
        """A round that has candidates, and one of them."""
        for view in self.rounds():
            if found := candidates(view):
                return view, self.rng.choice(found)
        raise CannotPlant

    def outside(self, kind: type[F]) -> tuple[int, F]:
        """A fact of this kind anywhere in the stream."""
        found = [
            (place, event.fact)
            for place, event in enumerate(self.original)
            if isinstance(event.fact, kind)
        ]
        if not found:
            raise CannotPlant(kind.__name__)
        return self.rng.choice(found)

    def put(self, place: int, fact: Fact) -> None:
        self.kept[place] = replace(self.original[place], fact=fact)

    def alter(self, place: int, **fields: object) -> None:
        """Other fields of the fact at this place."""
        event = self.kept[place] or self.original[place]
        self.kept[place] = replace(event, fact=replace(event.fact, **fields))

    def alter_event(self, place: int, **fields: object) -> None:
        """Other fields of the envelope."""
        self.kept[place] = replace(self.kept[place] or self.original[place], **fields)

    def drop(self, place: int) -> None:
        self.kept[place] = None

    def add(self, after: int, fact: Fact) -> None:
        """A new fact a moment after the one at this place."""
        base = self.original[after]
        added = self.added.setdefault(after, [])
        later = len(added) + 1
        ingested_at = base.ingested_at + later if base.ingested_at else 0
        added.append(replace(base, at=base.at + later, ingested_at=ingested_at, fact=fact))

    def finish(self) -> list[Event]:
        events = list(self._flow())
        if self.is_renumbered:
            events = [replace(event, seq=seq) for seq, event in enumerate(events, 1)]
        return list(_with_true_trays(events)) if self.is_balanced else events

    def _flow(self) -> Iterator[Event]:
        for place, event in enumerate(self.kept):
            if event is not None:
                yield event
            yield from self.added.get(place, ())


def _with_true_trays(events: list[Event]) -> Iterator[Event]:
    """Every count of the tray made to agree with the chips that moved before it."""
    cents = 0
    for event in events:
        match event.fact:
            case TableOpened(inventory=chips):
                cents = sum(each.denomination_cents * each.count for each in chips)
            case FillReceived(inventory=chips):
                cents += sum(each.denomination_cents * each.count for each in chips)
            case CreditSent(inventory=chips):
                cents -= sum(each.denomination_cents * each.count for each in chips)
            case ChipsSold(cents=moved) | WagerPaid(cents=moved):
                cents -= moved
            case WagerCollected(cents=moved):
                cents += moved
            case TrayObserved() | TableClosed():
                event = replace(event, fact=replace(event.fact, inventory=inventory(cents)))
            case _:
                pass
        yield event
