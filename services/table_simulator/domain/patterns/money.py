"""Cash near the reporting line, slips and boxes that do not tie."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from blackjack.facts import (
    ChipsSold,
    CreditSent,
    DropCounted,
    Fact,
    FillReceived,
    Tender,
)
from table_simulator.domain.faults.round_view import CannotPlant
from table_simulator.domain.patterns.floor_log import FloorLog
from table_simulator.domain.truth import Truth

STRUCTURED_CENTS = (2_900_00, 2_800_00, 2_700_00)
"""Each under $3,000; together $8,400, under the $10,000 of a report."""

REPORT_LINE_CENTS = 10_000_00
REPORTABLE_CENTS = (5_200_00, 5_100_00)
MISSING_BILLS = 5


def structuring(log: FloorLog) -> list[Truth]:
    return _raise_sales(log, "structuring", STRUCTURED_CENTS)


def cash_over_the_line(log: FloorLog) -> list[Truth]:
    """Over $10,000 in a gaming day, by two sales."""
    return _raise_sales(log, "cash over the line", REPORTABLE_CENTS)


def _raise_sales(log: FloorLog, name: str, cents: tuple[int, ...]) -> list[Truth]:
    """A patron's cash sales become these; whatever else he bought stays.

    Where the line must not be passed he has bought little else, at this table or another.
    """
    bought: Counter[str] = Counter()
    for table in log.tables:
        for event in log.events(table):
            if isinstance(event.fact, ChipsSold) and event.fact.tender is Tender.CASH:
                bought[event.fact.patron] += event.fact.cents
    rest_max = REPORT_LINE_CENTS - sum(cents)
    named = log.named()
    for table in log.shuffled_tables():
        if log.least_in_tray(table) < sum(cents):
            continue
        sales: dict[str, list[tuple[int, ChipsSold]]] = {}
        for place, fact in log.facts(table, ChipsSold):
            if fact.tender is Tender.CASH and fact.patron:
                sales.setdefault(fact.patron, []).append((place, fact))
        fitting = [
            patron
            for patron in sorted(sales)
            if len(sales[patron]) >= len(cents)
            and patron not in named
            and (rest_max < 0 or bought[patron] < rest_max)
        ]
        if not fitting:
            continue
        patron = log.rng.choice(fitting)
        chosen = sales[patron][: len(cents)]
        changes: dict[int, Fact] = {
            place: replace(fact, cents=new)
            for (place, fact), new in zip(chosen, cents, strict=True)
        }
        log.change(table, changes)
        numbers = [log.tables[table][place].event.seq for place, _ in chosen]
        return [
            Truth(
                name,
                table,
                first_seq=numbers[0],
                last_seq=numbers[-1],
                cents=sum(cents),
                patron=patron,
                tables=(table,),
                sizes={"sales": len(cents)},
            )
        ]
    raise CannotPlant


def slip_gap(log: FloorLog) -> list[Truth]:
    """A number of the series of slips is never used."""
    table, place, fact = _slip(log)
    head, _, number = fact.slip.rpartition("-")
    log.change(table, {place: replace(fact, slip=f"{head}-{int(number) + 1}")})
    return [_slip_truth(log, "slip gap", table, place)]


def signer_missing(log: FloorLog) -> list[Truth]:
    """Three people sign a slip that four must sign."""
    table, place, fact = _slip(log)
    log.change(table, {place: replace(fact, signers=fact.signers[:3])})
    return [_slip_truth(log, "signer missing", table, place)]


def _slip(log: FloorLog) -> tuple[str, int, FillReceived | CreditSent]:
    """The last slip of a series."""
    for table in log.shuffled_tables():
        fills, credits = log.facts(table, FillReceived), log.facts(table, CreditSent)
        for slips in (fills[-1:], credits[-1:]):
            for place, fact in slips:
                return table, place, fact
    raise CannotPlant


def _slip_truth(log: FloorLog, name: str, table: str, place: int) -> Truth:
    seq = log.tables[table][place].event.seq
    return Truth(name, table, first_seq=seq, last_seq=seq)


def drop_short(log: FloorLog) -> list[Truth]:
    """Bills are missing when the box is counted."""
    boxes = [
        (place, note, fact)
        for place, note in enumerate(log.cage)
        if isinstance(fact := note.fact, DropCounted)
        and fact.counts
        and fact.counts[0].count > MISSING_BILLS
    ]
    place, note, fact = log.choose(boxes)
    first = fact.counts[0]
    left = replace(first, count=first.count - MISSING_BILLS)
    log.cage[place] = note._replace(fact=replace(fact, counts=(left, *fact.counts[1:])))
    cents = MISSING_BILLS * first.denomination_cents
    return [Truth("drop short", fact.box.removeprefix("B-"), cents=cents)]
