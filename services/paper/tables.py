"""Tables on paper: columns that fit, headings on every page, tones that print in black."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable
from reportlab.platypus import LongTable as Grid
from reportlab.platypus import Paragraph as Text

from paper.document import Align, PrintedTable, RowTone, TableRow
from paper.fonts import Face, markup, printable, width
from paper.style import (
    ACCENT,
    CELL_GAP,
    CELL_HEADINGS,
    CELLS,
    HAIRLINE,
    MARKS,
    SHADES,
    TOTALS,
)
from paper.widths import ColumnNeed, share_out

MARK_SIZE: Final = 4.5
MARK_WIDTH: Final = MARK_SIZE + CELL_GAP
LEAST_PART: Final = 3
"""A word may take at most one part in so many of the width; a longer one is broken."""

FREE_PART: Final = 0.05
"""What a column without a part gets, if those with one leave nothing."""

ROUNDING: Final = 0.1
"""Points a column is wider than its text, so that no rounding wraps it."""


class ToneMark(Flowable):
    """The sign of a tone: a tick, an open ring, a full square; nothing for a plain row."""

    def __init__(self, tone: RowTone) -> None:
        super().__init__()
        self.tone = tone

    def wrap(self, *_: float) -> tuple[float, float]:
        return MARK_SIZE, MARK_SIZE

    def draw(self) -> None:
        if self.tone not in MARKS:
            return
        canvas, size = self.canv, MARK_SIZE
        canvas.setStrokeColor(MARKS[self.tone])
        canvas.setFillColor(MARKS[self.tone])
        if self.tone is RowTone.OK:
            canvas.setLineWidth(0.9)
            canvas.lines([(0.3, 2.0, 1.7, 0.5), (1.7, 0.5, size, size - 0.4)])
        elif self.tone is RowTone.WARN:
            canvas.setLineWidth(0.9)
            canvas.circle(size / 2, size / 2, size / 2 - 0.5, stroke=1, fill=0)
        else:
            canvas.rect(0, 0, size, size, stroke=0, fill=1)


def text(content: str, style: ParagraphStyle) -> Text:
    """A text in a style, wrapped wherever it is put."""
    return Text(markup(content, Face(style.fontName)), style)


def grid(table: PrintedTable, room: float) -> Flowable:
    """The table, as wide as the room there is."""
    marked = any(row.tone in MARKS for row in table.rows)
    widths = _widths(table, room - (MARK_WIDTH if marked else 0))
    lines: list[list[Any]] = [
        [text(column.heading, CELL_HEADINGS[column.align]) for column in table.columns],
        *(
            [
                text(cell, _cell_style(row, column.align))
                for cell, column in _cells(table, row.cells)
            ]
            for row in table.rows
        ),
    ]
    commands = _rules()
    for number, row in enumerate(table.rows, start=1):
        if row.tone in SHADES:
            commands.append(("BACKGROUND", (0, number), (-1, number), SHADES[row.tone]))
        if row.is_total:
            commands.append(("LINEABOVE", (0, number), (-1, number), 0.8, ACCENT))
    if marked:
        tones = [RowTone.PLAIN, *(row.tone for row in table.rows)]
        for line, tone in zip(lines, tones, strict=True):
            line.insert(0, ToneMark(tone))
        widths.insert(0, MARK_WIDTH)
        commands += [("LEFTPADDING", (0, 0), (0, -1), 3), ("RIGHTPADDING", (0, 0), (0, -1), 0)]
        commands.append(("TOPPADDING", (0, 0), (0, -1), 4.3))
    if not table.rows:
        lines.append([text(table.when_empty, CELLS[Align.LEFT]), *[None] * (len(widths) - 1)])
        commands.append(("SPAN", (0, 1), (-1, 1)))
    return Grid(
        lines,
        colWidths=widths,
        repeatRows=1,
        splitInRow=1,  # only a row higher than a page: whole rows are tried first
        style=commands,
        spaceBefore=3,
        spaceAfter=7,
        hAlign="LEFT",
    )


def width_of(table: PrintedTable) -> float:
    """How wide the table must be to read well: no word or number broken, words in short lines."""
    needs = _needs(table, [*range(len(table.columns))], math.inf)
    marked = any(row.tone in MARKS for row in table.rows)
    return sum(need.fair for need in needs) + (MARK_WIDTH if marked else 0)


def _cell_style(row: TableRow, align: Align) -> ParagraphStyle:
    return TOTALS[align] if row.is_total else CELLS[align]


def _cells(table: PrintedTable, cells: Sequence[str]) -> zip[tuple[str, Any]]:
    return zip(cells, table.columns, strict=True)


def _rules() -> list[tuple[Any, ...]]:
    whole = ((0, 0), (-1, -1))
    return [
        ("VALIGN", *whole, "TOP"),
        ("LEFTPADDING", *whole, CELL_GAP),
        ("RIGHTPADDING", *whole, CELL_GAP),
        ("TOPPADDING", *whole, 1.4),
        ("BOTTOMPADDING", *whole, 2.0),
        ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
        ("LINEBELOW", (0, 1), (-1, -1), 0.3, HAIRLINE),
        ("LINEBELOW", (0, 0), (-1, 0), 0.8, ACCENT),
    ]


def _widths(table: PrintedTable, room: float) -> list[float]:
    """Give columns their part of the width, and share the rest among those without one."""
    parts = [column.part * room for column in table.columns]
    free = [place for place, part in enumerate(parts) if not part]
    left = max(room - sum(parts), FREE_PART * room * len(free))
    for place, shared in zip(free, share_out(_needs(table, free, room), left), strict=True):
        parts[place] = shared
    return [part * room / sum(parts) for part in parts]


def _needs(table: PrintedTable, places: list[int], room: float) -> list[ColumnNeed]:
    needs = []
    for place in places:
        column = table.columns[place]
        heading = CELL_HEADINGS[column.align]
        texts = [(column.heading, heading)]
        texts += [(row.cells[place], _cell_style(row, column.align)) for row in table.rows]
        most = room / LEAST_PART
        words = [(word, style) for content, style in texts for word in printable(content).split()]
        needs.append(
            ColumnNeed(
                least=min(most, _widest(words)) + 2 * CELL_GAP,
                best=_widest(texts) + 2 * CELL_GAP,
                is_number=column.align is Align.RIGHT,
            )
        )
    return needs


def _widest(texts: list[tuple[str, ParagraphStyle]]) -> float:
    return ROUNDING + max(
        (width(content, Face(style.fontName), style.fontSize) for content, style in texts),
        default=0,
    )
