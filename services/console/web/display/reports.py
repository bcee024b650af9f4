"""A report as rows that a page shows: every cell with its alignment and where it leads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from blackjack.money import Tone, format_result
from casino.accounting.v1.report_pb2 import Report, ReportColumn, ReportRow
from report_forms.cells import CENTS, TEXT, check, draft_notice, for_people, leading, totals_of

ALIGNED: Final = {TEXT: "text", CENTS: "cents"}


@dataclass(frozen=True, slots=True)
class ReportViewCell:
    text: str
    kind: str
    """text, cents or number: how it is aligned"""
    tone: Tone
    drill: str
    """Where it leads to what it is made of; empty where it does not."""


@dataclass(frozen=True, slots=True)
class ReportView:
    """A report, laid out."""

    report: Report
    titles: tuple[tuple[str, str], ...]
    rows: tuple[tuple[ReportViewCell, ...], ...]
    totals: tuple[tuple[ReportViewCell, ...], ...]
    leading: int
    """How many columns say what a row is about."""
    standing: str


def lay_out_report(report: Report) -> ReportView:
    check(report)
    return ReportView(
        report=report,
        titles=tuple((each.title, _kind(each)) for each in report.columns),
        rows=tuple(_cells(row, report) for row in report.rows),
        totals=tuple(_cells(row, report) for row in totals_of(report)),
        leading=leading(report.columns),
        standing=draft_notice(report),
    )


def explain_address(drill: str, title: str) -> str:
    return f"/explain?{urlencode({'drill': drill, 'title': title})}"


def _cells(row: ReportRow, report: Report) -> tuple[ReportViewCell, ...]:
    subject = next((each.text for each in row.cells if each.text), "")
    return tuple(
        ReportViewCell(
            text=for_people(cell, column),
            kind=_kind(column),
            tone=format_result(cell.number).tone if column.is_result else Tone.EVEN,
            drill=explain_address(cell.drill, f"{column.title}, {_about(row, report) or subject}")
            if cell.drill
            else "",
        )
        for cell, column in zip(row.cells, report.columns, strict=True)
    )


def _about(row: ReportRow, report: Report) -> str:
    named = zip(row.cells, report.columns, strict=True)
    words = [cell.text for cell, column in named if column.kind == TEXT and cell.text]
    return ", ".join(words[: max(1, leading(report.columns))])


def _kind(column: ReportColumn) -> str:
    return ALIGNED.get(column.kind, "number")
