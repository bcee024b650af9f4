"""Patterns of shortages: the float of a table, or of a dealer's tables, is short repeatedly.

WAC 230-15-495(5)(g) has a pattern reported to the commission within 24 hours, like one difference
of $200, and does not define a pattern: the property sets it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import field

from alerting.alert import Evidence
from alerting.kinds import KINDS
from alerting.settings import Settings
from alerting.thresholds import DAY_SECONDS, THRESHOLDS
from blackjack.money import format_cents
from blackjack.rulebook.state_rules import TRAY_VARIANCE_RULE
from surveillance.domain.detector import Detector, Draft, Memory
from surveillance.domain.phrases import counted, listed
from surveillance.domain.sightings import FloatShortage, FloatShortageWithdrawn, Sighting

KIND: Final = "tray.shortage_pattern"
DAY_US: Final = DAY_SECONDS * 1_000_000
KEPT_US: Final = THRESHOLDS["shortage_days"].most * DAY_US


class ShortageMemory(Memory):
    found: dict[str, FloatShortage] = field(default_factory=dict)
    """By the id of the finding."""


class Shortages(Detector[ShortageMemory]):
    """About a table or a dealer; an alert for each pattern, which ends with its days."""

    name = "shortages"
    kinds = frozenset({KIND})
    sees = frozenset({FloatShortage, FloatShortageWithdrawn})
    memory = ShortageMemory

    def fold(self, memory: ShortageMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        match sighting:
            case FloatShortage():
                memory.found[sighting.id] = sighting
                self._forget(memory, settings)
            case FloatShortageWithdrawn(id=name):
                if memory.found.pop(name, None) is None:
                    return ()
            case _:
                return ()
        return ("",)

    def judge(self, memory: ShortageMemory, key: str, settings: Settings) -> Iterator[Draft]:
        for pattern in _patterns(memory, settings):
            yield _draft(memory, pattern, settings)

    def _forget(self, memory: ShortageMemory, settings: Settings) -> None:
        """Forget old shortages; patterns as a whole, so that none changes its id."""
        latest_at = max(shortage.at for shortage in memory.found.values())
        memory.since = max(memory.since, latest_at - KEPT_US)
        kept = {
            shortage.id
            for pattern in _patterns(memory, settings)
            if pattern[-1].at >= memory.since
            for shortage in pattern
        }
        memory.found = {
            name: shortage
            for name, shortage in memory.found.items()
            if shortage.at >= memory.since or name in kept
        }


def _patterns(memory: ShortageMemory, settings: Settings) -> Iterator[list[FloatShortage]]:
    """Patterns, each from the first shortage that has enough others within its days."""
    short = sorted(
        (shortage for shortage in memory.found.values() if _counts(shortage, settings)),
        key=lambda shortage: (shortage.at, shortage.table, shortage.seq, shortage.id),
    )
    begin = 0
    while begin < len(short):
        first = short[begin]
        until = first.at + settings.threshold("shortage_days", first.at) * DAY_US
        pattern = [shortage for shortage in short[begin:] if shortage.at < until]
        if len(pattern) >= settings.threshold("shortage_count", pattern[-1].at):
            yield pattern
            begin += len(pattern)
        else:
            begin += 1


def _counts(shortage: FloatShortage, settings: Settings) -> bool:
    return shortage.cents >= settings.threshold("shortage_cents", shortage.at)


def _draft(memory: ShortageMemory, pattern: list[FloatShortage], settings: Settings) -> Draft:
    is_dealer = memory.subject.startswith("dealer:")
    tables = sorted({shortage.table for shortage in pattern})
    cents = sum(shortage.cents for shortage in pattern)
    who = f"{'dealer' if is_dealer else 'table'} {memory.about}"
    days = settings.threshold("shortage_days", pattern[0].at)
    return Draft(
        kind=KIND,
        identity=pattern[0].id,
        level=KINDS[KIND].level,
        sentence=f"{counted(len(pattern), 'float shortage')} in {days} days, "
        f"{format_cents(cents)} in all: report {who} to the commission within 24 hours",
        rule=TRAY_VARIANCE_RULE,
        evidence=tuple(_evidence(shortage) for shortage in pattern),
        table=tables[0] if len(tables) == 1 else "",
        dealer=memory.about if is_dealer else "",
        cents=cents,
        detail=f"Float short at {listed(tables, 'table')}.",
    )


def _evidence(shortage: FloatShortage) -> Evidence:
    return Evidence(
        at=shortage.at,
        words=shortage.text,
        kind="shortage",
        table=shortage.table,
        first_seq=shortage.seq,
        last_seq=shortage.seq,
        finding_id=shortage.id,
        dealer=shortage.dealer,
        cents=shortage.cents,
    )
