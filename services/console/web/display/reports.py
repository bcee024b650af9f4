"""A report as rows of a page: every cell with alignment, color and drill-down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from blackjack.money import Tone, format_result
from casino.accounting.v1.report_pb2 import Report, ReportCell, ReportColumn, ReportRow
from console.web.display.labels import account_name
from report_forms.cells import CENTS, TEXT, check, draft_notice, for_people, leading, totals_of

ACCOUNT: Final = "account"
"""The column of account codes, which pages show by name."""
ALIGNED: Final = {TEXT: "text", CENTS: "cents"}


@dataclass(frozen=True, slots=True)
class ReportViewCell:
    text: str
    kind: str
    """text, cents or number: its alignment"""
    tone: Tone
    drill: str
    """The address of the entries behind the value; empty without drill-down."""


@dataclass(frozen=True, slots=True)
class ReportView:
    """A report, laid out for a page."""

    report: Report
    titles: tuple[tuple[str, str], ...]
    rows: tuple[tuple[ReportViewCell, ...], ...]
    totals: tuple[tuple[ReportViewCell, ...], ...]
    leading: int
    """The number of columns that name the subject of a row."""
    status: str
    """"not final" and why, or empty."""


def lay_out_report(report: Report) -> ReportView:
    """Lay a report out; raises an error if its rows and columns do not match."""
    check(report)
    return ReportView(
        report=report,
        titles=tuple((column.title, _alignment(column)) for column in report.columns),
        rows=tuple(_cells(row, report) for row in report.rows),
        totals=tuple(_cells(row, report) for row in totals_of(report)),
        leading=leading(report.columns),
        status=draft_notice(report),
    )


def explain_address(drill: str, title: str) -> str:
    """The page with the entries behind an amount."""
    return f"/explain?{urlencode({'drill': drill, 'title': title})}"


def _cells(row: ReportRow, report: Report) -> tuple[ReportViewCell, ...]:
    pairs = zip(row.cells, report.columns, strict=True)
    subject = next((_text(cell, column) for cell, column in pairs if cell.text), "")
    return tuple(
        ReportViewCell(
            text=_text(cell, column),
            kind=_alignment(column),
            tone=format_result(cell.number).tone if column.is_result else Tone.EVEN,
            drill=explain_address(cell.drill, f"{column.title}, {_subject(row, report) or subject}")
            if cell.drill
            else "",
        )
        for cell, column in zip(row.cells, report.columns, strict=True)
    )


def _subject(row: ReportRow, report: Report) -> str:
    pairs = zip(row.cells, report.columns, strict=True)
    texts = [_text(cell, column) for cell, column in pairs if column.kind == TEXT and cell.text]
    return ", ".join(texts[: max(1, leading(report.columns))])


def _text(cell: ReportCell, column: ReportColumn) -> str:
    return account_name(cell.text) if column.key == ACCOUNT else for_people(cell, column)


def _alignment(column: ReportColumn) -> str:
    return ALIGNED.get(column.kind, "number")
