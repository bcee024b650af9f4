"""What was planted in money, held against reports: each cent where it must be, and no other."""

from __future__ import annotations

import io

import pytest

from casino.accounting.v1.report_pb2 import Report, ReportCell, ReportColumn, ReportRow
from deploy.demo.books_page import (
    print_explanations,
    print_reconciliation,
    print_refusals,
    print_remarks,
    print_said,
)
from deploy.demo.in_books import Said
from deploy.demo.money import Loss, Place
from deploy.demo.offices import Refusal
from deploy.demo.reconciled import Books, Reconciled, hold_against, together
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


def printed(reconciled: Reconciled, columns: int = 100) -> str:
    out = io.StringIO()
    print_explanations(Page(out, columns=columns), reconciled)
    return out.getvalue()


def test_every_cent_that_is_where_it_must_be_is_explained() -> None:
    reconciled = hold_against(books({"T1": T1, "T2": T2, "T3": {}}), LOSSES)
    assert reconciled.is_clean
    text = printed(reconciled)
    assert "5 differences in money: 4 explained" in text
    assert "1 that nothing in the log accounts for; 0 others" in " ".join(text.split())
    assert "drop variance, unexplained" in text
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize(
    ("tables", "mispaid", "said"),
    [
        ({"T1": {**T1, "overpaid": -61_00}, "T2": T2}, None, "payout errors of $36.00 in all"),
        (
            {"T1": T1, "T2": T2},
            {**MISPAID, ("T2", "T2-R9"): -1},
            "T2, T2-R9: a payout error of $0.01",
        ),
        ({"T1": T1, "T2": T2}, {("T1", "T1-R1"): -60_00}, "the books have $0.00 in that round"),
        (
            {"T1": {**T1, "tray_variance": -509_99}, "T2": T2},
            None,
            "a tray variance of -$509.99, and not -$510.00",
        ),
        ({"T1": {**T1, "found": 0}, "T2": T2}, None, "findings explain -$10.00 of -$510.00"),
        ({"T1": T1, "T2": {**T2, "unexplained_drop": 0}}, None, "$0.00 unexplained, and not"),
        ({"T1": T1, "T2": T2, "T3": {"tray_variance": 5}}, None, "T3: a tray variance of $0.05"),
        ({"T1": T1}, None, "the table is not in the report"),
    ],
)
def test_whatever_else_the_books_say_is_named(
    tables: dict[str, dict[str, int]], mispaid: dict[tuple[str, str], int] | None, said: str
) -> None:
    reconciled = hold_against(books(tables, mispaid), LOSSES)
    assert not reconciled.is_clean
    assert said in printed(reconciled, 120)


def test_what_nobody_saw_may_be_explained_by_that_or_left_and_not_be_something_else() -> None:
    unseen = Loss("T1", "unseen payments", Place.TRAY, -64_00, is_proved=False)
    for unexplained, is_clean in ((0, True), (64_00, True), (63_00, False)):
        seen = {"tray_variance": 64_00, "unexplained_tray": unexplained}
        reconciled = hold_against(books({"T1": seen}, {("", ""): 0}), [unseen])
        assert reconciled.is_clean is is_clean, unexplained


def test_tables_stand_below_each_other_with_their_sums() -> None:
    out = io.StringIO()
    print_reconciliation(Page(out, columns=100), books({"T1": T1, "T2": T2}).reconciliation)
    text = out.getvalue()
    assert "-510.00" in text
    assert "by_hand" not in text, "a cause that accounts for nothing"
    assert text.count("2026-03-01") == 1, "not in every row"
    assert max(map(len, text.splitlines())) <= 100


def test_a_refusal_is_shown_whatever_it_is_for() -> None:
    out = io.StringIO()
    some = [Refusal("coupons issued", "duplicate: c-1", is_planted=True)]
    print_refusals(Page(out, columns=100), some)
    print_remarks(Page(out, columns=100), ["T1, fill issued: three have signed"])
    print_said(Page(out, columns=100), [Said("slip gap", "T1", "")])
    assert "refused   coupons issued: duplicate: c-1" in out.getvalue()
    assert "remark    T1, fill issued: three" in out.getvalue()
    assert out.getvalue().rstrip().endswith("nothing")
