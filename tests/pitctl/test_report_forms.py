"""One report in four forms: nothing is lost, cut, or taken for something else."""

from __future__ import annotations

import csv
import io
import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from casino.accounting.v1.report_pb2 import Report
from paper import LastTable
from pitctl.accounting.report_json import as_object
from pitctl.accounting.report_table import print_report
from pitctl.output.text import Page
from report_forms.cells import DamagedReport, check
from report_forms.paper_form import as_document, as_pdf
from report_forms.spreadsheet import as_csv
from tests.pitctl.sample_reports import (
    CENTS,
    TEXT,
    WIDE_TITLES,
    a_report,
    a_row,
    a_small_report,
    a_wide_report,
)


def printed(report: Report, columns: int = 100) -> str:
    file = io.StringIO()
    print_report(Page(file, columns=columns), report)
    return file.getvalue()


def read_back(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_a_table_has_money_to_the_right_blank_where_nothing_is_and_totals_apart() -> None:
    assert printed(a_small_report()) == (
        "── Three-way reconciliation " + "─" * 72 + "\n"
        "  Example Casino, gaming day 2026-03-01\n"
        "  not final: the day is not closed\n"
        "\n"
        "  table                win  rounds    hold      z\n"
        "  BJ-07          -1,234.50   1,204  -1.25%  1.960\n"
        "  =HYPERLINK(1)       0.05       0\n"
        "  ─────────────  ─────────  ──────\n"
        "  Total          -1,234.45   1,204\n"
        "\n"
        "  Theoretical win is exact: see docs/odds.md.\n"
        "  2 rows\n"
    )
    assert "not final" not in printed(a_small_report(is_final=True))


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_a_wide_table_is_broken_into_groups_that_say_what_a_row_is_about(columns: int) -> None:
    report = a_wide_report()
    text = printed(report, columns)
    assert max(map(len, text.splitlines())) <= columns
    amounts = re.findall(r"-?[\d,]+\.\d\d", text)
    assert len(amounts) == (len(report.rows) + 1) * (len(report.columns) - 2)
    rows = [line for line in text.splitlines() if re.search(r"\.\d\d$", line)]
    assert all(line.split()[0].startswith(("BJ-", "Total")) for line in rows)
    words = " ".join(text.split())
    assert all(title.split()[0] in words for title in (each.title for each in report.columns))


def test_a_log_cannot_steer_the_terminal_through_a_report() -> None:
    report = a_report([("t", "t", TEXT)], [a_row("BJ\x1b[2J\n07")])
    assert "\x1b" not in printed(report)


def test_a_spreadsheet_reads_back_what_the_report_says() -> None:
    data = as_csv(a_small_report())
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.count(b"\r\n") == data.count(b"\n") == 4
    titles, first, second, totals = read_back(data)
    assert titles == ["table", "win", "rounds", "hold %", "z"]
    assert first == ["BJ-07", "-1234.50", "1204", "-1.2549", "1.960"]
    assert second == ["'=HYPERLINK(1)", "0.05", "0", "", ""]
    assert totals == ["Total", "-1234.45", "1204", "", ""]


@given(
    st.lists(
        st.tuples(
            st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
            | st.sampled_from(["=1", "+1", "-1", "@x", "\tx", "\rx", 'a"b', "a,b", "a\r\nb"]),
            st.integers(-(10**15), 10**15) | st.none(),
        ),
        max_size=5,
    )
)
def test_no_words_become_a_formula_and_no_cent_is_lost(rows: list[tuple[str, int | None]]) -> None:
    report = a_report(
        [("name", "name", TEXT), ("cents", "amount", CENTS)], [a_row(*each) for each in rows]
    )
    titles, *read = read_back(as_csv(report))
    assert titles == ["name", "amount"]
    for (name, cents), (shown, amount) in zip(rows, read, strict=True):
        assert shown in (name, f"'{name}")
        assert not shown.startswith(("=", "+", "-", "@", "\t", "\r"))
        assert (int(Decimal(amount) * 100) if amount else None) == cents


def test_a_program_gets_whole_numbers_by_key_and_where_to_drill() -> None:
    shown = as_object(a_small_report())
    assert shown["columns"][3] == {"key": "hold", "title": "hold", "kind": "share"}
    assert shown["rows"][0] == {
        "table": "BJ-07",
        "win": -123_450,
        "rounds": 1_204,
        "hold": -12_549,
        "z": 1_960,
        "drill": {"win": "d/1", "rounds": "d/2", "hold": "d/3", "z": "d/4"},
    }
    assert shown["rows"][1]["hold"] is None
    assert shown["totals"]["win"] == -123_445
    assert (shown["is_final"], shown["made_at"]) == (False, "2026-03-02T14:00:00Z")


def test_paper_has_what_an_auditor_signs() -> None:
    reader = PdfReader(io.BytesIO(as_pdf(a_small_report())))
    (text,) = (page.extract_text() for page in reader.pages)
    for words in (
        "Example Casino", "Three-way reconciliation", "Gaming day 2026-03-01",
        "Not final: the day is not closed.", "-1,234.50", "Total", "Prepared by", "Verified by",
        "License number", "page 1 of 1",
    ):  # fmt: skip
        assert words in text
    final = PdfReader(io.BytesIO(as_pdf(a_small_report(is_final=True))))
    assert "Not final" not in final.pages[0].extract_text()
    assert as_pdf(a_small_report()) == as_pdf(a_small_report())


def test_a_sheet_is_turned_and_a_table_broken_only_where_columns_need_it() -> None:
    assert not as_document(a_wide_report(columns=7)).is_landscape
    assert as_document(a_wide_report(columns=10)).is_landscape
    reader = PdfReader(io.BytesIO(as_pdf(a_wide_report(rows=60))))
    text = "\n".join(page.extract_text() for page in reader.pages)
    assert "Columns, part 3 of 3" in text
    for row in range(60):
        assert text.count(f"BJ-{row:02d}") == 3
    assert all(page.mediabox.width > page.mediabox.height for page in reader.pages)
    assert f"page 2 of {len(reader.pages)}" in text
    days = a_report([("t", "t", TEXT)], [], until_day="2026-03-31")
    assert "Not final: not every day is closed." in str(as_document(days).blocks)


def test_no_column_of_a_table_that_is_broken_stands_alone() -> None:
    for columns in range(11, len(WIDE_TITLES) + 1):
        document = as_document(a_wide_report(columns=columns))
        parts = [each.table for each in document.blocks if isinstance(each, LastTable)]
        beside = [len(each.columns) - 2 for each in parts]
        assert sum(beside) == columns
        assert min(beside) > max(beside) / 2, beside
        titles = [each.heading for part in parts for each in part.columns[2:]]
        assert titles == list(WIDE_TITLES[:columns])


def test_an_answer_with_a_ragged_row_is_refused() -> None:
    with pytest.raises(DamagedReport, match="row 1 has 2 cells for 1 columns"):
        check(a_report([("t", "t", TEXT)], [a_row("a", "b")]))
