"""A floor of tables for a day: played, and then changed as the plan requires.

Every table has its own chance, so that a fault planted at one leaves the others as they
were. A table that has no place for its faults is played again with other chance, until it
has; a fault without a place in the end is listed as unplanted, never dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from blackjack.rulebook.house_rules import RuleSetSpec
from table_simulator.domain.chance import RandomSource, RandomStream
from table_simulator.domain.faults.draft import StreamDraft, StreamEntry
from table_simulator.domain.faults.fault import Preparation
from table_simulator.domain.faults.fault_catalog import BY_NAME, FAULTS
from table_simulator.domain.faults.planted_fault import PlantedFault, plant
from table_simulator.domain.faults.round_view import CannotPlant
from table_simulator.domain.faults.stations import STATIONS
from table_simulator.domain.planned_tables import PlannedTable, assign_habits, pattern_truths
from table_simulator.domain.play.staff import staff_of
from table_simulator.domain.play.table_in_play import Visit
from table_simulator.domain.play.visits import regular
from table_simulator.domain.table_day import (
    START_AT,
    PlayedTable,
    PostedRules,
    TablePlan,
    play_table,
)
from table_simulator.domain.truth import Truth

ATTEMPTS_MAX: Final = 300
"""How often a table is played again for its faults: the rarest fits in one of a dozen."""

OPENER_CENTS: Final = 15_000_00
"""Enough for an evening's wins; a fill or a credit brings it back."""

COUPON_SHARE: Final = 0.15
"""How many bets come with a coupon, the same at every table: who has more stands out."""

FLOOR_NAME: Final = "T"
"""The prefix of the names of a floor's tables."""

PostRules = Callable[[RuleSetSpec], PostedRules]


@dataclass(frozen=True, slots=True)
class SimulatedStream:
    """One table's day: the entries of its controller, and the planted faults."""

    table: str
    station: str
    entries: list[StreamEntry]
    truths: tuple[Truth, ...]


@dataclass(frozen=True, slots=True)
class FloorPlan:
    spots: tuple[PlannedTable, ...]
    rounds: int
    start_at: int
    source: RandomSource
    post: PostRules
    unplaceable: tuple[str, ...]
    """Faults that no table of this floor can have."""

    def streams(self) -> Iterator[tuple[SimulatedStream, tuple[str, ...]]]:
        """Table by table: its stream, and the faults that found no place in it."""
        for spot in self.spots:
            yield _play(self, spot)


def plan_floor(
    source: RandomSource,
    post: PostRules,
    *,
    tables: int,
    rounds: int,
    faults: Mapping[str, int] | None = None,
    habits: Mapping[str, int] | None = None,
    start_at: int = START_AT,
    name: str = FLOOR_NAME,
) -> FloorPlan:
    """Tables of all kinds in turn, and each fault, as often as it is wanted, given to a table."""
    spots = [
        PlannedTable(number, STATIONS[number % len(STATIONS)], name) for number in range(tables)
    ]
    rng = source("plan")
    wanted = [BY_NAME[name] for name, count in (faults or {}).items() for _ in range(count)]
    rarest_first = sorted(wanted, key=lambda fault: (len(fault.stations), FAULTS.index(fault)))
    unplaceable = []
    for fault in rarest_first:
        fitting = [spot for spot in spots if spot.takes(fault, rounds=rounds)]
        if not fitting:
            unplaceable.append(fault.name)
            continue
        fewest = min(len(spot.faults) for spot in fitting)
        spot = rng.choice([spot for spot in fitting if len(spot.faults) == fewest])
        spot.faults.append(fault)
        spot.claims |= fault.claims
    unplaceable += assign_habits(spots, rng, habits or {}, rounds=rounds)
    return FloorPlan(tuple(spots), rounds, start_at, source, post, tuple(unplaceable))


def _play(floor: FloorPlan, spot: PlannedTable) -> tuple[SimulatedStream, tuple[str, ...]]:
    """Play until every fault has a place, or until enough is enough."""
    for attempt in range(ATTEMPTS_MAX + 1):
        rng = floor.source(f"{spot.chance} {attempt}")
        played = play_table(
            rng, _evening(floor, spot, rng, is_rich=attempt > 0 and bool(spot.faults))
        )
        spoilt = _spoil(played, spot, rng, is_last=attempt == ATTEMPTS_MAX)
        if spoilt is not None:
            return spoilt
    raise AssertionError("the last attempt takes what there is")


def _evening(
    floor: FloorPlan, spot: PlannedTable, rng: RandomStream, *, is_rich: bool
) -> TablePlan:
    station = spot.station
    prepared = {fault.preparation for fault in spot.faults}
    evening = TablePlan(
        table=spot.name,
        rules=floor.post(rng.choice(station.specs)),
        coupon_share=COUPON_SHARE,
        visits=_visits(floor, spot),
        rounds=floor.rounds,
        kind=station.kind,
        seats=station.seats,
        start_at=floor.start_at + rng.randrange(600_000_000),
        opener_cents=OPENER_CENTS,
        devices_fail=True,
        habits=frozenset(spot.habits),
        staff=staff_of(spot.number),
    )
    if is_rich:
        evening = replace(evening, stacked=station.stacked)
    if Preparation.UNSHUFFLED in prepared:
        evening = replace(evening, is_shuffled=False)
    if Preparation.WINDFALL in prepared:
        evening = replace(evening, lucky_round=rng.randint(1, floor.rounds))
    return evening


def _visits(floor: FloorPlan, spot: PlannedTable) -> tuple[Visit, ...]:
    """The table's own regular, and the one who comes over from the table before it."""
    if spot.station.seats:
        return ()
    found = []
    for neighbor in floor.spots[max(spot.number - 1, 0) : spot.number + 1]:
        if not neighbor.station.seats:
            rng = floor.source(f"{neighbor.chance} regular")
            player = regular(rng, patron=f"{neighbor.name}-p000", start_at=floor.start_at)
            found.append(player.visit(is_first=neighbor is spot))
    return tuple(visit for visit in found if visit is not None)


def _spoil(
    played: PlayedTable, spot: PlannedTable, rng: RandomStream, *, is_last: bool
) -> tuple[SimulatedStream, tuple[str, ...]] | None:
    """Plant the table's faults; nothing if one has no place and another try is left."""
    draft = StreamDraft(played.events, rng)
    wins = {record.round for record in played.rounds if record.big_wins}
    draft.used |= wins
    plantings: list[PlantedFault] = []
    failed: list[str] = []
    for fault in spot.faults:
        try:
            if fault.preparation is not Preparation.WINDFALL:
                plantings.append(plant(fault, draft))
            elif not wins:
                raise CannotPlant(f"no big win at {spot.name}")
        except CannotPlant:
            failed.append(fault.name)
            if not is_last:
                return None
    absent = sorted(habit.value for habit in spot.habits if habit not in played.habits)
    failed += absent
    if absent and not is_last:
        return None
    entries, numbers = draft.entries()
    truths = [_truth(spot.name, planting, numbers) for planting in plantings]
    win = BY_NAME["big win"]
    truths += [Truth(win.name, spot.name, win.kinds, name) for name in sorted(wins)]
    truths += pattern_truths(spot.name, played, numbers)
    truths.sort(key=lambda truth: (truth.first_seq, truth.fault))
    return SimulatedStream(spot.name, spot.station.name, entries, tuple(truths)), tuple(failed)


def _truth(table: str, planting: PlantedFault, numbers: list[int]) -> Truth:
    """Places become numbers; an event added after the last place is in the range too."""
    fault = planting.fault
    after = planting.last_place + 1
    last = numbers[after] if after < len(numbers) else numbers[-1] + 2
    return Truth(
        fault=fault.name,
        table=table,
        kinds=fault.kinds,
        round=planting.round,
        seat=planting.seat,
        wager=planting.wager,
        first_seq=numbers[planting.first_place],
        last_seq=last,
        cents=planting.cents,
        companions=fault.companions,
        rejected_as=fault.rejected_as,
    )
