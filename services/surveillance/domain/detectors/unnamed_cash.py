"""Cash of patrons whose name nobody took, at one seat of a table or at the cage.

One transaction over the reporting line with no identity on record is the worst case, not an exempt
one. Smaller ones at one table and seat may be one person's, who is cutting a larger amount to
pieces. From $3,000 on each is a line of the multiple-transaction log, which accounting keeps.
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
from surveillance.domain.sightings import Sighting, UnnamedCash

KIND: Final = "cash.no_patron"


class UnnamedDay(Day):
    moved: list[UnnamedCash] = field(default_factory=list)


class UnnamedMemory(Daily[UnnamedDay]):
    pass


class UnnamedCashWatch(Detector[UnnamedMemory]):
    """About a seat; an alert for each transaction over the line, and one each for cash in and out
    that add up."""

    name = "unnamed_cash"
    kinds = frozenset({KIND})
    sees = frozenset({UnnamedCash})
    memory = UnnamedMemory

    def fold(self, memory: UnnamedMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        if not isinstance(sighting, UnnamedCash) or not sighting.cents:
            return ()
        # Nothing ties strangers at the cage together: of them only what stands alone counts.
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
    amount, way = format_cents(abs(cash.cents)), _way(cash)
    noted = f" (noted: {cash.note})" if cash.note else ""
    sentence = (
        f"{amount} cash {way} with no patron on record, {_place(cash)}, gaming day {date}{noted}: "
        "identify the patron, a currency transaction report is due."
    )
    identity = f"{date}/{cash.entry_id or cash.seq}"
    return _draft(identity, Level.P1, abs(cash.cents), [cash], sentence)


def _together(date: str, way: str, rest: list[UnnamedCash], settings: Settings) -> Draft | None:
    """Transactions that pass the line, or come near it in small pieces, only if added up.

    Where no seat was recorded they may well be several persons': that is for a person to see.
    """
    if len(rest) < 2:
        return None
    total = sum(abs(cash.cents) for cash in rest)
    if total > settings.threshold("cash_line_cents", rest[-1].at):
        level = Level.P1 if rest[0].seat else Level.P2
        sentence = (
            f"{format_cents(total)} cash {way} in {len(rest)} transactions with no patron on "
            f"record, {_place(rest[0])}, gaming day {date}: over the reporting line if it is one "
            "person."
        )
        return _draft(f"{date}/{way}", level, total, rest, sentence)
    small = [cash for cash in rest if cash.cents < settings.threshold("cash_sale_cents", cash.at)]
    part = sum(cash.cents for cash in small)
    if way == "out" or len(small) < 2:
        return None
    if part < settings.threshold("cash_near_cents", small[-1].at):
        return None
    sentence = (
        f"{format_cents(part)} cash in by {len(small)} small purchases with no patron on record, "
        f"{_place(rest[0])}, gaming day {date}: watch for structuring."
    )
    return _draft(f"{date}/{way}", Level.P2, part, small, sentence)


def _place(cash: UnnamedCash) -> str:
    if not cash.table:
        return "at the cage"
    return f"table {cash.table}, " + (f"seat {cash.seat}" if cash.seat else "seat not recorded")


def _draft(
    identity: str, level: Level, cents: int, moved: list[UnnamedCash], sentence: str
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
    )


def _evidence(cash: UnnamedCash) -> Evidence:
    noted = f", noted: {cash.note}" if cash.note else ""
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
