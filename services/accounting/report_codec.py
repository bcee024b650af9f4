"""Reports from values to the wire, and drills to tokens and back."""

from __future__ import annotations

from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from accounting.domain.reports.report import Cell, Drill, Kind, Question, Report, Row
from casino.accounting.v1 import report_pb2
from runtime.rpc.paging import decode, encode

_KINDS: Final = {
    Kind.TEXT: report_pb2.COLUMN_KIND_TEXT,
    Kind.CENTS: report_pb2.COLUMN_KIND_CENTS,
    Kind.COUNT: report_pb2.COLUMN_KIND_COUNT,
    Kind.SHARE: report_pb2.COLUMN_KIND_SHARE,
    Kind.NUMBER: report_pb2.COLUMN_KIND_NUMBER,
}


def write_report(
    report: Report, question: Question, *, property_name: str, made_at: Timestamp, is_final: bool
) -> report_pb2.Report:
    return report_pb2.Report(
        name=report.name,
        title=report.title,
        property=property_name,
        from_day=question.period.from_day,
        until_day=question.period.until_day,
        columns=[
            report_pb2.ReportColumn(key=each.key, title=each.title, kind=_KINDS[each.kind])
            for each in report.columns
        ],
        rows=map(_row, report.rows),
        totals=_row(report.totals) if report.totals else None,
        notes=report.notes,
        made_at=made_at,
        is_final=is_final,
    )


def _row(row: Row) -> report_pb2.ReportRow:
    return report_pb2.ReportRow(cells=map(_cell, row))


def _cell(cell: Cell) -> report_pb2.ReportCell:
    drill = encode(cell.drill) if cell.drill is not None else ""
    if isinstance(cell.value, str):
        return report_pb2.ReportCell(text=cell.value, drill=drill)
    if cell.value is None:
        return report_pb2.ReportCell(drill=drill)
    return report_pb2.ReportCell(number=cell.value, drill=drill)


def read_drill(token: str) -> Drill:
    return decode("drill", token, Drill)
