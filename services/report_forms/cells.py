"""A cell of a report in each form.

The kind of the column is the unit of its numbers: cents, a count, millionths, thousandths. A cell
without a value is empty in every form, never zero.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from blackjack.money import format_cents
from casino.accounting.v1.report_pb2 import ColumnKind, Report, ReportCell, ReportColumn, ReportRow

TOTAL: Final = "Total"
TEXT: Final = ColumnKind.COLUMN_KIND_TEXT
CENTS: Final = ColumnKind.COLUMN_KIND_CENTS
COUNT: Final = ColumnKind.COLUMN_KIND_COUNT
SHARE: Final = ColumnKind.COLUMN_KIND_SHARE
NUMBER: Final = ColumnKind.COLUMN_KIND_NUMBER

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Beginnings of a text that a spreadsheet reads as a formula."""
_NUMBER: Final = re.compile(r"\s*(0\d[\d.,]*|\d{16,}|\d[\d.,]*[eE][+-]?\d+)\s*")
"""Texts of digits that a spreadsheet would turn into numbers: it would lose leading zeros, digits
after the fifteenth, or an `e` that it reads as a power of ten."""


class DamagedReport(ValueError):
    """An answer whose rows do not match its columns."""

    def __init__(self, *, row: int, cells: int, columns: int) -> None:
        super().__init__(f"Damaged report: row {row} has {cells} cells for {columns} columns.")
        self.row, self.cells, self.columns = row, cells, columns


def check(report: Report) -> None:
    """Raises `DamagedReport` unless every row has a cell for each column."""
    columns = len(report.columns)
    for number, row in enumerate((*report.rows, *totals_of(report)), start=1):
        if len(row.cells) != columns:
            raise DamagedReport(row=number, cells=len(row.cells), columns=columns)


def totals_of(report: Report) -> list[ReportRow]:
    """The row of totals, labeled in its first cell; empty if there is none."""
    if not report.HasField("totals") or not report.totals.cells:
        return []
    totals = ReportRow()
    totals.CopyFrom(report.totals)
    if report.columns and report.columns[0].kind == TEXT and not totals.cells[0].text:
        totals.cells[0].text = TOTAL
    return [totals]


def is_number(column: ReportColumn) -> bool:
    return column.kind != TEXT


def for_people(cell: ReportCell, column: ReportColumn) -> str:
    """Format for people: money with thousands separators, shares in percent.

    >>> for_people(ReportCell(number=-123450), ReportColumn(kind=CENTS))
    '-1,234.50'
    >>> for_people(ReportCell(number=12500), ReportColumn(kind=SHARE))
    '1.25%'
    >>> for_people(ReportCell(), ReportColumn(kind=CENTS))
    ''
    """
    if cell.WhichOneof("value") != "number":
        return cell.text
    if column.kind == CENTS:
        return format_cents(cell.number, currency=False)
    if column.kind == SHARE:
        return f"{decimal(_rounded(cell.number, 100), 2)}%"
    if column.kind == NUMBER:
        return decimal(cell.number, 3)
    return f"{cell.number:,}"


def for_spreadsheets(cell: ReportCell, column: ReportColumn) -> str:
    """Format for spreadsheets: plain exact numbers, and texts that are not read as formulas.

    >>> for_spreadsheets(ReportCell(number=-123450), ReportColumn(kind=CENTS))
    '-1234.50'
    >>> for_spreadsheets(ReportCell(number=12500), ReportColumn(kind=SHARE))
    '1.2500'
    >>> for_spreadsheets(ReportCell(text="=1+1"), ReportColumn(kind=TEXT))
    "'=1+1"
    """
    if cell.WhichOneof("value") != "number":
        return harmless(cell.text)
    places = {CENTS: 2, SHARE: 4, NUMBER: 3}
    return decimal(cell.number, places.get(column.kind, 0))


def harmless(text: str) -> str:
    """Prefix an apostrophe to a text that a spreadsheet would evaluate.

    >>> harmless("@SUM(A1)"), harmless("0012"), harmless("16e0857"), harmless("2026-03-01")
    ("'@SUM(A1)", "'0012", "'16e0857", '2026-03-01')
    """
    return f"'{text}" if text.startswith(_FORMULA) or _NUMBER.fullmatch(text) else text


def for_programs(cell: ReportCell) -> str | int | None:
    """The value as it is in the protobuf message."""
    held = cell.WhichOneof("value")
    return None if held is None else cell.number if held == "number" else cell.text


def decimal(number: int, places: int) -> str:
    """Format a whole number of parts as an exact decimal.

    >>> decimal(-5, 2), decimal(1960, 3), decimal(7, 0)
    ('-0.05', '1.960', '7')
    """
    if not places:
        return str(number)
    whole, rest = divmod(abs(number), 10**places)
    return f"{'-' if number < 0 else ''}{whole}.{rest:0{places}d}"


def _rounded(number: int, by: int) -> int:
    """Round half away from zero, as in accounting."""
    whole, rest = divmod(abs(number), by)
    whole += 2 * rest >= by
    return -whole if number < 0 else whole


def days_of(report: Report) -> str:
    """The gaming days of a report, in words.

    >>> days_of(Report(from_day="2026-03-01", until_day="2026-03-01"))
    'gaming day 2026-03-01'
    """
    last = report.until_day or report.from_day
    if not report.from_day:
        return f"until gaming day {last}" if last else ""
    if last == report.from_day:
        return f"gaming day {last}"
    return f"gaming days {report.from_day} to {last}"


def draft_notice(report: Report) -> str:
    """The notice on a report that may still change; empty for a final one."""
    if report.is_final:
        return ""
    is_one_day = report.until_day in ("", report.from_day)
    return f"not final: {'the day is not closed' if is_one_day else 'not every day is closed'}"


def leading(columns: Sequence[ReportColumn]) -> int:
    """The number of leading columns that identify a row: up to the last text before amounts.

    >>> kinds = (TEXT, COUNT, TEXT, COUNT, CENTS, TEXT)
    >>> leading([ReportColumn(kind=kind) for kind in kinds])
    3
    """
    amounts = (CENTS, SHARE, NUMBER)
    first = next((at for at, column in enumerate(columns) if column.kind in amounts), len(columns))
    words = [at for at, column in enumerate(columns[:first]) if column.kind == TEXT]
    return min(max(words, default=0) + 1, len(columns))
