"""The tables of a floor before they are played: which faults and habits each is to have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from table_simulator.domain.chance import RandomStream
from table_simulator.domain.faults.fault import Claim, Fault
from table_simulator.domain.faults.stations import (
    DOUBLE_ACTION,
    HALF_BACK,
    HARD_DOUBLES,
    MANY_WAGERS,
    SHUFFLED_DOUBLE_ACTION,
    SHUFFLER,
    SKWEEZIT,
    Station,
)
from table_simulator.domain.habit import Habit
from table_simulator.domain.play.habits import WASHED_TIMES
from table_simulator.domain.table_day import PlayedTable
from table_simulator.domain.truth import Truth

ROUNDS_A_FAULT: Final = 3
"""A table takes one fault in so many rounds: honest play stays in the majority."""

_COUPONS: Final = (DOUBLE_ACTION, SKWEEZIT, HALF_BACK, MANY_WAGERS, HARD_DOUBLES)
"""Tables with coupons, and with patrons who come and go."""

HABITS_AT: Final[Mapping[Habit, tuple[Station, ...]]] = {
    Habit.COUNTS: (DOUBLE_ACTION, SKWEEZIT, HALF_BACK, MANY_WAGERS, HARD_DOUBLES),
    Habit.COUNTS_SIDES: (SKWEEZIT, HALF_BACK, MANY_WAGERS),
    Habit.SEES_HOLE_CARD: (*_COUPONS, SHUFFLER, SHUFFLED_DOUBLE_ACTION),
    Habit.LUCKY: (
        DOUBLE_ACTION,
        SKWEEZIT,
        MANY_WAGERS,
        HARD_DOUBLES,
        SHUFFLER,
        SHUFFLED_DOUBLE_ACTION,
    ),
    Habit.WASHES: _COUPONS,
    Habit.HOARDS: _COUPONS,
    Habit.SUBSTITUTES: _COUPONS,
}
"""Where there is a shoe to be counted, a hole card, a bonus that two cards of one's own win."""

STACKED: Final = "stacked deals"
"""Where a fault needs rare cards, some are dealt on purpose: to a statistician that is luck."""


@dataclass(slots=True)
class PlannedTable:
    """A table of the floor and the faults that it is to have."""

    number: int
    station: Station
    floor: str
    faults: list[Fault] = field(default_factory=list)
    claims: set[Claim] = field(default_factory=set)
    habits: set[Habit] = field(default_factory=set)

    @property
    def name(self) -> str:
        return f"{self.floor}{self.number + 1:03d}"

    @property
    def chance(self) -> str:
        """The name of its stream of chance, whatever the floor is called."""
        return f"T{self.number + 1:03d}"

    def can_have(self, habit: Habit) -> bool:
        return self.station in HABITS_AT[habit] and not any(
            habit.is_about_coupons is other.is_about_coupons for other in self.habits
        )

    def takes(self, fault: Fault, *, rounds: int) -> bool:
        return (
            self.station in fault.stations
            and self.claims.isdisjoint(fault.claims)
            and len(self.faults) * ROUNDS_A_FAULT < rounds
            and not (fault.preparation and fault in self.faults)
        )


def assign_habits(
    spots: list[PlannedTable], rng: RandomStream, wanted: Mapping[str, int], *, rounds: int
) -> list[str]:
    """Each habit, as often as it is wanted, given to a table; what found none is named."""
    unplaceable = []
    for habit in sorted(Habit, key=lambda habit: len(HABITS_AT[habit])):
        for _ in range(wanted.get(habit.value, 0)):
            free = [spot for spot in spots if spot.can_have(habit)]
            if not free or rounds <= WASHED_TIMES:
                unplaceable.append(habit.value)
                continue
            fewest = min(len(spot.habits) for spot in free)
            rng.choice([spot for spot in free if len(spot.habits) == fewest]).habits.add(habit)
    return unplaceable


def pattern_truths(table: str, played: PlayedTable, numbers: list[int]) -> list[Truth]:
    """What surveillance may find of how the table was played; `numbers` are those of its places."""
    found = []
    for habit, trace in played.habits.items():
        places = [
            place
            for place, event in enumerate(played.events)
            if trace.patron in (getattr(event.fact, "patron", ""), "")
        ]
        found.append(
            Truth(
                habit.value,
                table,
                wager=trace.wager,
                first_seq=numbers[places[0]],
                last_seq=numbers[places[-1]],
                pattern=habit.value,
                patron=trace.patron,
                dealer=trace.dealer,
                tables=(table,),
                sizes=trace.sizes,
            )
        )
    if played.stacked_rounds:
        sizes = {"rounds": float(played.stacked_rounds)}
        found.append(Truth(STACKED, table, pattern=Habit.LUCKY.value, sizes=sizes))
    return found
