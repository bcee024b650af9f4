"""Payout exceptions: every wager that was not paid as owed, and its disposition."""

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
from blackjack.display_names import wager_name
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
        f"Overpaid {format_cents(over)}, underpaid {format_cents(-under)}. The difference is from"
        " the house's point of view, negative where it paid too much; it includes stakes that were"
        " taken or left by mistake.",
        "Unobserved payments are not exceptions: see the reconciliation.",
    )
    totals = grid.totals({"day": ReportCell("total")})
    return Report(KIND.name, KIND.title, COLUMNS, grid.rows, grid.names, totals, notes)


def _row(some: list[PayoutError]) -> dict[str, ReportCell]:
    """The row of a wager, with the dealer's tip that was played with it."""
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
        "wager": ReportCell(wager_name(error.wager)),
        "patron": ReportCell(error.patron),
        "owed": figure(sums, ((Leaf.OWED, 1),), period, scope),
        "paid": figure(sums, ((Leaf.PAID, 1),), period, scope),
        "difference": figure(sums, leaves.PAYOUT_ERRORS, period, scope),
        "dealer": ReportCell(error.dealer),
        "supervisor": ReportCell(error.supervisor),
        "disposition": ReportCell(_disposition(some)),
    }


def _named(error: PayoutError, number: int) -> ReportCell:
    """A number that identifies the wager in its round."""
    fact = FactReference("round", error.day, error.at, error.table, error.round, error.opening_seq)
    words = f"round {error.round}"
    return by_formula(
        number, "from the round", Component(words, ReportCell(number), ValueKind.COUNT, fact)
    )


def _disposition(some: list[PayoutError]) -> str:
    if any(item.by_hand for item in some):
        return "manual entry"
    if not any(item.difference for item in some):
        first = sum(item.first for item in some)
        return f"corrected in version {some[0].version}, was {format_result(-first).text}"
    return "open"


KIND: Final = ReportKind(
    "payout_exceptions",
    "Payout exceptions",
    "Wagers that were not paid as owed, with dealer, supervisor and disposition.",
    ("errors",),
    build,
)
