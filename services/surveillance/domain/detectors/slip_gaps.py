"""Missing slip numbers: neither used, voided nor explained.

A series that begins with a low number is expected to begin with 1; one that begins higher was
begun elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from msgspec import field

from alerting.alert import Evidence
from alerting.kinds import KINDS
from alerting.settings import Settings
from surveillance.domain.detector import Detector, Draft, Memory
from surveillance.domain.phrases import counted
from surveillance.domain.sightings import (
    Sighting,
    SignedPaper,
    SlipNumbersExplained,
    SlipNumberVoided,
)
from surveillance.domain.slip_numbers import series_of

KIND: Final = "slip.gap"
RULE: Final = "WAC 230-15-520, 230-15-525, 230-15-530"
FIRST_MAX: Final = 9
"""A new series begins at 1; one whose first number has more digits was begun elsewhere."""

SLIPS_KEPT: Final = 500
"""Numbers that are remembered of a series; older ones are not judged again."""


class SeriesMemory(Memory):
    slips: dict[int, SignedPaper] = field(default_factory=dict)
    """By number; the earlier half of each."""
    voided: list[int] = field(default_factory=list)
    explained: list[tuple[int, int]] = field(default_factory=list)
    floor: int = 0
    """Numbers up to this one are no longer judged."""


class SlipGaps(Detector[SeriesMemory]):
    """About a series of slips; an alert for every slip that follows a gap."""

    name = "slip_gaps"
    kinds = frozenset({KIND})
    sees = frozenset({SignedPaper, SlipNumberVoided, SlipNumbersExplained})
    memory = SeriesMemory

    def fold(self, memory: SeriesMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        match sighting:
            case SignedPaper():
                number = series_of(sighting.slip)[1]
                if number is None or number <= memory.floor:
                    return ()
                known = memory.slips.get(number)
                if known is None or _order(sighting) < _order(known):
                    memory.slips[number] = sighting
                _forget(memory)
            case SlipNumberVoided(number=number):
                memory.voided = sorted({*memory.voided, number})
            case SlipNumbersExplained(first=first, last=last):
                memory.explained = sorted({*memory.explained, (first, last)})
            case _:
                return ()
        return ("",)

    def judge(self, memory: SeriesMemory, key: str, settings: Settings) -> Iterator[Draft]:
        if not memory.slips:
            return
        lowest = min(memory.slips)
        begins = memory.floor or (0 if lowest <= FIRST_MAX else lowest)
        voided = [(number, number) for number in memory.voided]
        known = sorted((*memory.explained, *voided))
        for before, number in pairwise(sorted({begins, *memory.slips})):
            if missing := _unexplained(before + 1, number - 1, known):
                yield _draft(memory, number, missing)


def _order(paper: SignedPaper) -> tuple[int, str, int, str]:
    return (paper.at, paper.table, paper.seq, paper.entry_id)


def _forget(memory: SeriesMemory) -> None:
    while len(memory.slips) > SLIPS_KEPT:
        memory.floor = min(memory.slips)
        memory.since = max(memory.since, memory.slips.pop(memory.floor).at + 1)
    memory.voided = [number for number in memory.voided if number > memory.floor]
    memory.explained = [span for span in memory.explained if span[1] > memory.floor]


def _unexplained(
    first: int, last: int, explained: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The numbers of a gap without an explanation, as ranges."""
    left: list[tuple[int, int]] = []
    for low, high in explained:
        if high < first or low > last:
            continue
        if low > first:
            left.append((first, low - 1))
        first = max(first, high + 1)
    return [*left, (first, last)] if first <= last else left


def _draft(memory: SeriesMemory, number: int, missing: list[tuple[int, int]]) -> Draft:
    slip = memory.slips[number]
    words = ", ".join(str(low) if low == high else f"{low} to {high}" for low, high in missing)
    count = sum(high - low + 1 for low, high in missing)
    which = f"Slip {words}" if count == 1 else counted(count, "slip")
    return Draft(
        kind=KIND,
        identity=str(number),
        level=KINDS[KIND].level,
        sentence=f"{which} missing in series {memory.about}, before {slip.slip}: find, void or "
        f"explain {'it' if count == 1 else 'them'}",
        rule=RULE,
        evidence=(
            Evidence(
                at=slip.at,
                words=f"Slip {slip.slip} ({slip.kind}) follows the gap",
                kind="slip",
                table=slip.table,
                first_seq=slip.seq,
                last_seq=slip.seq,
                entry_id=slip.entry_id,
            ),
        ),
        table=slip.table,
        detail=f"Missing: {words}.",
    )
