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


def build(inputs: ReportInputs, _: ReportQuery) -> Report:
    grid = ReportRows(COLUMNS, added=("owed", "paid", "difference"))
    by_place: dict[tuple[str | int, ...], list[PayoutError]] = {}
    for error in inputs.errors:
        key = (
            error.day,
            error.table,
            error.round,
            error.opening_seq,
            error.seat,
            error.hand,
            error.wager,
        )
        by_place.setdefault(key, []).append(error)
    for name, some in by_place.items():
        grid.add(name, _row(some))
    over = sum(error.difference for error in inputs.errors if error.difference > 0)
    under = sum(error.difference for error in inputs.errors if error.difference < 0)
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
    error = some[0]
    difference = sum(one.difference for one in some)
    sums = {
        Leaf.OVERPAID: difference,
        Leaf.OWED: sum(one.owed for one in some),
        Leaf.PAID: sum(one.paid for one in some),
    }
    period = Period(error.day, error.day)
    scope: dict[str, tuple[str | int, ...]] = {
        "table": (error.table,),
        "round": (error.round,),
        "opening_seq": (error.opening_seq,),
        "seat": (error.seat,),
        "hand": (error.hand,),
        "wager": (error.wager,),
    }
    return {
        "day": ReportCell(error.day),
        "table": ReportCell(error.table),
        "round": ReportCell(error.round),
        "seat": _named(error, error.seat),
        "hand": _named(error, error.hand),
        "wager": ReportCell(error.wager),
        "patron": ReportCell(error.patron),
        "owed": figure(sums, ((Leaf.OWED, 1),), period, scope),
        "paid": figure(sums, ((Leaf.PAID, 1),), period, scope),
        "difference": figure(sums, leaves.PAYOUT_ERRORS, period, scope),
        "dealer": ReportCell(error.dealer),
        "supervisor": ReportCell(error.supervisor),
        "disposition": ReportCell(_disposition(some)),
    }


def _named(error: PayoutError, number: int) -> ReportCell:
    """A number that says which wager it is: the round has it."""
    fact = FactReference("round", error.day, error.at, error.table, error.round, error.opening_seq)
    words = f"round {error.round}"
    return by_formula(
        number, "as the round has it", Component(words, ReportCell(number), ValueKind.COUNT, fact)
    )


def _disposition(some: list[PayoutError]) -> str:
    if any(item.by_hand for item in some):
        return "entry by hand"
    if not any(item.difference for item in some):
        first = sum(item.first for item in some)
        return f"corrected in version {some[0].version}, was {format_result(-first).text}"
    return "open"


KIND: Final = ReportKind(
    "payout_exceptions",
    "Payout exceptions",
    "Wagers that were not paid as owed, with dealer, supervisor and what became of them.",
    ("errors",),
    build,
)
