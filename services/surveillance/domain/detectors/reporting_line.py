"""Cash of a patron in a gaming day, in and out, near or over the reporting threshold.

Over the threshold a report is due. Several small cash buy-ins that add up to nearly the threshold
look like structuring.
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
from surveillance.domain.phrases import counted
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
        ordered = sorted(day.moved, key=lambda cash: (cash.at, cash.table, cash.seq, cash.entry_id))
        paid_in = [cash for cash in ordered if cash.cents > 0]
        paid_out = [cash for cash in ordered if cash.cents < 0]
        for moved, way in ((paid_in, "in"), (paid_out, "out")):
            total = sum(abs(cash.cents) for cash in moved)
            if moved and total > settings.threshold("cash_line_cents", moved[-1].at):
                sentence = (
                    f"{format_cents(total)} cash {way} by patron {memory.about}: file a currency "
                    "transaction report"
                )
                yield _draft(memory.about, key, way, Level.P1, total, moved, sentence)
            elif small := _structured(paid_in if way == "in" else [], settings):
                part = sum(cash.cents for cash in small)
                sentence = (
                    f"{len(small)} small cash buy-ins by patron {memory.about} add up to "
                    f"{format_cents(part)}: watch for structuring"
                )
                yield _draft(memory.about, key, way, Level.P2, part, small, sentence)


def _structured(sales: list[CashMovement], settings: Settings) -> list[CashMovement]:
    """The small sales, if they add up to nearly the threshold."""
    small = [sale for sale in sales if sale.cents < settings.threshold("cash_sale_cents", sale.at)]
    total = sum(sale.cents for sale in small)
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
    tables = {cash.table for cash in moved}
    return Draft(
        kind=KIND,
        identity=f"{date}/{way}",
        level=level,
        sentence=sentence,
        rule=RULE,
        evidence=tuple(
            Evidence(
                at=cash.at,
                words=f"{format_cents(abs(cash.cents))} cash {way}",
                kind="cash",
                table=cash.table,
                first_seq=cash.seq,
                last_seq=cash.seq,
                entry_id=cash.entry_id,
                patron=patron,
            )
            for cash in moved
        ),
        table=tables.pop() if len(tables) == 1 else "",
        patron=patron,
        cents=cents,
        detail=f"{counted(len(moved), 'transaction')} in the gaming day {date}.",
    )
