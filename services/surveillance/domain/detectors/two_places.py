"""Patrons who were at two tables within less time than the walk takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final

from msgspec import field

from alerting.alert import Evidence
from alerting.kinds import KINDS
from alerting.settings import Settings
from alerting.thresholds import THRESHOLDS
from surveillance.domain.days import Daily, Day, day_at
from surveillance.domain.detector import Detector, Draft
from surveillance.domain.phrases import counted
from surveillance.domain.sightings import PatronPresence, Sighting
from surveillance.domain.table_stays import Stretch, joined

KIND: Final = "patron.two_places"
RULE: Final = "Convention: a patron is not at two tables within the time that a walk takes"


WALK_US_MAX: Final = THRESHOLDS["walking_seconds"].most * 1_000_000


class PlacesDay(Day):
    tables: dict[str, list[Stretch]] = field(default_factory=dict)
    """Times at which the patron was there for certain."""


class PlacesMemory(Daily[PlacesDay]):
    pass


class TwoPlaces(Detector[PlacesMemory]):
    """About a patron; an alert for each gaming day and pair of tables."""

    name = "two_places"
    kinds = frozenset({KIND})
    sees = frozenset({PatronPresence})
    memory = PlacesMemory

    def fold(self, memory: PlacesMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        if not isinstance(sighting, PatronPresence):
            return ()
        date = sighting.gaming_day
        day, gone = day_at(memory, date, sighting.since, PlacesDay)
        if day is None:
            return gone
        proof = Stretch(sighting.since, sighting.until, sighting.first_seq, sighting.last_seq)
        day.tables[sighting.table] = joined(day.tables.get(sighting.table, ()), proof)
        return (*gone, date) if len(day.tables) > 1 else gone

    def judge(self, memory: PlacesMemory, key: str, settings: Settings) -> Iterator[Draft]:
        day = memory.days.get(key)
        if day is None:
            return
        for here, there in combinations(sorted(day.tables), 2):
            if meeting := _meeting(day.tables[here], day.tables[there], settings):
                yield _draft(memory.about, key, here, there, meeting)


def _meeting(
    ones: list[Stretch], twos: list[Stretch], settings: Settings
) -> list[tuple[Stretch, Stretch]]:
    """Pairs of stays less than a walk apart. Both lists are in order: one pass is enough."""
    found: list[tuple[Stretch, Stretch]] = []
    first = 0
    for one in ones:
        walk = settings.microseconds("walking_seconds", one.since)
        while first < len(twos) and twos[first].until + WALK_US_MAX < one.since:
            first += 1
        for two in twos[first:]:
            if two.since - one.until >= walk:
                break
            if _apart_us(one, two) < walk:
                found.append((one, two))
    return found


def _apart_us(one: Stretch, two: Stretch) -> int:
    """The time between two stays; negative where they overlap."""
    return max(one.since, two.since) - min(one.until, two.until)


def _draft(
    patron: str, date: str, here: str, there: str, meeting: list[tuple[Stretch, Stretch]]
) -> Draft:
    proofs = {(here, one) for one, _ in meeting} | {(there, two) for _, two in meeting}
    apart = min(_apart_us(one, two) for one, two in meeting) // 1_000_000
    how = (
        f"at once for {counted(-apart, 'second')}"
        if apart < 0
        else f"{counted(apart, 'second')} apart"
    )
    return Draft(
        kind=KIND,
        identity=f"{date}/{here}/{there}",
        level=KINDS[KIND].level,
        sentence=f"Patron {patron} at tables {here} and {there} {how}: identify both players",
        rule=RULE,
        evidence=tuple(
            Evidence(
                at=proof.since,
                words=f"At table {table}",
                kind="presence",
                table=table,
                first_seq=proof.first_seq,
                last_seq=proof.last_seq,
                patron=patron,
            )
            for table, proof in sorted(proofs, key=lambda proof: (proof[1].since, proof[0]))
        ),
        patron=patron,
        detail=f"Two persons may be using one identity. Gaming day {date}.",
    )
