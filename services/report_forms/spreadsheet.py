"""A report as CSV for spreadsheets: a header row, the rows, the totals last.

UTF-8 with a byte order mark, so that a spreadsheet recognizes it; lines end as in RFC 4180.
"""

from __future__ import annotations

import csv
from io import StringIO
from typing import Final

from casino.accounting.v1.report_pb2 import Report
from report_forms.cells import SHARE, for_spreadsheets, harmless, totals_of

MARK: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"


def as_csv(report: Report) -> bytes:
    """The whole report as the bytes of a CSV file."""
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(harmless(_title(column.title, column.kind)) for column in report.columns)
    for row in (*report.rows, *totals_of(report)):
        writer.writerow(
            for_spreadsheets(cell, column)
            for cell, column in zip(row.cells, report.columns, strict=True)
        )
    return f"{MARK}{text.getvalue()}".encode()


def _title(title: str, kind: int) -> str:
    """The heading of a column; that of a share has a percent sign.

    >>> _title("hold", SHARE), _title("hold %", SHARE)
    ('hold %', 'hold %')
    """
    return f"{title} %" if kind == SHARE and "%" not in title else title
