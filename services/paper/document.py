"""What a document says, as values; how it looks is no part of them."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct


class SheetSize(StrEnum):
    """The sheets an office printer has."""

    LETTER = "letter"
    A4 = "a4"


class Align(StrEnum):
    """Where the text of a column stands: words to the left, numbers to the right."""

    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


class RowTone(StrEnum):
    """What is to be thought of a row. Shape and shade tell tones apart without colour."""

    PLAIN = "plain"
    OK = "ok"
    WARN = "warn"
    BAD = "bad"


class RaggedTable(ValueError):
    """A row has not one cell for each column."""

    def __init__(self, *, row: int, cells: int, columns: int) -> None:
        super().__init__(f"row {row} has {cells} cells for {columns} columns")
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
    """What nobody may overlook, in a frame."""

    text: str


class Fields(Struct, frozen=True):
    """Names, each with its text beside it."""

    pairs: tuple[tuple[str, str], ...]


class KeyNumbers(Struct, frozen=True):
    """The few numbers that matter, side by side, each below its name."""

    pairs: tuple[tuple[str, str], ...]


class PrintedColumn(Struct, frozen=True):
    """A column of a table.

    `part` is its part of the whole width, so that tables below each other line up; without
    one the content decides.
    """

    heading: str
    align: Align = Align.LEFT
    part: float = 0.0


class TableRow(Struct, frozen=True):
    """A row of a table; one of totals is set apart from those above it."""

    cells: tuple[str, ...]
    tone: RowTone = RowTone.PLAIN
    is_total: bool = False


class PrintedTable(Struct, frozen=True):
    """Rows below headings, which are repeated on every page that the table reaches.

    A table without rows is printed too, and says so: that there is nothing is a statement.
    """

    columns: tuple[PrintedColumn, ...]
    rows: tuple[TableRow, ...]
    when_empty: str = "None."

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, start=1):
            if len(row.cells) != len(self.columns):
                raise RaggedTable(row=number, cells=len(row.cells), columns=len(self.columns))


class PageBreak(Struct, frozen=True):
    """What follows begins a page."""


class Signatures(Struct, frozen=True):
    """Who signs, side by side, each with lines to fill in; never broken over pages."""

    roles: tuple[str, ...] = ("Prepared by", "Verified by")
    lines: tuple[str, ...] = ("Name", "License number", "Signature", "Date")
    statement: str = ""


class BlockGroup(Struct, frozen=True):
    """Blocks that stay on one page, if a page can hold them."""

    blocks: tuple[Block, ...]


class LastTable(Struct, frozen=True):
    """The last table and what stands below it, which no page has without some of its rows.

    Under a heading, a table that a page can hold is not parted.
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
    """A document of one issuer. It knows no clock: `dated` is what is printed as its date.

    `running` is what every page calls it; without one, the title and the date.
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
