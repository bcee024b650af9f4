"""All streams of a day under one pen, once every table has its faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from msgspec.structs import replace

from blackjack.facts import Event, Fact, PatronLeft, PatronSeated, TableClosed, TrayObserved
from table_simulator.domain.back_office import OfficeEntry, cage_entries, promotion_entries
from table_simulator.domain.chance import RandomStream
from table_simulator.domain.faults.draft import StreamEntry, rounds_of
from table_simulator.domain.faults.round_view import CannotPlant, RoundView
from table_simulator.domain.play.controller_log import inventory, moved_cents, value_cents
from table_simulator.domain.truth import Truth

F = TypeVar("F")

NEXT = 1
"""A fault between rounds lies at an event, or between it and the next. What reaches farther
is of a shoe or a tray, and about none of the facts on the way."""


@dataclass(frozen=True, slots=True)
class Stay:
    """A patron at a seat, from when to when."""

    table: str
    patron: str
    since: int
    until: int


@dataclass(slots=True)
class FloorLog:
    rng: RandomStream
    tables: dict[str, list[StreamEntry]]
    truths: list[Truth]
    cage: list[OfficeEntry] = field(default_factory=list)
    desk: list[OfficeEntry] = field(default_factory=list)

    def shuffled_tables(self) -> list[str]:
        names = sorted(self.tables)
        self.rng.shuffle(names)
        return names

    def facts(self, table: str, kind: type[F]) -> list[tuple[int, F]]:
        """Places and facts of one kind that no truth is about."""
        truths = [truth for truth in self.truths if truth.table == table]
        spoilt = {truth.round for truth in truths if truth.round}
        faulty = {
            seq
            for truth in truths
            if truth.kinds and not truth.round and truth.last_seq - truth.first_seq <= NEXT
            for seq in (truth.first_seq, truth.last_seq)
        }
        found: list[tuple[int, F]] = []
        name = ""
        for place, event in enumerate(self.events(table)):
            name = getattr(event.fact, "round", name)
            if isinstance(event.fact, kind) and name not in spoilt and event.seq not in faulty:
                found.append((place, event.fact))
        return found

    def events(self, table: str) -> list[Event]:
        return [entry.event for entry in self.tables[table]]

    def rounds(self, table: str) -> list[RoundView]:
        """Rounds that no truth is about, and none that lies around them."""
        events = self.events(table)
        truths = [truth for truth in self.truths if truth.table == table]
        return [
            view
            for view in rounds_of(events)
            if not any(_is_about(truth, view, events) for truth in truths)
        ]

    def change(self, table: str, changes: dict[int, Fact]) -> None:
        """Other facts at these places; every later count of the tray follows the chips."""
        difference = 0
        entries = self.tables[table]
        for place, entry in enumerate(entries):
            event = entry.event
            if place in changes:
                difference += moved_cents(changes[place]) - moved_cents(event.fact)
                event = replace(event, fact=changes[place])
            fact = event.fact
            if difference and isinstance(fact, TrayObserved | TableClosed):
                counted = inventory(value_cents(fact.inventory) + difference)
                event = replace(event, fact=replace(fact, inventory=counted))
            if event is not entry.event:
                entries[place] = entry.with_event(event)

    def least_in_tray(self, table: str) -> int:
        """The lowest observed contents of the tray."""
        return min(
            value_cents(event.fact.inventory)
            for event in self.events(table)
            if isinstance(event.fact, TrayObserved | TableClosed)
        )

    def rewrite(self, table: str, rewritten: Callable[[Fact], Fact]) -> None:
        """Every fact of a table through a function."""
        events = enumerate(self.events(table))
        self.change(
            table, {at: new for at, e in events if (new := rewritten(e.fact)) is not e.fact}
        )

    def stays(self) -> Iterator[Stay]:
        for table in sorted(self.tables):
            seated: dict[str, int] = {}
            for event in self.events(table):
                match event.fact:
                    case PatronSeated(patron=patron):
                        seated.setdefault(patron, event.at)
                    case PatronLeft(patron=patron) if patron in seated:
                        yield Stay(table, patron, seated.pop(patron), event.at)
                    case _:
                        pass

    def named(self) -> set[str]:
        """Patrons and dealers whom a truth is about."""
        return {name for truth in self.truths for name in (truth.patron, truth.dealer) if name}

    def open_the_books(self) -> None:
        """Enter the facts of the cage and the promotions desk up to now."""
        for table in sorted(self.tables):
            made = [entry.event for entry in self.tables[table] if not entry.is_twin]
            self.cage += cage_entries(made)
            self.desk += promotion_entries(made)

    def choose(self, candidates: list[F]) -> F:
        if not candidates:
            raise CannotPlant
        return self.rng.choice(candidates)


def _is_about(truth: Truth, view: RoundView, events: list[Event]) -> bool:
    if truth.pattern and not truth.kinds:
        return False  # no single round of it is wrong
    if truth.round:
        return truth.round == view.id
    first, last = (events[view.facts[place][0]].seq for place in (0, -1))
    return truth.first_seq <= last and first <= truth.last_seq
