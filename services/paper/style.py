"""How a document looks: sizes, spaces, shades and the styles made of them.

Lengths are points, 72 to the inch. Text is black enough and shades are light enough for a
copy of a copy.
"""

from __future__ import annotations

from typing import Final, Literal

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.enums import TA_CENTER, TA_LEFT, TA_RIGHT
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.styles import ParagraphStyle

from paper.document import Align, RowTone, SheetSize
from paper.fonts import Face

SHEETS: Final = {SheetSize.LETTER: LETTER, SheetSize.A4: A4}

MARGIN_SIDE: Final = 50.0
MARGIN_TOP: Final = 52.0
MARGIN_BOTTOM: Final = 50.0
RUNNING: Final = 30.0
"""From the edge of the sheet to the base line of the header and of the footer."""

INK: Final = HexColor("#1b2430")
MUTED: Final = HexColor("#56616e")
ACCENT: Final = HexColor("#1d3b5e")
HAIRLINE: Final = HexColor("#c4ccd5")
SHADES: Final[dict[RowTone, Color]] = {
    RowTone.WARN: HexColor("#faf3df"),
    RowTone.BAD: HexColor("#f2d8d3"),
}
MARKS: Final[dict[RowTone, Color]] = {
    RowTone.OK: HexColor("#2f6b45"),
    RowTone.WARN: HexColor("#7d5a00"),
    RowTone.BAD: HexColor("#8f1d14"),
}

CELL_SIZE: Final = 7.5
CELL_GAP: Final = 5.0
"""Empty space on either side of a cell's text."""

_ALIGNMENTS: Final[dict[Align, Literal[0, 1, 2]]] = {
    Align.LEFT: TA_LEFT,
    Align.CENTER: TA_CENTER,
    Align.RIGHT: TA_RIGHT,
}


def _style(
    name: str,
    size: float,
    *,
    face: Face = Face.REGULAR,
    color: Color = INK,
    leading: float = 1.4,
    before: float = 0,
    after: float = 0,
    align: Align = Align.LEFT,
) -> ParagraphStyle:
    return ParagraphStyle(
        name,
        fontName=str(face),
        fontSize=size,
        leading=leading * size,
        textColor=color,
        spaceBefore=before,
        spaceAfter=after,
        alignment=_ALIGNMENTS[align],
        splitLongWords=1,
        allowWidows=0,
        allowOrphans=0,
    )


ISSUER: Final = _style("issuer", 9, face=Face.BOLD, color=MUTED, after=5)
TITLE: Final = _style("title", 21, face=Face.BOLD, color=ACCENT, leading=1.2, after=5)
SUBTITLE: Final = _style("subtitle", 9, color=MUTED, leading=1.45)
RUNNING_TEXT: Final = _style("running", 7, color=MUTED)
TEXT: Final = _style("text", 8.5, leading=1.45, after=5)
SMALL: Final = _style("small", 7, color=MUTED, after=3)
HEADINGS: Final = (
    _style("heading1", 14, face=Face.BOLD, color=ACCENT, leading=1.25, before=16, after=6),
    _style("heading2", 10, face=Face.BOLD, color=ACCENT, leading=1.25, before=10, after=2),
    _style("heading3", 8.5, face=Face.BOLD, leading=1.25, before=8, after=3),
)
LABEL: Final = _style("label", 7, color=MUTED, leading=1.3)
FIELD_NAME: Final = _style("field name", 8.5, face=Face.BOLD, leading=1.4)
FIELD: Final = _style("field", 8.5, leading=1.4)
FIGURE: Final = _style("figure", 10, face=Face.BOLD, leading=1.3)
CELLS: Final = {
    align: _style(f"cell {align}", CELL_SIZE, leading=1.3, align=align) for align in Align
}
TOTALS: Final = {
    align: _style(f"total {align}", CELL_SIZE, face=Face.BOLD, leading=1.3, align=align)
    for align in Align
}
CELL_HEADINGS: Final = {
    align: _style(
        f"cell heading {align}", 6.8, face=Face.BOLD, color=ACCENT, leading=1.3, align=align
    )
    for align in Align
}
