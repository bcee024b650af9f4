"""Excluded patrons who were at a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import field

from alerting.alert import Evidence
from alerting.kinds import KINDS
from alerting.settings import Settings
from surveillance.domain.days import Daily, Day, day_at
from surveillance.domain.detector import Detector, Draft
from surveillance.domain.phrases import listed
from surveillance.domain.sightings import PatronBar, PatronPresence, Sighting
from surveillance.domain.table_stays import Stretch, joined

KIND: Final = "patron.excluded"
RULE: Final = "List of excluded patrons at that time"


class SeenDay(Day):
    tables: dict[str, list[Stretch]] = field(default_factory=dict)


class ExcludedMemory(Daily[SeenDay]):
    bars: list[PatronBar] = field(default_factory=list)
    """In the order in which they were entered."""


class ExcludedPatron(Detector[ExcludedMemory]):
    """About a patron; an alert for each gaming day."""

    name = "excluded"
    kinds = frozenset({KIND})
    sees = frozenset({PatronBar, PatronPresence})
    memory = ExcludedMemory

    def fold(self, memory: ExcludedMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        match sighting:
            case PatronBar():
                memory.bars.append(sighting)
                return sorted(memory.days)
            case PatronPresence(gaming_day=date):
                day, gone = day_at(memory, date, sighting.since, SeenDay)
                if day is None:
                    return gone
                proof = Stretch(
                    sighting.since, sighting.until, sighting.first_seq, sighting.last_seq
                )
                day.tables[sighting.table] = joined(day.tables.get(sighting.table, ()), proof)
                return (*gone, date) if memory.bars else gone
            case _:
                return ()

    def judge(self, memory: ExcludedMemory, key: str, settings: Settings) -> Iterator[Draft]:
        day = memory.days.get(key)
        if day is None:
            return
        there = sorted(
            (proof.since, table, proof)
            for table, proofs in day.tables.items()
            for proof in proofs
            if _is_barred(memory.bars, proof)
        )
        if there:
            tables = list(dict.fromkeys(table for _, table, _ in there))
            yield Draft(
                kind=KIND,
                identity=key,
                level=KINDS[KIND].level,
                sentence=f"Excluded patron {memory.about} at {listed(tables, 'table')}: identify "
                "and escort from the floor",
                rule=RULE,
                evidence=tuple(
                    Evidence(
                        at=since,
                        words=f"At table {table}",
                        kind="presence",
                        table=table,
                        first_seq=proof.first_seq,
                        last_seq=proof.last_seq,
                        patron=memory.about,
                    )
                    for since, table, proof in there
                ),
                table=tables[-1],
                patron=memory.about,
                detail=f"Gaming day {key}; tables: {', '.join(tables)}.",
            )


def _is_barred(bars: Iterable[PatronBar], proof: Stretch) -> bool:
    """Whether the patron was excluded at any moment of a stay.

    At any moment the change with the latest start applies; of two with one start, the one that was
    entered last.
    """
    ordered = sorted(bars, key=lambda bar: bar.valid_from)
    for place, bar in enumerate(ordered):
        ends = ordered[place + 1].valid_from if place + 1 < len(ordered) else proof.until + 1
        if bar.valid_until:
            ends = min(ends, bar.valid_until)
        if not bar.lifted and bar.valid_from <= proof.until and proof.since < ends:
            return True
    return False
