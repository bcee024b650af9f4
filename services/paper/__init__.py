"""PDF documents, to be signed, filed or handed over.

A `Document` is a value: a title block and blocks below it. `write_pdf` lays it out, with the name
of the document and "page x of y" on every page. The package has no terms of the trade, reads no
clock and gives the same bytes for the same document.
"""

from paper.document import (
    Align,
    Block,
    BlockGroup,
    Document,
    Fields,
    Heading,
    KeyNumbers,
    LastTable,
    Notice,
    PageBreak,
    Paragraph,
    PrintedColumn,
    PrintedTable,
    RaggedTable,
    RowTone,
    SheetSize,
    Signatures,
    TableRow,
)
from paper.pdf import room_of, write_pdf
from paper.tables import width_of

__all__ = [
    "Align",
    "Block",
    "BlockGroup",
    "Document",
    "Fields",
    "Heading",
    "KeyNumbers",
    "LastTable",
    "Notice",
    "PageBreak",
    "Paragraph",
    "PrintedColumn",
    "PrintedTable",
    "RaggedTable",
    "RowTone",
    "SheetSize",
    "Signatures",
    "TableRow",
    "room_of",
    "width_of",
    "write_pdf",
]
