"""Planting a fault, and writing down where it is."""

from __future__ import annotations

from dataclasses import dataclass

from blackjack.facts import Fact
from table_simulator.domain.faults.draft import StreamDraft
from table_simulator.domain.faults.fault import Fault
from table_simulator.domain.faults.round_view import CannotPlant
from table_simulator.domain.play.controller_log import moved_cents


@dataclass(frozen=True, slots=True)
class PlantedFault:
    """A fault in a draft. `round` is empty for what lies between rounds.

    `cents` is what the house lost by it, as far as chips moved or are missing.
    """

    fault: Fault
    round: str
    first_place: int
    last_place: int
    seat: int = 0
    wager: str = ""
    cents: int = 0


def plant(fault: Fault, draft: StreamDraft) -> PlantedFault:
    """One more fault in the draft; `CannotPlant` if it has no place there."""
    if fault.planter is None:
        raise CannotPlant(f"{fault.name} is played, not planted")
    name = fault.planter(draft)
    draft.used.add(name)
    facts = [fact for place in sorted(draft.touched) for fact in _changed(draft, place)]
    # An event that was left out is about a seat and a wager too.
    about = facts + [draft.original[place].fact for place in sorted(draft.touched)]
    seat: int = next(filter(None, (getattr(fact, "seat", 0) for fact in about)), 0)
    wager: str = next(filter(None, (getattr(fact, "wager", "") for fact in about)), "")
    moved = sum(map(moved_cents, facts))
    before = sum(moved_cents(draft.original[place].fact) for place in draft.touched)
    cents = before - moved + draft.missing_cents
    first, last = draft.settle_down()
    return PlantedFault(fault, name, first, last, seat, wager, cents)


def _changed(draft: StreamDraft, place: int) -> list[Fact]:
    """The events at a place now, and after it."""
    kept = draft.kept[place]
    added = draft.added.get(place, ())
    return [event.fact for event in (kept, *added) if event is not None]
