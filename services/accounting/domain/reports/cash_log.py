"""The cash log: cash in and out by patron and gaming day, with reporting flags.

It is also the multiple-transaction log: an item of $3,000 or more without a known patron has a
row of its own, with a description.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from typing import Final

from accounting.domain.checks import REPORT_CENTS
from accounting.domain.reports.composition import Period, ReportCell, drill, figure
from accounting.domain.reports.inputs import DebitSale, LargeTransaction, PatronDay, ReportInputs
from accounting.domain.reports.leaves import Leaf, Terms
from accounting.domain.reports.report import (
    Report,
    ReportKind,
    ReportQuery,
    ReportRows,
    capped,
    cents,
    count,
    text,
)
from blackjack.money import format_cents
from blackjack.rulebook.state_rules import (
    DEBIT_PATRON_CENTS_MAX,
    DEBIT_RULE,
    DEBIT_SALE_CENTS_MAX,
    DEBIT_WINDOW_US,
)

CASH_IN: Final[Terms] = ((Leaf.SOLD_CASH, 1),)
CASH_OUT: Final[Terms] = ((Leaf.CHIPS_REDEEMED, 1),)
LARGE: Final[Terms] = ((Leaf.SOLD_LARGE, 1), (Leaf.REDEEMED_LARGE, 1))
UNKNOWN: Final = "unknown"
COLUMNS: Final = (
    text("day", "Gaming day"),
    text("patron", "Patron"),
    text("description", "Description"),
    cents("cash_in", "Cash in"),
    cents("cash_out", "Cash out"),
    cents("debit", "Debit"),
    count("large", "Items of $3,000 or more"),
    text("flag", "Reportable"),
    text("debit_limit", "Debit limit exceeded"),
)
OVER_SALE: Final = f"sale over {format_cents(DEBIT_SALE_CENTS_MAX)}"
OVER_DAY: Final = f"over {format_cents(DEBIT_PATRON_CENTS_MAX)} in 24 hours"
NO_PATRON: Final = "no patron on record"


def build(inputs: ReportInputs, query: ReportQuery) -> Report:
    grid = ReportRows(COLUMNS, added=("cash_in", "cash_out", "debit", "large"))
    large = Counter((item.day, item.patron, item.item) for item in inputs.large)
    unnamed = {item.item: item for item in inputs.large if item.item}
    passed = passed_limits(inputs.debits)
    for patron_day in sorted(inputs.patrons, key=lambda row: _place(row, unnamed)):
        item = unnamed.get(patron_day.item)
        here = passed.get((patron_day.day, patron_day.patron), []) if item is None else []
        over = ", ".join(dict.fromkeys(words for words, _ in here))
        cells = _row(patron_day, query, large[patron_day.day, patron_day.patron, patron_day.item])
        described = ReportCell(describe(item) if item is not None else "")
        name = (
            patron_day.day,
            patron_day.patron or UNKNOWN,
            *((patron_day.item,) if item is not None else ()),
        )
        grid.add(name, {**cells, "description": described, "debit_limit": ReportCell(over)})
    lines = [
        f"{item.day}, {_who(item)}: {item.what} {format_cents(item.cents)}" for item in inputs.large
    ]
    notes = ["Chips redeemed at the cage count as cash out."]
    if any(not patron_day.patron for patron_day in inputs.patrons):
        notes.append(
            "Each item of $3,000 or more of an unknown patron has its own row, with a description."
            " Smaller items of a day share one row."
        )
    return Report(
        KIND.name,
        KIND.title,
        COLUMNS,
        grid.rows,
        grid.names,
        grid.totals({"day": ReportCell("total")}),
        (*notes, *capped([*lines, *(line for here in passed.values() for _, line in here)])),
    )


def describe(item: LargeTransaction) -> str:
    """Describe a transaction of an unknown patron: place, time and the note of the staff.

    >>> describe(LargeTransaction("2026-03-01", "", "BJ-11", "bought chips for", 500000, seat=2))
    'table BJ-11, seat 2'
    """
    seat = f"seat {item.seat}" if item.seat else "seat not recorded"
    place = f"table {item.table}, {seat}" if item.table else "cage"
    return ", ".join(filter(None, (place, item.when, item.note)))


def _who(item: LargeTransaction) -> str:
    if item.item:
        return f"unknown patron ({describe(item)})"
    return (item.patron or "unknown patron") + (f" at {item.table}" if item.table else "")


def _place(row: PatronDay, unnamed: Mapping[str, LargeTransaction]) -> tuple[str, str, int, str]:
    """Sort key: day and patron; rows without a patron in order of time."""
    return row.day, row.patron, unnamed[row.item].at if row.item in unnamed else -1, row.item


def passed_limits(sales: Iterable[DebitSale]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """The breaches of debit sale limits by day and patron, each with a line for the notes.

    One sale has a limit, and so have the purchases of a known patron at all tables within 24
    hours. Sales are ordered by patron and time.
    """
    passed: dict[tuple[str, str], list[tuple[str, str]]] = {}
    recent: deque[DebitSale] = deque()
    for sale in sales:
        while recent and (
            recent[0].patron != sale.patron or sale.at - recent[0].at >= DEBIT_WINDOW_US
        ):
            recent.popleft()
        recent.append(sale)
        within = sum(sale.cents for sale in recent)
        breaches = []
        if sale.cents > DEBIT_SALE_CENTS_MAX:
            breaches.append((OVER_SALE, f"debit sale of {format_cents(sale.cents)}"))
        if not sale.patron:
            breaches.append((NO_PATRON, f"debit sale of {format_cents(sale.cents)}, {NO_PATRON},"))
        elif within > DEBIT_PATRON_CENTS_MAX:
            breaches.append((OVER_DAY, f"{format_cents(within)} by debit within 24 hours"))
        for words, what in breaches if sale.is_in_range else ():
            line = f"{sale.day}, {sale.patron or 'unknown patron'}: {what} at {sale.table}"
            passed.setdefault((sale.day, sale.patron), []).append((words, f"{line} ({DEBIT_RULE})"))
    return passed


def _row(patron_day: PatronDay, query: ReportQuery, large: int) -> dict[str, ReportCell]:
    period = Period(patron_day.day, patron_day.day)
    unnamed = {} if patron_day.patron else {"item": (patron_day.item,)}
    scope = {"patron": (patron_day.patron,)} | unnamed | query.scope
    flags = [
        words
        for words, leaf in (("cash in", Leaf.SOLD_CASH), ("cash out", Leaf.CHIPS_REDEEMED))
        if (patron_day.patron or patron_day.item) and patron_day.sums[leaf] > REPORT_CENTS
    ]
    return {
        "day": ReportCell(patron_day.day),
        "patron": ReportCell(patron_day.patron or UNKNOWN),
        "cash_in": figure(patron_day.sums, CASH_IN, period, scope),
        "cash_out": figure(patron_day.sums, CASH_OUT, period, scope),
        "debit": figure(patron_day.sums, ((Leaf.SOLD_DEBIT, 1),), period, scope),
        "large": ReportCell(large, drill(LARGE, period, scope)),
        "flag": ReportCell(", ".join(flags)),
    }


KIND: Final = ReportKind(
    "cash_log",
    "Cash log",
    "Cash in and out by patron and day, reporting flags, debit limits; also the"
    " multiple-transaction log, with descriptions of unknown patrons.",
    ("patrons", "large", "debits"),
    build,
)
