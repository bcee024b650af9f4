"""A report for a spreadsheet: one line of titles, a line a row, the totals last.

UTF-8 with a mark in front, so that a spreadsheet does not guess; lines end as RFC 4180 has it.
"""

from __future__ import annotations

import csv
from io import StringIO
from typing import Final

from casino.accounting.v1.report_pb2 import Report
from report_forms.cells import SHARE, for_spreadsheets, harmless, totals_of

MARK: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"


def as_csv(report: Report) -> bytes:
    """All of it, as the bytes of a file."""
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
    """A share is written as a percent number: the title says so where it does not already.

    >>> _title("hold", SHARE), _title("hold %", SHARE)
    ('hold %', 'hold %')
    """
    return f"{title} %" if kind == SHARE and "%" not in title else title
