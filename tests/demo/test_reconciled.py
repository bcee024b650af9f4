"""Planted losses, compared with reports: each cent in its place, and no other."""

from __future__ import annotations

import io

import pytest

from casino.accounting.v1.report_pb2 import Report, ReportCell, ReportColumn, ReportRow
from deploy.demo.books_page import (
    print_explanations,
    print_reconciliation,
    print_rejections,
    print_remarks,
    print_statements,
)
from deploy.demo.in_books import BooksStatement
from deploy.demo.money import Loss, Place
from deploy.demo.offices import EntryRejection
from deploy.demo.reconciled import Books, BooksComparison, compare_books, together
from pitctl.output.text import Page
from report_forms.cells import CENTS, TEXT

COLUMNS = (
    "overpaid", "underpaid", "tray_variance", "drop_variance", "found", "no_wager", "by_hand",
    "unexplained_tray", "unexplained_drop",
)  # fmt: skip
LOSSES = (
    Loss("T1", "overpaid", Place.PAYOUTS, 60_00, "T1-R1"),
    Loss("T1", "unpaid", Place.PAYOUTS, -25_00, "T1-R2"),
    Loss("T1", "tray changed", Place.TRAY, 500_00),
    Loss("T1", "no such wager", Place.TRAY, 10_00, "T1-R3"),
    Loss("T2", "drop short", Place.DROP, 100_00, is_proved=False),
)
T1 = {
    "overpaid": -60_00,
    "underpaid": 25_00,
    "tray_variance": -510_00,
    "found": -500_00,
    "no_wager": -10_00,
}
T2 = {"drop_variance": -100_00, "unexplained_drop": -100_00}
MISPAID = {("T1", "T1-R1"): -60_00, ("T1", "T1-R2"): 25_00}


def report(keys: tuple[str, ...], texts: int, rows: list[tuple[str | int, ...]]) -> Report:
    columns = [
        ReportColumn(key=key, title=key, kind=TEXT if place < texts else CENTS)
        for place, key in enumerate(keys)
    ]
    cells = [
        [
            ReportCell(text=value) if isinstance(value, str) else ReportCell(number=value)
            for value in row
        ]
        for row in rows
    ]
    return Report(
        name="of a test",
        from_day="2026-03-01",
        until_day="2026-03-01",
        columns=columns,
        rows=[ReportRow(cells=row) for row in cells],
    )


def books(
    tables: dict[str, dict[str, int]], mispaid: dict[tuple[str, str], int] | None = None
) -> Books:
    rows: list[tuple[str | int, ...]] = [
        ("2026-03-01", table, *(cells.get(key, 0) for key in COLUMNS))
        for table, cells in tables.items()
    ]
    errors: list[tuple[str | int, ...]] = [
        (table, name, cents) for (table, name), cents in (mispaid or MISPAID).items()
    ]
    return Books(
        together([report(("day", "table", *COLUMNS), 2, [row]) for row in rows]),
        report(("table", "round", "difference"), 2, errors),
    )


def printed(reconciled: BooksComparison, columns: int = 100) -> str:
    out = io.StringIO()
    print_explanations(Page(out, columns=columns), reconciled)
    return out.getvalue()


def test_every_cent_that_is_where_it_must_be_is_explained() -> None:
    reconciled = compare_books(books({"T1": T1, "T2": T2, "T3": {}}), LOSSES)
    assert reconciled.is_clean
    text = printed(reconciled)
    assert "5 planted differences: 4 explained" in text
    assert "1 unexplained as planned; 0 unplanned differences" in " ".join(text.split())
    assert "drop variance, unexplained" in text
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize(
    ("tables", "mispaid", "message"),
    [
        ({"T1": {**T1, "overpaid": -61_00}, "T2": T2}, None, "payout errors total $36.00"),
        (
            {"T1": T1, "T2": T2},
            {**MISPAID, ("T2", "T2-R9"): -1},
            "T2, T2-R9: payout error $0.01",
        ),
        ({"T1": T1, "T2": T2}, {("T1", "T1-R1"): -60_00}, "the books show $0.00 in that round"),
        (
            {"T1": {**T1, "tray_variance": -509_99}, "T2": T2},
            None,
            "tray variance -$509.99, expected -$510.00",
        ),
        ({"T1": {**T1, "found": 0}, "T2": T2}, None, "findings explain -$10.00 of -$510.00"),
        ({"T1": T1, "T2": {**T2, "unexplained_drop": 0}}, None, "$0.00 unexplained, expected"),
        ({"T1": T1, "T2": T2, "T3": {"tray_variance": 5}}, None, "T3: tray variance $0.05"),
        ({"T1": T1}, None, "the table is not in the report"),
    ],
)
def test_every_difference_from_the_plan_is_named(
    tables: dict[str, dict[str, int]], mispaid: dict[tuple[str, str], int] | None, message: str
) -> None:
    reconciled = compare_books(books(tables, mispaid), LOSSES)
    assert not reconciled.is_clean
    assert message in printed(reconciled, 120)


def test_unobserved_payments_may_be_explained_as_such_or_remain_unexplained() -> None:
    unseen = Loss("T1", "unseen payments", Place.TRAY, -64_00, is_proved=False)
    for unexplained, is_clean in ((0, True), (64_00, True), (63_00, False)):
        seen = {"tray_variance": 64_00, "unexplained_tray": unexplained}
        reconciled = compare_books(books({"T1": seen}, {("", ""): 0}), [unseen])
        assert reconciled.is_clean is is_clean, unexplained


def test_tables_stand_below_each_other_with_their_sums() -> None:
    out = io.StringIO()
    print_reconciliation(Page(out, columns=100), books({"T1": T1, "T2": T2}).reconciliation)
    text = out.getvalue()
    assert "-510.00" in text
    assert "by_hand" not in text, "a cause that accounts for nothing"
    assert text.count("2026-03-01") == 1, "not in every row"
    assert max(map(len, text.splitlines())) <= 100


def test_every_rejection_is_printed() -> None:
    out = io.StringIO()
    some = [EntryRejection("coupons issued", "duplicate: c-1", is_planted=True)]
    print_rejections(Page(out, columns=100), some)
    print_remarks(Page(out, columns=100), ["T1, fill issued: three have signed"])
    print_statements(Page(out, columns=100), [BooksStatement("slip gap", "T1", "")])
    assert "rejected  coupons issued: duplicate: c-1" in out.getvalue()
    assert "remark    T1, fill issued: three" in out.getvalue()
    assert out.getvalue().rstrip().endswith("nothing")
