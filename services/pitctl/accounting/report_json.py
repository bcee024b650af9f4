"""A report for programs: one object, a row an object by the keys of its columns."""

from __future__ import annotations

from typing import Any

from casino.accounting.v1.report_pb2 import ColumnKind, Report, ReportRow
from pitctl.output.json_out import fields_of
from report_forms.cells import for_programs


def as_object(report: Report) -> dict[str, Any]:
    """Cents, counts, millionths and thousandths are whole numbers, an empty cell is null.

    `drill` of a row has, by column, the key that `pitctl explain` takes.
    """
    fields = fields_of(report)
    return {
        **{name: fields[name] for name in ("name", "title", "property", "from_day", "until_day")},
        "is_final": report.is_final,
        "made_at": fields.get("made_at"),
        "columns": [
            {"key": column.key, "title": column.title, "kind": _kind(column.kind)}
            for column in report.columns
        ],
        "rows": [_row(report, row) for row in report.rows],
        "totals": _row(report, report.totals) if report.HasField("totals") else None,
        "notes": list(report.notes),
    }


def _row(report: Report, row: ReportRow) -> dict[str, Any]:
    cells = list(zip(row.cells, report.columns, strict=True))
    shown: dict[str, Any] = {column.key: for_programs(cell) for cell, column in cells}
    return {**shown, "drill": {column.key: cell.drill for cell, column in cells if cell.drill}}


def _kind(kind: ColumnKind.ValueType) -> str:
    return ColumnKind.Name(kind).removeprefix("COLUMN_KIND_").lower()
