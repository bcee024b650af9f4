"""Cash of patrons whose name was not recorded: over the reporting line at once, or in pieces."""

from __future__ import annotations

from msgspec.structs import replace

from blackjack.facts import ChipsSold, Fact, Tender
from table_simulator.domain.faults.round_view import CannotPlant
from table_simulator.domain.patterns.floor_log import FloorLog
from table_simulator.domain.patterns.money import STRUCTURED_CENTS
from table_simulator.domain.truth import Truth

OVER_THE_LINE_CENTS = (10_500_00,)
REST_CENTS_MAX = 1_000_00
"""Other purchases of unknown patrons at the seat: with them the pieces stay under the threshold."""

NOTE = "man in his forties, red cap"


def cash_over_the_line(log: FloorLog) -> list[Truth]:
    """One cash sale over $10,000, to an unknown patron."""
    return _forget_names(log, "anonymous cash over the line", OVER_THE_LINE_CENTS)


def structuring(log: FloorLog) -> list[Truth]:
    """Cash sales under $3,000 at one seat that add up to $8,400, to an unknown patron."""
    return _forget_names(log, "anonymous structuring", STRUCTURED_CENTS)


def _forget_names(log: FloorLog, name: str, cents: tuple[int, ...]) -> list[Truth]:
    """The first cash sales at a seat become these, with a description instead of a name."""
    for table in log.shuffled_tables():
        if log.least_in_tray(table) < sum(cents):
            continue
        sales = _sales_by_seat(log, table)
        fitting = [
            seat
            for seat, made in sorted(sales.items())
            if len(made) >= len(cents) and _rest_cents(log, table, seat) <= REST_CENTS_MAX
        ]
        if not fitting:
            continue
        seat = log.rng.choice(fitting)
        chosen = sales[seat][: len(cents)]
        changes: dict[int, Fact] = {
            place: replace(sale, cents=new, patron="", note=NOTE)
            for (place, sale), new in zip(chosen, cents, strict=True)
        }
        log.change(table, changes)
        numbers = [log.tables[table][place].event.seq for place, _ in chosen]
        return [
            Truth(
                name,
                table,
                seat=seat,
                first_seq=numbers[0],
                last_seq=numbers[-1],
                cents=sum(cents),
                tables=(table,),
                sizes={"sales": len(cents)},
            )
        ]
    raise CannotPlant


def _sales_by_seat(log: FloorLog, table: str) -> dict[int, list[tuple[int, ChipsSold]]]:
    """Cash sales of patrons whom no truth is about, and at seats that none is about."""
    named = log.named()
    seats = {truth.seat for truth in log.truths if truth.table == table and truth.seat}
    sales: dict[int, list[tuple[int, ChipsSold]]] = {}
    for place, sale in log.facts(table, ChipsSold):
        fits = sale.tender is Tender.CASH and sale.patron not in named
        if fits and sale.seat and sale.seat not in seats:
            sales.setdefault(sale.seat, []).append((place, sale))
    return sales


def _rest_cents(log: FloorLog, table: str, seat: int) -> int:
    """Purchases of unknown patrons at the seat so far."""
    return sum(
        event.fact.cents
        for event in log.events(table)
        if isinstance(event.fact, ChipsSold)
        and (event.fact.seat, event.fact.patron) == (seat, "")
        and event.fact.tender is Tender.CASH
    )
