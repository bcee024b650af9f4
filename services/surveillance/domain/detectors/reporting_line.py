"""Cash near or over the reporting line: what a patron paid in, and was paid out, in a gaming day.

Over the line a report is due. Several cash sales, each small enough to draw no attention, that
add up to nearly the line look like one that was cut to pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import field

from alerting.alert import Evidence
from alerting.settings import Settings
from blackjack.findings import Level
from blackjack.money import format_cents
from surveillance.domain.days import Daily, Day, day_at
from surveillance.domain.detector import Detector, Draft
from surveillance.domain.sightings import CashMovement, Sighting

KIND: Final = "cash.reporting_line"
RULE: Final = "31 CFR 1021.311"


class CashDay(Day):
    moved: list[CashMovement] = field(default_factory=list)


class CashMemory(Daily[CashDay]):
    pass


class ReportingLine(Detector[CashMemory]):
    """About a patron; for each gaming day an alert of cash in and one of cash out."""

    name = "reporting_line"
    kinds = frozenset({KIND})
    sees = frozenset({CashMovement})
    memory = CashMemory

    def fold(self, memory: CashMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        if not isinstance(sighting, CashMovement) or sighting.is_debit or not sighting.cents:
            return ()
        day, gone = day_at(memory, sighting.gaming_day, sighting.at, CashDay)
        if day is not None:
            day.moved.append(sighting)
        return (*gone, sighting.gaming_day)

    def judge(self, memory: CashMemory, key: str, settings: Settings) -> Iterator[Draft]:
        day = memory.days.get(key)
        if day is None:
            return
        ordered = sorted(day.moved, key=lambda each: (each.at, each.table, each.seq, each.entry_id))
        paid_in = [each for each in ordered if each.cents > 0]
        paid_out = [each for each in ordered if each.cents < 0]
        for moved, way in ((paid_in, "in"), (paid_out, "out")):
            total = sum(abs(each.cents) for each in moved)
            if moved and total > settings.threshold("cash_line_cents", moved[-1].at):
                sentence = (
                    f"Patron {memory.about}: {format_cents(total)} cash {way} in the gaming day "
                    f"{key}, over the reporting line: a currency transaction report is due."
                )
                yield _draft(memory.about, key, way, Level.P1, total, moved, sentence)
            elif small := _cut_to_pieces(paid_in if way == "in" else [], settings):
                part = sum(each.cents for each in small)
                sentence = (
                    f"Patron {memory.about}: {len(small)} cash sales, each under the amount that "
                    f"draws attention, add up to {format_cents(part)} in the gaming day {key}: "
                    "watch for structuring."
                )
                yield _draft(memory.about, key, way, Level.P2, part, small, sentence)


def _cut_to_pieces(sales: list[CashMovement], settings: Settings) -> list[CashMovement]:
    """The small sales, if they add up to nearly the line."""
    small = [each for each in sales if each.cents < settings.threshold("cash_sale_cents", each.at)]
    total = sum(each.cents for each in small)
    is_near = small and total >= settings.threshold("cash_near_cents", small[-1].at)
    return small if is_near and len(small) > 1 else []


def _draft(
    patron: str,
    date: str,
    way: str,
    level: Level,
    cents: int,
    moved: list[CashMovement],
    sentence: str,
) -> Draft:
    tables = {each.table for each in moved}
    return Draft(
        kind=KIND,
        identity=f"{date}/{way}",
        level=level,
        sentence=sentence,
        rule=RULE,
        evidence=tuple(
            Evidence(
                at=each.at,
                words=f"{format_cents(abs(each.cents))} cash {way}",
                kind="cash",
                table=each.table,
                first_seq=each.seq,
                last_seq=each.seq,
                entry_id=each.entry_id,
                patron=patron,
            )
            for each in moved
        ),
        table=tables.pop() if len(tables) == 1 else "",
        patron=patron,
        cents=cents,
    )
