"""A document as PDF: laid out twice, because the first page states the number of pages."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import IO, Any, Final

from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, HRFlowable, PageTemplate

from paper.blocks import flowables
from paper.document import Document
from paper.fonts import Face, load_fonts, printable, shortened, width
from paper.headings import Outline
from paper.style import (
    ACCENT,
    HAIRLINE,
    ISSUER,
    MARGIN_BOTTOM,
    MARGIN_SIDE,
    MARGIN_TOP,
    RUNNING,
    RUNNING_TEXT,
    SHEETS,
    SUBTITLE,
    TITLE,
)
from paper.tables import text

UNDATED: Final = "D:20000101000000Z"
"""The date in the file of a document that has none: a clock would change the bytes."""

GAP: Final = 24.0
"""Between the two ends of a header or footer, at the least."""


def write_pdf(file: IO[bytes], document: Document) -> None:
    """Write the document; the same document gives the same bytes, at any time and place."""
    load_fonts()
    pages = _lay_out(BytesIO(), document, pages=0)
    _lay_out(file, document, pages=pages)


def sheet_of(document: Document) -> tuple[float, float]:
    """Width and height of its pages."""
    across, height = SHEETS[document.page_size]
    return (height, across) if document.is_landscape else (across, height)


def room_of(document: Document) -> float:
    """How wide its text is."""
    return sheet_of(document)[0] - 2 * MARGIN_SIDE


def _lay_out(file: IO[bytes], document: Document, *, pages: int) -> int:
    """Write it with this number of pages in its footers; the number there are."""
    sheet = sheet_of(document)
    room = room_of(document)
    frame = Frame(
        MARGIN_SIDE,
        MARGIN_BOTTOM,
        room,
        sheet[1] - MARGIN_TOP - MARGIN_BOTTOM,
        leftPadding=0,
        rightPadding=0,
        topPadding=0,
        bottomPadding=0,
    )

    def furnish(canvas: Canvas, template: Any) -> None:
        _furnish(canvas, document, page=template.page, pages=pages)

    template = BaseDocTemplate(
        file,
        pagesize=sheet,
        pageTemplates=[PageTemplate("page", [frame], onPage=furnish, pagesize=sheet)],
        title=printable(document.title),
        author=printable(document.issuer),
        subject=printable(document.subject),
        creator=printable(document.issuer),
        lang="en",
        initialFontName=Face.REGULAR.value,  # or every page would name one that is not embedded
        invariant=1,
        pageCompression=1,
    )
    template.build([*_title_block(document, room), *flowables(document.blocks, room, Outline())])
    return int(template.page)


def _title_block(document: Document, room: float) -> Iterator[Flowable]:
    yield text(document.issuer, ISSUER)
    yield text(document.title, TITLE)
    for line in document.subtitle:
        yield text(line, SUBTITLE)
    if document.dated is not None:
        yield text(document.dated.isoformat(), SUBTITLE)
    yield HRFlowable(room, thickness=1.4, color=ACCENT, spaceBefore=9, spaceAfter=10)


def _furnish(canvas: Canvas, document: Document, *, page: int, pages: int) -> None:
    """Header and footer; the first page has its title block for a header."""
    across, height = sheet_of(document)
    edges = MARGIN_SIDE, across - MARGIN_SIDE
    dated = "" if document.dated is None else document.dated.isoformat()
    if page == 1:
        stamp = f"D:{dated.replace('-', '')}000000Z" if dated else UNDATED
        canvas.setDateFormatter(lambda *_: stamp)
    else:
        name = document.running or document.title
        _ends(canvas, edges, height - RUNNING, name, document.issuer)
        _rule(canvas, edges, height - RUNNING - 8)
    _rule(canvas, edges, RUNNING + 12)
    name = f"{document.title}, {dated}" if dated else document.title
    _ends(canvas, edges, RUNNING, document.running or name, f"page {page} of {pages}")


def _rule(canvas: Canvas, edges: tuple[float, float], up: float) -> None:
    canvas.setStrokeColor(HAIRLINE)
    canvas.setLineWidth(0.5)
    canvas.line(edges[0], up, edges[1], up)


def _ends(canvas: Canvas, edges: tuple[float, float], up: float, left: str, right: str) -> None:
    """Two texts on one line; the left one is cut where they would meet."""
    size, room = RUNNING_TEXT.fontSize, edges[1] - edges[0]
    right = shortened(right, Face.REGULAR, size, room / 2)
    taken = width(right, Face.REGULAR, size)
    left = shortened(left, Face.REGULAR, size, room - taken - GAP)
    for content, across in ((left, edges[0]), (right, edges[1] - taken)):
        line = text(content, RUNNING_TEXT)
        line.wrapOn(canvas, room + GAP, RUNNING_TEXT.leading)
        line.drawOn(canvas, across, up - 2)
