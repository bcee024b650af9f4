"""Tables: headings on every page, nothing wider than the sheet, nothing lost."""

import pytest

from paper import Align, PrintedColumn, PrintedTable, RaggedTable, RowTone, TableRow
from paper.style import CELL_GAP, MARGIN_SIDE
from tests.paper.reading import document_of, pages_of, positions, read

NAME_AND_AMOUNT = (PrintedColumn("player name"), PrintedColumn("amount", Align.RIGHT))


def rows(count: int, tone: RowTone = RowTone.PLAIN) -> tuple[TableRow, ...]:
    return tuple(TableRow((f"P-{number}", f"{number}.00"), tone) for number in range(count))


@pytest.mark.parametrize("tone", RowTone)
def test_a_long_table_repeats_its_headings_on_every_page(tone: RowTone) -> None:
    pages = pages_of(document_of(PrintedTable(NAME_AND_AMOUNT, rows(200, tone))))
    assert len(pages) > 3
    assert all(page.count("player name amount") == 1 for page in pages)
    whole = " ".join(pages)
    assert all(f"P-{number} {number}.00" in whole for number in range(200))


def test_a_table_without_rows_says_so_below_its_headings() -> None:
    empty = PrintedTable(NAME_AND_AMOUNT, (), when_empty="No payout was short.")
    (page,) = pages_of(document_of(empty))
    assert "player name amount No payout was short." in page


def test_a_row_with_a_cell_too_few_is_refused_by_its_number() -> None:
    with pytest.raises(RaggedTable, match="Invalid row 2: 1 cells for 2 columns") as refused:
        PrintedTable(NAME_AND_AMOUNT, (TableRow(("P-1", "1.00")), TableRow(("P-2",))))
    assert (refused.value.row, refused.value.cells, refused.value.columns) == (2, 1, 2)


def test_a_very_long_word_is_broken_and_none_of_it_lost() -> None:
    word = "0123456789abcdef" * 60
    table = PrintedTable(
        (PrintedColumn("hash"), *NAME_AND_AMOUNT), (TableRow((word, "P-1", "12.00")),)
    )
    (page,) = pages_of(document_of(table))
    assert word in page.replace(" ", "")


def test_nothing_begins_left_of_the_margin_or_right_of_it() -> None:
    columns = tuple(
        PrintedColumn(f"column {number}", list(Align)[number % 3]) for number in range(12)
    )
    table = PrintedTable(columns, (TableRow(tuple("immeasurably" * 4 for _ in columns)),))
    document = document_of(table)
    sheet = float(read(document).pages[0].mediabox.width)
    places = [across for across, _ in positions(document)]
    assert min(places) >= MARGIN_SIDE - 1
    assert max(places) <= sheet - MARGIN_SIDE


def test_a_cell_higher_than_a_page_goes_on_over_the_next() -> None:
    words = " ".join(f"word{number}" for number in range(4000))
    pages = pages_of(document_of(PrintedTable(NAME_AND_AMOUNT, (TableRow((words, "1.00")),))))
    assert len(pages) > 2
    assert sum(page.count("word") for page in pages) == 4000
    assert all("player name" in page for page in pages)


def test_a_row_is_not_broken_where_the_next_page_can_hold_it() -> None:
    three_lines = tuple(TableRow((f"top-{n}\nmid-{n}\nend-{n}", "1.00")) for n in range(60))
    pages = pages_of(document_of(PrintedTable(NAME_AND_AMOUNT, three_lines)))
    assert len(pages) > 2
    assert all(page.count("top-") == page.count("end-") for page in pages)


def test_columns_with_parts_line_up_from_table_to_table() -> None:
    columns = (
        PrintedColumn("first", part=0.4),
        PrintedColumn("second", part=0.3),
        PrintedColumn("third"),
    )
    short = PrintedTable(columns, (TableRow(("x", "here", "z")),))
    long = PrintedTable(columns, (TableRow(("words " * 20, "here", "words " * 20)),))
    places = [across for across, text in positions(document_of(short, long)) if "here" in text]
    assert len(places) == 2
    assert places[0] == pytest.approx(places[1])


def test_a_column_has_the_part_it_was_given_of_the_width() -> None:
    table = PrintedTable(
        (PrintedColumn("first", part=0.72), PrintedColumn("second")),
        (TableRow(("x", "words " * 30)),),
    )
    document = document_of(table)
    (second,) = (across for across, text in positions(document) if "second" in text)
    room = float(read(document).pages[0].mediabox.width) - 2 * MARGIN_SIDE
    assert second == pytest.approx(MARGIN_SIDE + 0.72 * room + CELL_GAP)


def test_parts_that_ask_for_more_than_there_is_leave_a_little_for_the_rest() -> None:
    table = PrintedTable(
        (PrintedColumn("first", part=0.9), PrintedColumn("b", part=0.4), PrintedColumn("c")), ()
    )
    document = document_of(table)
    sheet = float(read(document).pages[0].mediabox.width)
    assert max(across for across, _ in positions(document)) < sheet - MARGIN_SIDE
