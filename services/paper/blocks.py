"""Blocks of a document as reportlab's flowables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, assert_never

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import CondPageBreak, Flowable, KeepTogether, Spacer
from reportlab.platypus import PageBreak as NewPage
from reportlab.platypus import Table as Grid

from paper import document
from paper.fonts import Face, width
from paper.headings import Outline
from paper.last_page import LastTableFlowable
from paper.style import FIELD, FIELD_NAME, FIGURE, HAIRLINE, INK, LABEL, SMALL, TEXT
from paper.tables import grid, text

HEADING_ROOM: Final = 110.0
"""A heading with less room below than this moves to the next page with its section."""

TABLE_ROOM: Final = 60.0
"""So does a table with less room: enough for its headings and a row of three lines."""

NAME_PART: Final = 0.3
"""The largest part of the width for the names of fields."""

GAP: Final = 10.0
SIGNATURE_LINE: Final = 27.0
SIGNATURE_GAP: Final = 30.0
_WHOLE: Final = ((0, 0), (-1, -1))


def flowables(
    blocks: tuple[document.Block, ...], room: float, outline: Outline, *, kept: bool = False
) -> Iterator[Flowable]:
    """Lay out blocks as flowables in a column of the given width.

    Blocks that are already kept together are not split for lack of room.
    """
    for block in blocks:
        match block:
            case document.Heading():
                yield from _room_for(HEADING_ROOM, kept=kept)
                yield outline.enter(block)
            case document.Paragraph():
                yield text(block.text, SMALL if block.small else TEXT)
            case document.Notice():
                yield _notice(block, room)
            case document.Fields():
                yield _fields(block, room)
            case document.KeyNumbers():
                yield _key_numbers(block, room)
            case document.PrintedTable():
                yield from _room_for(TABLE_ROOM, kept=kept)
                yield grid(block, room)
            case document.PageBreak():
                yield NewPage()
            case document.Signatures():
                yield from _together(_signatures(block, room), kept=kept)
            case document.BlockGroup():
                inner = flowables(block.blocks, room, outline, kept=True)
                yield from _together(inner, kept=kept)
            case document.LastTable():
                yield from _room_for(TABLE_ROOM, kept=kept)
                above = [outline.enter(block.heading)] if block.heading is not None else []
                below = flowables(block.blocks, room, outline, kept=True)
                yield LastTableFlowable(grid(block.table, room), [*below], above)
            case _:
                assert_never(block)


def _room_for(height: float, *, kept: bool) -> Iterator[Flowable]:
    if not kept:
        yield CondPageBreak(height)


def _together(inner: Iterator[Flowable], *, kept: bool) -> Iterator[Flowable]:
    """Keep flowables together, once: reportlab treats nested groups as endless."""
    if kept:
        yield from inner
    else:
        yield KeepTogether([*inner])


def _notice(block: document.Notice, room: float) -> Flowable:
    style = [
        ("BOX", *_WHOLE, 1.2, INK),
        ("LEFTPADDING", *_WHOLE, GAP),
        ("RIGHTPADDING", *_WHOLE, GAP),
        ("TOPPADDING", *_WHOLE, 4),
        ("BOTTOMPADDING", *_WHOLE, 6),
    ]
    return _grid([[text(block.text, FIELD_NAME)]], [room], style)


def _fields(block: document.Fields, room: float) -> Flowable:
    widest = max((_width(name, FIELD_NAME) for name, _ in block.pairs), default=0.0)
    names = min(widest + 2 * GAP, NAME_PART * room)
    lines = [[text(name, FIELD_NAME), text(content, FIELD)] for name, content in block.pairs]
    style = [
        ("VALIGN", *_WHOLE, "TOP"),
        ("LEFTPADDING", *_WHOLE, 0),
        ("RIGHTPADDING", *_WHOLE, GAP),
        ("TOPPADDING", *_WHOLE, 1),
        ("BOTTOMPADDING", *_WHOLE, 2),
    ]
    return _grid(lines, [names, room - names], style)


def _key_numbers(block: document.KeyNumbers, room: float) -> Flowable:
    """Columns of equal width between vertical rules."""
    names = [text(name, LABEL) for name, _ in block.pairs]
    numbers = [text(number, FIGURE) for _, number in block.pairs]
    style = [
        ("VALIGN", *_WHOLE, "TOP"),
        ("LEFTPADDING", *_WHOLE, 5),
        ("RIGHTPADDING", *_WHOLE, 5),
        ("TOPPADDING", *_WHOLE, 1),
        ("BOTTOMPADDING", *_WHOLE, 1),
        ("LINEBEFORE", *_WHOLE, 1.2, HAIRLINE),
    ]
    return _grid([names, numbers], [room / max(1, len(names))] * len(names), style)


def _signatures(block: document.Signatures, room: float) -> Iterator[Flowable]:
    """Lines with their names below, out of the way of a pen."""
    if block.statement:
        yield text(block.statement, TEXT)
    gaps = SIGNATURE_GAP * (len(block.roles) - 1)
    column = (room - gaps) / max(1, len(block.roles))
    lines = [
        _spaced([text(role, FIELD_NAME) for role in block.roles]),
        *(_spaced([text(line, LABEL) for _ in block.roles]) for line in block.lines),
    ]
    style: list[tuple[Any, ...]] = [
        ("VALIGN", *_WHOLE, "TOP"),
        ("LEFTPADDING", *_WHOLE, 0),
        ("RIGHTPADDING", *_WHOLE, 0),
        ("TOPPADDING", *_WHOLE, 2),
        ("BOTTOMPADDING", *_WHOLE, SIGNATURE_LINE - 14),
    ]
    places = range(0, 2 * len(block.roles), 2)
    style += [("LINEABOVE", (place, 1), (place, -1), 0.6, INK) for place in places]
    widths = _spaced([column] * len(block.roles), SIGNATURE_GAP)
    yield Spacer(room, GAP)
    yield _grid(lines, widths, style)


def _spaced(items: list[Any], gap: Any = "") -> list[Any]:
    """Put a gap between each two items."""
    return [part for one in items for part in (one, gap)][:-1]


def _grid(lines: list[list[Any]], widths: list[float], style: list[tuple[Any, ...]]) -> Flowable:
    if not widths or not lines:
        return Spacer(0, 0)
    return Grid(lines, colWidths=widths, style=style, spaceBefore=3, spaceAfter=7, hAlign="LEFT")


def _width(content: str, style: ParagraphStyle) -> float:
    return width(content, Face(style.fontName), style.fontSize)
