"""Cash with no patron on record, at one seat of a table or at the cage.

One transaction over the reporting threshold with no identity on record is the worst case, not an
exempt one. Smaller ones at one table and seat may be one person's, who splits a larger amount.
From $3,000 on each is a line of the multiple-transaction log, which accounting keeps.
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
from surveillance.domain.detectors.reporting_line import RULE
from surveillance.domain.phrases import counted, place
from surveillance.domain.sightings import Sighting, UnnamedCash

KIND: Final = "cash.no_patron"


class UnnamedDay(Day):
    moved: list[UnnamedCash] = field(default_factory=list)


class UnnamedMemory(Daily[UnnamedDay]):
    pass


class UnnamedCashWatch(Detector[UnnamedMemory]):
    """About a seat; an alert for each transaction over the threshold, and one each for cash in and
    cash out that add up."""

    name = "unnamed_cash"
    kinds = frozenset({KIND})
    sees = frozenset({UnnamedCash})
    memory = UnnamedMemory

    def fold(self, memory: UnnamedMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        if not isinstance(sighting, UnnamedCash) or not sighting.cents:
            return ()
        # Nothing connects unidentified persons at the cage: only single transactions count there.
        if not sighting.table and not _is_over(sighting, settings):
            return ()
        day, gone = day_at(memory, sighting.gaming_day, sighting.at, UnnamedDay)
        if day is not None:
            day.moved.append(sighting)
        return (*gone, sighting.gaming_day)

    def judge(self, memory: UnnamedMemory, key: str, settings: Settings) -> Iterator[Draft]:
        day = memory.days.get(key)
        if day is None:
            return
        ordered = sorted(day.moved, key=lambda cash: (cash.at, cash.seq, cash.entry_id))
        for cash in ordered:
            if _is_over(cash, settings):
                yield _one(key, cash)
        for way in ("in", "out"):
            rest = [cash for cash in ordered if _way(cash) == way and not _is_over(cash, settings)]
            if (draft := _together(key, way, rest, settings)) is not None:
                yield draft


def _is_over(cash: UnnamedCash, settings: Settings) -> bool:
    return abs(cash.cents) > settings.threshold("cash_line_cents", cash.at)


def _way(cash: UnnamedCash) -> str:
    return "in" if cash.cents > 0 else "out"


def _one(date: str, cash: UnnamedCash) -> Draft:
    amount = format_cents(abs(cash.cents))
    sentence = f"{_cash_at(amount, cash)}: identify the patron"
    noted = f" Note: {cash.note}" if cash.note else ""
    detail = f"A currency transaction report is due. Gaming day {date}.{noted}"
    identity = f"{date}/{cash.entry_id or cash.seq}"
    return _draft(identity, Level.P1, abs(cash.cents), [cash], sentence, detail)


def _together(date: str, way: str, rest: list[UnnamedCash], settings: Settings) -> Draft | None:
    """Transactions that exceed the threshold, or come near it in small amounts, only together.

    Where no seat was recorded they may well be of several persons: a person decides that.
    """
    if len(rest) < 2:
        return None
    total = sum(abs(cash.cents) for cash in rest)
    if total > settings.threshold("cash_line_cents", rest[-1].at):
        level = Level.P1 if rest[0].seat else Level.P2
        sentence = f"{_cash_at(format_cents(total), rest[0])}: check whether it is one person"
        detail = (
            f"{counted(len(rest), 'transaction')} in the gaming day {date}, over the reporting "
            "threshold if they are one person's."
        )
        return _draft(f"{date}/{way}", level, total, rest, sentence, detail)
    small = [cash for cash in rest if cash.cents < settings.threshold("cash_sale_cents", cash.at)]
    part = sum(cash.cents for cash in small)
    if way == "out" or len(small) < 2:
        return None
    if part < settings.threshold("cash_near_cents", small[-1].at):
        return None
    sentence = f"{_cash_at(format_cents(part), rest[0])}: watch for structuring"
    detail = f"{len(small)} small buy-ins in the gaming day {date}."
    return _draft(f"{date}/{way}", Level.P2, part, small, sentence, detail)


def _cash_at(amount: str, cash: UnnamedCash) -> str:
    where = f"at {place(cash.table, cash.seat)}" if cash.table else "at the cage"
    not_recorded = ", seat not recorded" if cash.table and not cash.seat else ""
    return f"{amount} cash {_way(cash)} with no patron on record {where}{not_recorded}"


def _draft(
    identity: str, level: Level, cents: int, moved: list[UnnamedCash], sentence: str, detail: str
) -> Draft:
    return Draft(
        kind=KIND,
        identity=identity,
        level=level,
        sentence=sentence,
        rule=RULE,
        evidence=tuple(_evidence(cash) for cash in moved),
        table=moved[0].table,
        seat=moved[0].seat,
        cents=cents,
        detail=detail,
    )


def _evidence(cash: UnnamedCash) -> Evidence:
    noted = f", note: {cash.note}" if cash.note else ""
    return Evidence(
        at=cash.at,
        words=f"{format_cents(abs(cash.cents))} cash {_way(cash)}{noted}",
        kind="cash",
        table=cash.table,
        seat=cash.seat,
        first_seq=cash.seq,
        last_seq=cash.seq,
        entry_id=cash.entry_id,
    )
