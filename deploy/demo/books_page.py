"""Prints the reconciliation of the floor, and where the books show every planted cent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from blackjack.money import format_cents
from casino.accounting.v1.report_pb2 import Report, ReportRow
from deploy.demo.in_books import BooksStatement
from deploy.demo.money import Place
from deploy.demo.offices import EntryRejection
from deploy.demo.reconciled import BooksComparison, Explanation
from pitctl.accounting.report_table import print_report
from pitctl.output.text import Page, count_noun, escape

LEFT_OUT: Final = frozenset(
    {
        "day", "promotion_cost", "expected_closer", "undetermined_least", "undetermined_most",
        "entered", "other_day", "by_hand", "error_slip", "incomplete",
    }
)  # fmt: skip
"""Columns of the reconciliation that are left out here where they are empty or explain no
difference; `pitctl report` prints them."""
SHORT_TITLES: Final = {"undetermined": "Not judged"}
PLACES: Final = tuple(Place)


def print_reconciliation(page: Page, report: Report) -> None:
    """Print it as `pitctl report` does, with fewer columns and without the notes."""
    print_report(page, short(report))


def short(report: Report) -> Report:
    kept = [
        place
        for place, column in enumerate(report.columns)
        if column.key not in LEFT_OUT or _explains(report, place)
    ]
    short = Report()
    short.CopyFrom(report)
    for name in ("columns", "rows", "totals", "notes"):
        short.ClearField(name)
    short.columns.extend(report.columns[place] for place in kept)
    for column in short.columns:
        column.title = SHORT_TITLES.get(column.key, column.title)
    short.rows.extend(_cut(row, kept) for row in report.rows)
    short.totals.CopyFrom(_cut(report.totals, kept))
    return short


def _explains(report: Report, place: int) -> bool:
    """Whether the column is a cause of a difference or a manual entry, and is not empty."""
    if report.columns[place].key == "day":
        return report.from_day != report.until_day
    causes = ("entered", "other_day", "by_hand", "error_slip", "incomplete")
    is_cause = report.columns[place].key in causes
    return is_cause and any(row.cells[place].number for row in report.rows)


def _cut(row: ReportRow, kept: Iterable[int]) -> ReportRow:
    return ReportRow(cells=[row.cells[place] for place in kept])


def print_explanations(page: Page, reconciled: BooksComparison) -> None:
    """A line for each loss, then a summary, then the differences from the plan in red."""
    explained = sorted(
        reconciled.explanations,
        key=lambda each: (PLACES.index(each.loss.place), each.loss.table, each.loss.round),
    )
    page.table(
        ("planted", "table", "round", "house lost", "shown in the books as"),
        [_row(explanation) for explanation in explained],
        indent=0,
        align="lllrl",
        styles=[_style(explanation) for explanation in explained],
    )
    page.blank()
    right = [explanation for explanation in explained if not explanation.problem]
    left = [explanation for explanation in right if not explanation.is_explained]
    page.line(
        f"{count_noun(len(explained), 'planted difference')}: {len(right) - len(left)} explained "
        f"to the cent, {len(left)} unexplained as planned; "
        f"{count_noun(len(reconciled.surplus), 'unplanned difference')}",
    )
    for explanation in explained:
        if explanation.problem:
            where = f"{explanation.loss.what} at {explanation.loss.table}"
            page.line((escape(f"{where}: {explanation.problem}"), "bold red"), indent=2, hang=2)
    for line in reconciled.surplus:
        page.line((escape(line), "bold red"), indent=2, hang=2)


def _style(explanation: Explanation) -> str:
    if explanation.problem:
        return "bold red"
    return "" if explanation.is_explained else "yellow"


def _row(explanation: Explanation) -> tuple[str, ...]:
    loss = explanation.loss
    return (
        loss.what,
        loss.table,
        loss.round,
        format_cents(loss.cents, currency=False),
        explanation.words,
    )


def print_rejections(page: Page, rejections: Iterable[EntryRejection]) -> None:
    for rejection in rejections:
        style = "" if rejection.is_planted else "bold red"
        page.line(
            (escape(f"rejected  {rejection.what}: {rejection.reason}"), style), indent=2, hang=12
        )


def print_remarks(page: Page, remarks: Iterable[str]) -> None:
    for remark in remarks:
        page.line(escape(f"remark    {remark}"), indent=2, hang=12)


def print_statements(page: Page, statements: Sequence[BooksStatement]) -> None:
    """Print the evidence in the books for faults that no table's log can decide."""
    page.table(
        ("planted", "about", "shown in the books as"),
        [
            (statement.fault, statement.about, statement.words or "nothing")
            for statement in statements
        ],
        indent=0,
        styles=["" if statement.words else "bold red" for statement in statements],
    )
