"""The reconciliation of the floor, and what became of every cent that was planted, for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from casino.accounting.v1.report_pb2 import Report, ReportRow
from deploy.demo.offices import Refusal
from deploy.demo.reconciled import Explanation, Reconciled
from pitctl.books.report_table import print_report
from pitctl.text import Page, amount, counted, plain

SAID_OF_EACH: Final = ("day",)
"""Columns that say the same in every row of a floor that played on one day."""


def print_reconciliation(page: Page, report: Report) -> None:
    """As `pitctl report` prints it, without the columns that have nothing to say."""
    print_report(page, told(report))


def told(report: Report) -> Report:
    """The columns in which something stands; notes are told by what was planted."""
    kept = [
        place
        for place, column in enumerate(report.columns)
        if _says_something(report, place)
        and not (column.key in SAID_OF_EACH and report.from_day == report.until_day)
    ]
    short = Report()
    short.CopyFrom(report)
    for name in ("columns", "rows", "totals", "notes"):
        short.ClearField(name)
    short.columns.extend(report.columns[place] for place in kept)
    short.rows.extend(_cut(row, kept) for row in report.rows)
    short.totals.CopyFrom(_cut(report.totals, kept))
    return short


def _says_something(report: Report, place: int) -> bool:
    return any(row.cells[place].text or row.cells[place].number for row in report.rows)


def _cut(row: ReportRow, kept: Iterable[int]) -> ReportRow:
    return ReportRow(cells=[row.cells[place] for place in kept])


def print_explanations(page: Page, reconciled: Reconciled) -> None:
    """A line for each loss, then one sentence, then whatever is not as it should be."""
    explained = sorted(
        reconciled.explanations, key=lambda each: (each.loss.place, each.loss.table, each.loss.what)
    )
    page.table(
        ("planted in money", "table", "round", "house lost", "in the books"),
        [_row(each) for each in explained],
        indent=0,
        align="lllrl",
        styles=["bold red" if each.problem else "" for each in explained],
    )
    page.blank()
    proved = [each for each in explained if each.loss.is_proved and not each.problem]
    left = [each for each in explained if not each.loss.is_proved and not each.problem]
    page.line(
        f"{len(explained)} planted in money: {len(proved)} explained to the cent, {len(left)} that "
        f"nothing in the log accounts for; {counted(len(reconciled.surplus), 'other difference')}",
    )
    for each in explained:
        if each.problem:
            where = f"{each.loss.what} at {each.loss.table}"
            page.line((plain(f"{where}: {each.problem}"), "bold red"), indent=2, hang=2)
    for line in reconciled.surplus:
        page.line((plain(line), "bold red"), indent=2, hang=2)


def _row(explanation: Explanation) -> tuple[str, ...]:
    loss = explanation.loss
    return loss.what, loss.table, loss.round, amount(loss.cents), explanation.words


def print_refusals(page: Page, refusals: Iterable[Refusal]) -> None:
    for each in refusals:
        style = "" if each.is_planted else "bold red"
        page.line((plain(f"refused   {each.what}: {each.reason}"), style), indent=2, hang=12)
