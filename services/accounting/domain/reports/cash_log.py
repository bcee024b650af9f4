"""The cash log: cash in and out by patron and gaming day, and who must be reported."""

from __future__ import annotations

from collections import Counter
from typing import Final

from accounting.domain.reports.figures import Figures, PatronDay
from accounting.domain.reports.leaves import Leaf, Terms
from accounting.domain.reports.report import (
    Cell,
    Grid,
    Period,
    Question,
    Report,
    ReportKind,
    capped,
    cents,
    count,
    figure,
    text,
)
from blackjack.money import dollars

REPORT_CENTS: Final = 10_000_00
"""Cash in, or cash out, over this in a gaming day is reported (31 CFR 1021.311)."""

CASH_IN: Final[Terms] = ((Leaf.SOLD_CASH, 1),)
CASH_OUT: Final[Terms] = ((Leaf.CHIPS_REDEEMED, 1),)
COLUMNS: Final = (
    text("day", "Gaming day"),
    text("patron", "Patron"),
    cents("cash_in", "Cash in"),
    cents("cash_out", "Cash out"),
    cents("debit", "Debit"),
    count("large", "Items over $3,000"),
    text("flag", "Report"),
)


def build(figures: Figures, question: Question) -> Report:
    grid = Grid(COLUMNS, added=("cash_in", "cash_out", "debit", "large"))
    large = Counter((item.day, item.patron) for item in figures.large)
    for each in figures.patrons:
        grid.add(_row(each, question, large[each.day, each.patron]))
    lines = [
        f"{item.day}, {item.patron or 'a patron not known'}: {item.what} {dollars(item.cents)}"
        + (f" at {item.table}" if item.table else "")
        for item in figures.large
    ]
    notes = ["Chips turned into money at the cage count as cash out."]
    if any(not each.patron for each in figures.patrons):
        notes.append("Items of patrons who are not known stand in one row, and are never flagged.")
    return Report(
        KIND.name,
        KIND.title,
        COLUMNS,
        grid.rows,
        grid.totals({"day": Cell("total")}),
        (*notes, *capped(lines)),
    )


def _row(each: PatronDay, question: Question, large: int) -> dict[str, Cell]:
    period = Period(each.day, each.day)
    scope: dict[str, tuple[str, ...]] = {"patron": (each.patron,)}
    if question.table:
        scope["table"] = (question.table,)
    flags = [
        words
        for words, leaf in (("cash in", Leaf.SOLD_CASH), ("cash out", Leaf.CHIPS_REDEEMED))
        if each.patron and each.sums[leaf] > REPORT_CENTS
    ]
    return {
        "day": Cell(each.day),
        "patron": Cell(each.patron or "not known"),
        "cash_in": figure(each.sums, CASH_IN, period, scope),
        "cash_out": figure(each.sums, CASH_OUT, period, scope),
        "debit": figure(each.sums, ((Leaf.SOLD_DEBIT, 1),), period, scope),
        "large": Cell(large),
        "flag": Cell(", ".join(flags)),
    }


KIND: Final = ReportKind(
    "cash_log",
    "Cash log",
    "Cash in and out by patron, items over $3,000, and who passes the line of a report.",
    ("patrons", "large"),
    build,
)
