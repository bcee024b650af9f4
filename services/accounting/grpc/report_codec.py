"""Reports as protobuf, and drill-down tokens."""

from __future__ import annotations

from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp
from msgspec import Struct

from accounting.domain.reports.composition import DrillQuery, ReportCell, ValueKind, Values
from accounting.domain.reports.report import Report, ReportQuery, Row
from casino.accounting.v1 import report_pb2
from runtime.rpc.page_tokens import decode, encode

KINDS: Final = {
    ValueKind.TEXT: report_pb2.COLUMN_KIND_TEXT,
    ValueKind.CENTS: report_pb2.COLUMN_KIND_CENTS,
    ValueKind.COUNT: report_pb2.COLUMN_KIND_COUNT,
    ValueKind.SHARE: report_pb2.COLUMN_KIND_SHARE,
    ValueKind.NUMBER: report_pb2.COLUMN_KIND_NUMBER,
}


class FigurePath(Struct, frozen=True, array_like=True):
    """The path to an amount in a report: its row (empty: totals), column and nested parts."""

    report: str
    from_day: str
    until_day: str
    table: str
    preset: str
    row: Values
    column: str
    path: tuple[str, ...] = ()

    def within(self, words: str) -> FigurePath:
        return FigurePath(
            self.report, self.from_day, self.until_day, self.table, self.preset, self.row,
            self.column, (*self.path, words),
        )  # fmt: skip


class DrillToken(Struct, frozen=True, array_like=True):
    """The content of a drill-down token: one of the two."""

    facts: DrillQuery | None
    place: FigurePath | None


def write_report(
    report: Report, query: ReportQuery, *, property_name: str, made_at: Timestamp, is_final: bool
) -> report_pb2.Report:
    return report_pb2.Report(
        name=report.name,
        title=report.title,
        property=property_name,
        from_day=query.period.from_day,
        until_day=query.period.until_day,
        columns=[
            report_pb2.ReportColumn(
                key=column.key,
                title=column.title,
                kind=KINDS[column.kind],
                is_result=column.is_result,
            )
            for column in report.columns
        ],
        rows=[
            _row(report, query, name, row)
            for name, row in zip(report.names, report.rows, strict=True)
        ],
        totals=_row(report, query, (), report.totals) if report.totals else None,
        notes=report.notes,
        made_at=made_at,
        is_final=is_final,
    )


def _row(report: Report, query: ReportQuery, name: Values, row: Row) -> report_pb2.ReportRow:
    period = query.period
    return report_pb2.ReportRow(
        cells=[
            write_cell(
                cell,
                FigurePath(
                    report.name, period.from_day, period.until_day, query.table,
                    query.preset, name, column.key,
                ),
            )
            for cell, column in zip(row, report.columns, strict=True)
        ]
    )  # fmt: skip


def write_cell(cell: ReportCell, place: FigurePath) -> report_pb2.ReportCell:
    drill = ""
    if cell.drill is not None:
        drill = encode(DrillToken(cell.drill, None))
    elif cell.made is not None:
        drill = encode(DrillToken(None, place))
    if isinstance(cell.value, str):
        return report_pb2.ReportCell(text=cell.value, drill=drill)
    if cell.value is None:
        return report_pb2.ReportCell(drill=drill)
    return report_pb2.ReportCell(number=cell.value, drill=drill)


def read_drill(token: str) -> DrillToken:
    return decode("drill", token, DrillToken)
