"""Payout exceptions: every wager that was not paid as owed, and what became of it."""

from __future__ import annotations

from typing import Final

from accounting.domain.reports import leaves
from accounting.domain.reports.composition import (
    Component,
    FactReference,
    Period,
    ReportCell,
    ValueKind,
    by_formula,
    figure,
)
from accounting.domain.reports.inputs import PayoutError, ReportInputs
from accounting.domain.reports.leaves import Leaf
from accounting.domain.reports.report import (
    Report,
    ReportKind,
    ReportQuery,
    ReportRows,
    cents,
    count,
    result,
    text,
)
from blackjack.money import format_cents, format_result

COLUMNS: Final = (
    text("day", "Gaming day"),
    text("table", "Table"),
    text("round", "Round"),
    count("seat", "Seat"),
    count("hand", "Hand"),
    text("wager", "Wager"),
    text("patron", "Patron"),
    cents("owed", "Winnings owed"),
    cents("paid", "Winnings paid"),
    result("difference", "Difference"),
    text("dealer", "Dealer"),
    text("supervisor", "Supervisor"),
    text("disposition", "Disposition"),
)


def build(figures: ReportInputs, _: ReportQuery) -> Report:
    grid = ReportRows(COLUMNS, added=("owed", "paid", "difference"))
    by_place: dict[tuple[str | int, ...], list[PayoutError]] = {}
    for each in figures.errors:
        key = (each.day, each.table, each.round, each.opening_seq, each.seat, each.hand, each.wager)
        by_place.setdefault(key, []).append(each)
    for name, some in by_place.items():
        grid.add(name, _row(some))
    over = sum(each.difference for each in figures.errors if each.difference > 0)
    under = sum(each.difference for each in figures.errors if each.difference < 0)
    notes = (
        f"Overpaid {format_cents(over)}, underpaid {format_cents(-under)}. Difference is the result"
        " for the house, negative where it paid too much: what was due against what moved, stakes"
        " that were wrongly taken or left among it.",
        "Payments that nobody saw are no exceptions: the reconciliation has them.",
    )
    totals = grid.totals({"day": ReportCell("total")})
    return Report(KIND.name, KIND.title, COLUMNS, grid.rows, grid.names, totals, notes)


def _row(some: list[PayoutError]) -> dict[str, ReportCell]:
    """A wager, and the tip for the dealer that was played with it."""
    each = some[0]
    difference = sum(one.difference for one in some)
    sums = {
        Leaf.OVERPAID: difference,
        Leaf.OWED: sum(one.owed for one in some),
        Leaf.PAID: sum(one.paid for one in some),
    }
    period = Period(each.day, each.day)
    scope: dict[str, tuple[str | int, ...]] = {
        "table": (each.table,),
        "round": (each.round,),
        "opening_seq": (each.opening_seq,),
        "seat": (each.seat,),
        "hand": (each.hand,),
        "wager": (each.wager,),
    }
    return {
        "day": ReportCell(each.day),
        "table": ReportCell(each.table),
        "round": ReportCell(each.round),
        "seat": _named(each, each.seat),
        "hand": _named(each, each.hand),
        "wager": ReportCell(each.wager),
        "patron": ReportCell(each.patron),
        "owed": figure(sums, ((Leaf.OWED, 1),), period, scope),
        "paid": figure(sums, ((Leaf.PAID, 1),), period, scope),
        "difference": figure(sums, leaves.PAYOUT_ERRORS, period, scope),
        "dealer": ReportCell(each.dealer),
        "supervisor": ReportCell(each.supervisor),
        "disposition": ReportCell(_disposition(some)),
    }


def _named(each: PayoutError, number: int) -> ReportCell:
    """A number that says which wager it is: the round has it."""
    fact = FactReference("round", each.day, each.at, each.table, each.round, each.opening_seq)
    words = f"round {each.round}"
    return by_formula(
        number, "as the round has it", Component(words, ReportCell(number), ValueKind.COUNT, fact)
    )


def _disposition(some: list[PayoutError]) -> str:
    if any(each.by_hand for each in some):
        return "entry by hand"
    if not any(each.difference for each in some):
        first = sum(each.first for each in some)
        return f"corrected in version {some[0].version}, was {format_result(-first).text}"
    return "open"


KIND: Final = ReportKind(
    "payout_exceptions",
    "Payout exceptions",
    "Wagers that were not paid as owed, with dealer, supervisor and what became of them.",
    ("errors",),
    build,
)
