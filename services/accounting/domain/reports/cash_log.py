"""The cash log: cash in and out by patron and gaming day, and who must be reported."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from typing import Final

from accounting.domain.reports.figures import DebitSale, Figures, PatronDay
from accounting.domain.reports.leaves import Leaf, Terms
from accounting.domain.reports.made import Cell, Period, drill, figure
from accounting.domain.reports.report import (
    Grid,
    Question,
    Report,
    ReportKind,
    capped,
    cents,
    count,
    text,
)
from blackjack.money import dollars
from blackjack.state_rules import (
    DEBIT_PATRON_CENTS_MAX,
    DEBIT_RULE,
    DEBIT_SALE_CENTS_MAX,
    DEBIT_WINDOW_US,
)

REPORT_CENTS: Final = 10_000_00
"""Cash in, or cash out, over this in a gaming day is reported (31 CFR 1021.311)."""

CASH_IN: Final[Terms] = ((Leaf.SOLD_CASH, 1),)
CASH_OUT: Final[Terms] = ((Leaf.CHIPS_REDEEMED, 1),)
LARGE: Final[Terms] = ((Leaf.SOLD_LARGE, 1), (Leaf.REDEEMED_LARGE, 1))
UNKNOWN: Final = "not known"
COLUMNS: Final = (
    text("day", "Gaming day"),
    text("patron", "Patron"),
    cents("cash_in", "Cash in"),
    cents("cash_out", "Cash out"),
    cents("debit", "Debit"),
    count("large", "Items over $3,000"),
    text("flag", "Report"),
    text("debit_limit", "Debit limit"),
)
OVER_SALE: Final = f"a sale over {dollars(DEBIT_SALE_CENTS_MAX)}"
OVER_DAY: Final = f"over {dollars(DEBIT_PATRON_CENTS_MAX)} in 24 hours"


def build(figures: Figures, question: Question) -> Report:
    grid = Grid(COLUMNS, added=("cash_in", "cash_out", "debit", "large"))
    large = Counter((item.day, item.patron) for item in figures.large)
    passed = passed_limits(figures.debits)
    for each in figures.patrons:
        here = passed.get((each.day, each.patron), [])
        over = ", ".join(dict.fromkeys(words for words, _ in here))
        cells = _row(each, question, large[each.day, each.patron])
        grid.add((each.day, each.patron or UNKNOWN), {**cells, "debit_limit": Cell(over)})
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
        grid.names,
        grid.totals({"day": Cell("total")}),
        (*notes, *capped([*lines, *(line for here in passed.values() for _, line in here)])),
    )


def passed_limits(sales: Iterable[DebitSale]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Which limit of debit sales was passed, and by what, by day and patron.

    A sale has a limit, and so has what a patron whose name is known buys at all tables within 24
    hours of it. Sales come by patron, in the order of time.
    """
    passed: dict[tuple[str, str], list[tuple[str, str]]] = {}
    recent: deque[DebitSale] = deque()
    for sale in sales:
        while recent and (
            recent[0].patron != sale.patron or sale.at - recent[0].at >= DEBIT_WINDOW_US
        ):
            recent.popleft()
        recent.append(sale)
        within = sum(each.cents for each in recent)
        breaches = []
        if sale.cents > DEBIT_SALE_CENTS_MAX:
            breaches.append((OVER_SALE, f"a debit sale of {dollars(sale.cents)}"))
        if sale.patron and within > DEBIT_PATRON_CENTS_MAX:
            breaches.append((OVER_DAY, f"{dollars(within)} by debit within 24 hours"))
        for words, what in breaches if sale.is_asked else ():
            line = f"{sale.day}, {sale.patron or 'a patron not known'}: {what} at {sale.table}"
            passed.setdefault((sale.day, sale.patron), []).append((words, f"{line} ({DEBIT_RULE})"))
    return passed


def _row(each: PatronDay, question: Question, large: int) -> dict[str, Cell]:
    period = Period(each.day, each.day)
    scope = {"patron": (each.patron,)} | question.scope
    flags = [
        words
        for words, leaf in (("cash in", Leaf.SOLD_CASH), ("cash out", Leaf.CHIPS_REDEEMED))
        if each.patron and each.sums[leaf] > REPORT_CENTS
    ]
    return {
        "day": Cell(each.day),
        "patron": Cell(each.patron or UNKNOWN),
        "cash_in": figure(each.sums, CASH_IN, period, scope),
        "cash_out": figure(each.sums, CASH_OUT, period, scope),
        "debit": figure(each.sums, ((Leaf.SOLD_DEBIT, 1),), period, scope),
        "large": Cell(large, drill(LARGE, period, scope)),
        "flag": Cell(", ".join(flags)),
    }


KIND: Final = ReportKind(
    "cash_log",
    "Cash log",
    "Cash in and out by patron, items over $3,000, who passes the line of a report, debit limits.",
    ("patrons", "large", "debits"),
    build,
)
