"""A stream under the pen: facts are changed, added and taken out, then it is made whole again.

Places in the stream stay what they are until `finish`, which numbers the events again and
lets the tray follow the chips, so that the planted fault is the only one. Several
faults can be planted into one draft: a round takes one of them, and so does any other place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from msgspec.structs import replace

from blackjack.facts import (
    DeviceFaulted,
    DeviceRecovered,
    Event,
    Fact,
    GapDeclared,
    Observation,
    ReadCorrected,
    RoundClosed,
    RoundOpened,
    TableClosed,
    TrayObserved,
)
from table_simulator.domain.chance import RandomStream
from table_simulator.domain.faults.round_view import CannotPlant, RoundView
from table_simulator.domain.play.controller_log import inventory, moved_cents, value_cents

F = TypeVar("F")


class Noise(StrEnum):
    """Messages of a controller or its line that are no events of the stream."""

    GARBAGE = "garbage"
    """Bytes that are no event."""
    OVERSIZED = "oversized"
    """More bytes than an event may have."""
    FOREIGN = "foreign"
    """An event of another table."""
    AHEAD = "ahead"
    """The event after the next one, before it is its turn."""
    AGAIN = "again"
    """The event that was sent just now."""


@dataclass(frozen=True, slots=True)
class StreamEntry:
    """An event as the controller made it, and what became of it on the way.

    A lost one was made and chained and never arrived. A twin claims the number of the event
    before it. Noise is sent on the line after the event before it, and is in no log.
    """

    event: Event
    is_lost: bool = False
    is_twin: bool = False
    noise: Noise | None = None

    def with_event(self, event: Event) -> StreamEntry:
        """Another event to which the same happened."""
        return StreamEntry(event, self.is_lost, self.is_twin, self.noise)


class StreamDraft:
    def __init__(self, events: list[Event], rng: RandomStream) -> None:
        self.rng = rng
        self.original = events
        self.kept: list[Event | None] = list(events)
        self.added: dict[int, list[Event]] = {}
        self.twins: dict[int, Fact] = {}
        self.lost: set[int] = set()
        self.noises: dict[int, Noise] = {}
        self.used: set[str] = set()
        """Rounds that have their fault, or must have none."""
        self.touched: set[int] = set()
        """Places that the present fault has changed."""
        self.missing_cents = 0
        """Chips that the current fault takes out of the tray without a fact."""
        self._taken: set[int] = set()
        """Places that earlier faults have changed."""
        self._views = rounds_of(events)

    # Looking for a place ---------------------------------------------------------------

    def rounds(self) -> list[RoundView]:
        """All free rounds, in an order that depends on chance: the first that fits is taken."""
        found = [view for view in self._views if view.id not in self.used]
        self.rng.shuffle(found)
        return found

    def pick(self, candidates: Callable[[RoundView], list[F]]) -> tuple[RoundView, F]:
        """A round that has candidates, and one of them."""
        for view in self.rounds():
            if found := candidates(view):
                return view, self.rng.choice(found)
        raise CannotPlant

    def outside(self, kind: type[F], fits: Callable[[F], bool] = lambda _: True) -> tuple[int, F]:
        """A fitting fact of this kind anywhere in the stream, that no fault has touched."""
        found = [
            (place, event.fact)
            for place, event in enumerate(self.original)
            if isinstance(event.fact, kind) and place not in self._taken and fits(event.fact)
        ]
        if not found:
            raise CannotPlant(kind.__name__)
        return self.rng.choice(found)

    # Changing it -----------------------------------------------------------------------

    def put(self, place: int, fact: Fact) -> None:
        self.touched.add(place)
        self.kept[place] = replace(self.original[place], fact=fact)

    def alter(self, place: int, **fields: object) -> None:
        """Other fields of the fact at this place."""
        self.touched.add(place)
        event = self.kept[place] or self.original[place]
        self.kept[place] = replace(event, fact=replace(event.fact, **fields))

    def alter_event(self, place: int, **fields: object) -> None:
        """Other fields of the envelope."""
        self.touched.add(place)
        self.kept[place] = replace(self.kept[place] or self.original[place], **fields)

    def drop(self, place: int) -> None:
        """It was never reported."""
        self.touched.add(place)
        self.kept[place] = None

    def lose(self, place: int) -> None:
        """It was made, and lost on the way: its number stays empty."""
        self.touched.add(place)
        self.lost.add(place)

    def disturb(self, place: int, noise: Noise) -> None:
        """Send noise on the line after the event at this place."""
        self.touched.add(place)
        self.noises[place] = noise

    def add(self, after: int, fact: Fact) -> None:
        """A new fact a moment after the one at this place."""
        self.touched.add(after)
        base = self.original[after]
        added = self.added.setdefault(after, [])
        later = len(added) + 1
        ingested_at = base.ingested_at + later if base.ingested_at else 0
        added.append(replace(base, at=base.at + later, ingested_at=ingested_at, fact=fact))

    def claim(self, place: int, fact: Fact) -> None:
        """Another fact claims the number of the one at this place."""
        self.touched.add(place)
        self.twins[place] = fact

    def settle_down(self) -> tuple[int, int]:
        """The present fault is planted: its first and its last place; the next may come."""
        first, last = min(self.touched), max(self.touched)
        self._taken |= self.touched
        self.touched = set()
        self.missing_cents = 0
        return first, last

    # Making it whole -------------------------------------------------------------------

    def finish(self) -> list[Event]:
        """The stream as it arrives."""
        return [entry.event for entry in self.entries()[0] if not entry.is_lost]

    def entries(self) -> tuple[list[StreamEntry], list[int]]:
        """Everything the controller made, in order; and the number at each place."""
        entries: list[StreamEntry] = []
        numbers: list[int] = []
        seq = 0
        for place, event in self._with_true_trays():
            if place == len(numbers):
                numbers.append(seq + 1)
            if event is None:
                continue
            seq += 1
            event = replace(event, seq=seq)
            fact = event.fact
            if isinstance(fact, ReadCorrected):
                corrects = numbers[fact.corrects_seq - 1]
                event = replace(event, fact=replace(fact, corrects_seq=corrects))
            is_gap = isinstance(fact, GapDeclared)
            if is_gap:
                event = replace(
                    event, fact=replace(fact, first_seq=numbers[place], last_seq=seq - 1)
                )
            entries.append(StreamEntry(event, is_lost=place in self.lost and not is_gap))
            if place in self.twins:
                twin = replace(event, at=event.at + 1, fact=self.twins[place])
                entries.append(StreamEntry(twin, is_twin=True))
            if place in self.noises:
                entries.append(StreamEntry(event, noise=self.noises[place]))
        return entries, numbers

    def _with_true_trays(self) -> Iterator[tuple[int, Event | None]]:
        """Every count of the tray follows the chips that move otherwise than in the original."""
        difference = 0
        for place, kept in enumerate(self.kept):
            difference -= moved_cents(self.original[place].fact)
            if kept is None:
                yield place, None
            for event in (kept, *self.added.get(place, ())):
                if event is None:
                    continue
                fact = event.fact
                difference += moved_cents(fact)
                if difference and isinstance(fact, TrayObserved | TableClosed):
                    counted = inventory(value_cents(fact.inventory) + difference)
                    event = replace(event, fact=replace(fact, inventory=counted))
                yield place, event


def rounds_of(events: list[Event]) -> list[RoundView]:
    """Whole rounds with observed payments."""
    found: list[RoundView] = []
    facts: list[tuple[int, Fact]] = []
    name, is_blind = "", False
    for place, event in enumerate(events):
        fact = event.fact
        if isinstance(fact, DeviceFaulted):
            is_blind = is_blind or Observation.PAYMENTS in fact.observes
        elif isinstance(fact, DeviceRecovered):
            is_blind = False
        elif isinstance(fact, RoundOpened):
            facts, name = [], fact.round
        facts.append((place, fact))
        if isinstance(fact, RoundClosed) and not is_blind:
            found.append(RoundView(name, tuple(facts)))
    return found
