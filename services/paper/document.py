"""The content of a document as values, without its layout."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct


class SheetSize(StrEnum):
    """The sheet sizes of office printers."""

    LETTER = "letter"
    A4 = "a4"


class Align(StrEnum):
    """The alignment of a column: words to the left, numbers to the right."""

    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


class RowTone(StrEnum):
    """The assessment of a row. Shape and shade distinguish tones without color."""

    PLAIN = "plain"
    OK = "ok"
    WARN = "warn"
    BAD = "bad"


class RaggedTable(ValueError):
    """A row has more or fewer cells than there are columns."""

    def __init__(self, *, row: int, cells: int, columns: int) -> None:
        super().__init__(f"Invalid row {row}: {cells} cells for {columns} columns.")
        self.row, self.cells, self.columns = row, cells, columns


class Heading(Struct, frozen=True):
    """The name of a section; level 1 is the highest. It is in the outline of the file too."""

    text: str
    level: int = 1


class Paragraph(Struct, frozen=True):
    """Running text; a line break in it stays one. Small print is for sources and remarks."""

    text: str
    small: bool = False


class Notice(Struct, frozen=True):
    """A framed warning."""

    text: str


class Fields(Struct, frozen=True):
    """Names, each with its text beside it."""

    pairs: tuple[tuple[str, str], ...]


class KeyNumbers(Struct, frozen=True):
    """A few key numbers side by side, each below its name."""

    pairs: tuple[tuple[str, str], ...]


class PrintedColumn(Struct, frozen=True):
    """A column of a table.

    `part` is its part of the whole width, so that tables below each other line up; without one the
    content determines the width.
    """

    heading: str
    align: Align = Align.LEFT
    part: float = 0.0


class TableRow(Struct, frozen=True):
    """A row of a table; a row of totals is separated by a rule."""

    cells: tuple[str, ...]
    tone: RowTone = RowTone.PLAIN
    is_total: bool = False


class PrintedTable(Struct, frozen=True):
    """Rows below headings, which are repeated on every page that the table reaches.

    A table without rows is printed with a text, because an empty table is a statement too.
    """

    columns: tuple[PrintedColumn, ...]
    rows: tuple[TableRow, ...]
    when_empty: str = "None."

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, start=1):
            if len(row.cells) != len(self.columns):
                raise RaggedTable(row=number, cells=len(row.cells), columns=len(self.columns))


class PageBreak(Struct, frozen=True):
    """The next block begins a page."""


class Signatures(Struct, frozen=True):
    """Signature lines side by side, for each role; never split over pages."""

    roles: tuple[str, ...] = ("Prepared by", "Verified by")
    lines: tuple[str, ...] = ("Name", "License number", "Signature", "Date")
    statement: str = ""


class BlockGroup(Struct, frozen=True):
    """Blocks that stay on one page, if they fit."""

    blocks: tuple[Block, ...]


class LastTable(Struct, frozen=True):
    """The last table and the blocks below it, which are never on a page without some of its rows.

    Under a heading, a table that fits on a page is not split.
    """

    table: PrintedTable
    blocks: tuple[Block, ...]
    heading: Heading | None = None


Block: TypeAlias = (
    Heading
    | Paragraph
    | Notice
    | Fields
    | KeyNumbers
    | PrintedTable
    | PageBreak
    | Signatures
    | BlockGroup
    | LastTable
)


class Document(Struct, frozen=True):
    """A document of one issuer, with `dated` as its printed date.

    `running` is its name on every page; by default, the title and the date.
    """

    title: str
    issuer: str
    blocks: tuple[Block, ...]
    subtitle: tuple[str, ...] = ()
    subject: str = ""
    dated: date | None = None
    page_size: SheetSize = SheetSize.LETTER
    is_landscape: bool = False
    running: str = ""
