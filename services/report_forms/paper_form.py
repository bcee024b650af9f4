"""A report as PDF for signature: title, draft notice, rows, notes, signatures.

The page is in landscape if the columns need it; a wider table is split into parts that repeat the
columns which identify a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Final

import msgspec

import paper
from casino.accounting.v1.report_pb2 import Report
from paper import Align, Document, PrintedColumn, PrintedTable, TableRow
from report_forms.cells import (
    days_of,
    draft_notice,
    for_people,
    is_number,
    leading,
    totals_of,
)

ISSUER: Final = "Pitledger"
EMPTY: Final = "Nothing to report."
STATEMENT: Final = "I have reviewed the amounts above and their notes."


def as_pdf(report: Report) -> bytes:
    """The bytes of the PDF; the same report gives the same bytes."""
    file = BytesIO()
    paper.write_pdf(file, as_document(report))
    return file.getvalue()


def as_document(report: Report) -> Document:
    """The report as a document: portrait if the columns fit, else landscape."""
    title = report.title or report.name
    upright = Document(
        title=title,
        issuer=report.property or ISSUER,
        subtitle=tuple(filter(None, (_capital(days_of(report)), _made(report)))),
        subject=f"{report.name}, {days_of(report)}",
        running=", ".join(filter(None, (title, days_of(report), draft_notice(report)))),
        blocks=(),
    )
    table = _table(report, range(len(report.columns)))
    turned = paper.width_of(table) > paper.room_of(upright)
    sheet = msgspec.structs.replace(upright, is_landscape=turned)
    parts = _parts(report, paper.room_of(sheet))
    return msgspec.structs.replace(sheet, blocks=tuple(_blocks(report, parts)))


def _blocks(report: Report, parts: Sequence[PrintedTable]) -> Iterator[paper.Block]:
    if status := draft_notice(report):
        yield paper.Notice(f"{_capital(status)}.")
    notes = [paper.Paragraph(note, small=True) for note in report.notes]
    ending: tuple[paper.Block, ...] = (*notes, paper.Signatures(statement=STATEMENT))
    headings = [
        paper.Heading(f"Columns, part {number} of {len(parts)}", level=3)
        for number in range(1, len(parts) + 1)
    ]
    for heading, part in zip(headings[:-1], parts[:-1], strict=True):
        yield paper.LastTable(part, (), heading)
    yield paper.LastTable(parts[-1], ending, headings[-1] if len(parts) > 1 else None)


def _parts(report: Report, room: float) -> list[PrintedTable]:
    """Split a report into the fewest tables that fit beside the leading columns, about equally
    wide."""
    everything = range(len(report.columns))
    if _fits(report, everything, room):
        return [_table(report, everything)]
    repeated = leading(report.columns)
    while repeated > 1 and 2 * paper.width_of(_table(report, range(repeated))) > room:
        repeated -= 1
    columns = len(everything) - repeated
    parts = _broken(report, room, repeated, columns)
    for most in range(-(-columns // len(parts)), columns):
        even = _broken(report, room, repeated, most)
        if len(even) == len(parts):
            parts = even
            break
    return [_table(report, part) for part in parts]


def _broken(report: Report, room: float, repeated: int, most: int) -> list[list[int]]:
    """The columns of each part: at most `most` beside the repeated ones."""
    first = [*range(repeated)]
    parts: list[list[int]] = [[*first]]
    for place in range(repeated, len(report.columns)):
        beside = len(parts[-1]) - repeated
        is_full = beside == most or not _fits(report, [*parts[-1], place], room)
        if beside and is_full:
            parts.append([*first])
        parts[-1].append(place)
    return parts


def _fits(report: Report, places: Sequence[int], room: float) -> bool:
    return paper.width_of(_table(report, places)) <= room


def _table(report: Report, places: Sequence[int]) -> PrintedTable:
    columns = [report.columns[place] for place in places]
    amounts = [place for place in places if is_number(report.columns[place])]
    totals = [
        row
        for row in totals_of(report)
        if not amounts or any(for_people(row.cells[at], report.columns[at]) for at in amounts)
    ]
    rows = [
        TableRow(
            tuple(
                for_people(row.cells[place], column)
                for place, column in zip(places, columns, strict=True)
            ),
            is_total=number >= len(report.rows),
        )
        for number, row in enumerate((*report.rows, *totals))
    ]
    shown = (
        PrintedColumn(column.title, Align.RIGHT if is_number(column) else Align.LEFT)
        for column in columns
    )
    return PrintedTable(tuple(shown), tuple(rows), when_empty=EMPTY)


def _made(report: Report) -> str:
    if not report.HasField("made_at"):
        return ""
    return f"Made {report.made_at.ToDatetime():%Y-%m-%d %H:%M:%S} UTC"


def _capital(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"
