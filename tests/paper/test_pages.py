"""Pages: title block, header, footer, numbering, outline and what is kept together."""

from datetime import date

import msgspec
import pytest

from paper import (
    BlockGroup,
    Document,
    Fields,
    Heading,
    KeyNumbers,
    LastTable,
    PageBreak,
    Paragraph,
    PrintedColumn,
    PrintedTable,
    SheetSize,
    Signatures,
    TableRow,
)
from tests.paper.reading import document_of, pages_of, read

LONG = Paragraph("All chips were counted twice. " * 400)


def test_every_page_says_which_of_how_many_it_is() -> None:
    pages = pages_of(document_of(LONG, PageBreak(), LONG))
    assert len(pages) > 3
    for number, page in enumerate(pages, start=1):
        assert f"page {number} of {len(pages)}" in page
        assert "Daily report" in page
        assert "Cascade Card Room" in page


def test_the_title_block_names_issuer_title_subtitle_and_date() -> None:
    document = Document(
        title="Drop and win",
        issuer="Cascade Card Room",
        subtitle=("Pit 2", "Swing shift"),
        dated=date(2026, 3, 1),
        blocks=(),
    )
    (page,) = pages_of(document)
    begins = "Cascade Card Room Drop and win Pit 2 Swing shift 2026-03-01"
    assert begins in page
    assert "Drop and win, 2026-03-01" in page


def test_the_file_carries_title_author_subject_and_the_date_it_was_given() -> None:
    document = msgspec.structs.replace(document_of(), subject="Table games", dated=date(2026, 3, 1))
    found = read(document).metadata
    assert found is not None
    assert (found.title, found.author, found.subject) == (
        "Daily report",
        "Cascade Card Room",
        "Table games",
    )
    assert found.get("/CreationDate") == "D:20260301000000Z"


@pytest.mark.parametrize(
    ("size", "width", "height"), [(SheetSize.LETTER, 612, 792), (SheetSize.A4, 595, 842)]
)
def test_a_sheet_has_the_size_that_was_asked_for(size: SheetSize, width: int, height: int) -> None:
    (page,) = read(msgspec.structs.replace(document_of(), page_size=size)).pages
    assert (round(page.mediabox.width), round(page.mediabox.height)) == (width, height)


def test_headings_are_the_outline_of_the_file_and_a_skipped_level_is_no_error() -> None:
    headings = (Heading("Notes", 3), Heading("Pit 1"), Heading("BJ-07", 2), Heading("Pit 2", 9))
    outline = read(document_of(*headings)).outline
    titles = [entry if isinstance(entry, list) else entry.title for entry in outline]
    assert titles[0] == "Notes"
    assert titles[1] == "Pit 1"
    assert len(titles) == 3


def test_what_is_kept_together_begins_a_page_where_it_does_not_fit() -> None:
    lines = tuple(Paragraph(f"line {number}") for number in range(30))
    pages = pages_of(document_of(*lines, BlockGroup(lines)))
    assert len(pages) == 2
    assert pages[1].count("line") == len(lines)


def test_what_is_kept_together_is_broken_only_where_no_page_could_hold_it() -> None:
    pages = pages_of(document_of(BlockGroup((LONG, LONG))))
    assert len(pages) > 2


def test_a_signature_block_has_its_lines_for_each_who_signs() -> None:
    (page,) = pages_of(document_of(Signatures(statement="I have counted it.")))
    assert "I have counted it." in page
    assert "Prepared by" in page
    assert "Verified by" in page
    for line in ("Name", "License number", "Signature", "Date"):
        assert page.count(line) == 2


def test_signatures_kept_with_a_heading_stay_on_the_page_that_has_room_for_them() -> None:
    signed = BlockGroup((Heading("Signatures"), BlockGroup((Signatures(),))))
    (page,) = pages_of(document_of(Paragraph("The count is right."), signed))
    assert "The count is right. Signatures Prepared by" in page


def test_fields_and_figures_print_names_and_values_even_when_there_are_none() -> None:
    pairs = (("House edge", "5.53%"), ("Hit", "22.4%"))
    (page,) = pages_of(document_of(Fields(pairs), KeyNumbers(pairs), Fields(()), KeyNumbers(())))
    assert page.count("House edge") == page.count("5.53%") == 2


def test_a_title_too_long_for_the_footer_is_cut_there_and_nowhere_else() -> None:
    title = "Reconciliation of every wager " * 8
    (page,) = pages_of(document_of(title=title))
    assert title.strip() in page
    assert "… page 1 of 1" in page


@pytest.mark.parametrize("rows", [1, 2, 5, 20, 36, 37, 38, 39, 40, 41, 42, 60, 90, 150])
def test_no_page_has_signatures_without_some_rows_above_them(rows: int) -> None:
    table = PrintedTable(
        (PrintedColumn("Table"),),
        tuple(TableRow((f"BJ-{number:03}",)) for number in range(rows)),
    )
    notes = tuple(Paragraph(f"Note {number}.", small=True) for number in range(3))
    pages = pages_of(document_of(LastTable(table, (*notes, Signatures()))))
    assert [page.count("BJ-") > 0 for page in pages] == [True] * len(pages)
    assert sum(page.count("BJ-") for page in pages) == rows
    assert "Prepared by" in pages[-1]
    assert pages[-1].count("BJ-") >= min(rows, 3)
    assert "Note 0. Note 1. Note 2." in pages[-1]


def test_notes_that_fill_pages_end_with_signatures_that_are_not_alone() -> None:
    table = PrintedTable(
        (PrintedColumn("Table"),),
        tuple(TableRow((f"BJ-{number:03}",)) for number in range(40)),
    )
    for count in range(60, 130, 3):
        notes = tuple(Paragraph(f"Note {number}.", small=True) for number in range(count))
        pages = pages_of(document_of(LastTable(table, (*notes, Signatures()))))
        assert f"Note {count - 1}." in pages[-1]
        assert "Prepared by" in pages[-1]
        assert "BJ-000" in pages[0]


@pytest.mark.parametrize("heading", [None, Heading("Part 2", level=3)])
def test_a_table_that_begins_anywhere_on_a_page_is_there_with_every_row(
    heading: Heading | None,
) -> None:
    rows = tuple(TableRow((f"BJ-{number:03}", "counted\n" * 4)) for number in range(40))
    table = PrintedTable(
        (
            PrintedColumn("Table"),
            PrintedColumn("Drop box counted twice by others", part=0.1),
        ),
        rows,
    )
    for height in range(15, 24):
        above = (Paragraph("Line."),) * 20 + (Paragraph("Small.", small=True),) * height
        pages = pages_of(document_of(*above, LastTable(table, (Signatures(),), heading)))
        assert sum(page.count("BJ-") for page in pages) == len(rows), height
        assert "Prepared by" in pages[-1]


def test_a_document_that_begins_with_a_long_table_has_no_page_without_rows() -> None:
    rows = tuple(TableRow((f"BJ-{number:03}",)) for number in range(45))
    table = PrintedTable((PrintedColumn("Table"),), rows)
    parts = (
        LastTable(table, (), Heading("Part 1")),
        LastTable(table, (Signatures(),), Heading("Part 2")),
    )
    pages = pages_of(document_of(*parts))
    assert all("BJ-" in page for page in pages)
    assert sum(page.count("BJ-") for page in pages) == 2 * len(rows)
