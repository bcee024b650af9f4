"""Tickets and checks in the books: what is dropped, what is owed, and what a day's win is."""

from __future__ import annotations

from collections import Counter

import pytest

from accounting.domain.cage import DropLine, checked_count, drop_cents, drop_counted
from accounting.domain.cash import ImpossibleAmount, changes
from accounting.domain.reports.inputs import ReportInputs, TableDay
from accounting.domain.reports.leaves import Leaf
from blackjack.facts import ChipsSold, Tender, TicketIssued
from bookkeeping.transfers import Change
from tests.accounting.test_report_rules import DAY, made

KINDS = {
    Tender.CASH: ("currency", "cage_cash"),
    Tender.DEBIT: ("debit", "cage_debit"),
    Tender.TICKET: ("tickets", "tickets"),
    Tender.CHECK: ("checks", "cage_checks"),
}


def totals(*every: list[Change]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for changed in every:
        assert sum(cents for _, cents in changed) == 0
        for account, cents in changed:
            found[account.code] += cents
    return {code: cents for code, cents in found.items() if cents}


@pytest.mark.parametrize("tender", Tender)
def test_what_chips_were_sold_for_is_counted_out_of_the_box(tender: Tender) -> None:
    kind, account = KINDS[tender]
    sold = changes("BJ-07", ChipsSold(500_00, tender))
    assert totals(sold) == {
        "box/BJ-07": 500_00, "tray/BJ-07": -500_00, "custody": 500_00, "float": -500_00,
    }  # fmt: skip
    counts = checked_count([DropLine(kind, 125_00, 4)])
    assert drop_cents(counts) == 500_00
    counted = drop_counted("BJ-07", counts)
    assert totals(sold, counted) == {
        account: 500_00, "tray/BJ-07": -500_00, "custody": 500_00, "float": -500_00,
    }  # fmt: skip


def test_a_ticket_issued_is_owed_until_it_is_counted_in_a_box() -> None:
    issued = changes("BJ-07", TicketIssued(250_00, "0042-7731"))
    assert totals(issued) == {
        "tray/BJ-07": 250_00, "tickets": -250_00, "custody": -250_00, "float": 250_00,
    }  # fmt: skip
    spent = changes("BJ-08", ChipsSold(250_00, Tender.TICKET))
    counted = drop_counted("BJ-08", [DropLine("tickets", 250_00, 1)])
    assert totals(issued, spent, counted) == {"tray/BJ-07": 250_00, "tray/BJ-08": -250_00}


@pytest.mark.parametrize("kind", ["ticket", "check", "cash", "jewels"])
def test_a_kind_that_no_box_holds_is_refused(kind: str) -> None:
    with pytest.raises(ImpossibleAmount, match=f"Invalid kind '{kind}'"):
        checked_count([DropLine(kind, 100, 1)])


SUMS = {
    Leaf.OPENER: 10_000_00,
    Leaf.SOLD_CASH: 500_00,
    Leaf.SOLD_DEBIT: 100_00,
    Leaf.SOLD_TICKETS: 200_00,
    Leaf.SOLD_CHECKS: 300_00,
    Leaf.TICKETS_ISSUED: 250_00,
    Leaf.CLOSER: 9_150_00,
    Leaf.DROP_CURRENCY: 500_00,
    Leaf.DROP_DEBIT: 100_00,
    Leaf.DROP_TICKETS: 200_00,
    Leaf.DROP_CHECKS: 300_00,
}
"""A table that won nothing: chips only changed hands."""


def a_table(**counted: int) -> ReportInputs:
    sums = SUMS | {Leaf(name): cents for name, cents in counted.items()}
    return ReportInputs(tables=[TableDay(DAY, "T1", sums, openers=1, closers=1, counts=1)])


def test_a_legal_exchange_is_in_the_expected_closer_and_no_win() -> None:
    _, (row,) = made("reconciliation", a_table())
    assert row["expected_closer"] == 9_150_00
    for key in ("physical", "tray_variance", "drop_variance", "unexplained_tray"):
        assert row[key] == 0
    for kind, _ in KINDS.values():
        assert row[f"drop_variance_{kind}"] == 0


def test_a_ticket_that_was_counted_as_currency_shows_by_kind() -> None:
    _, (row,) = made("reconciliation", a_table(drop_currency=700_00, drop_tickets=0))
    assert row["drop_variance"] == 0
    assert row["drop_variance_currency"] == 200_00
    assert row["drop_variance_tickets"] == -200_00
    assert row["drop_variance_checks"] == 0


def test_a_check_that_is_missing_from_the_box_is_drop_variance() -> None:
    _, (row,) = made("reconciliation", a_table(drop_checks=0))
    assert row["drop_variance"] == row["drop_variance_checks"] == row["physical"] == -300_00
    assert row["tray_variance"] == 0


def test_the_master_games_report_has_the_drop_by_type() -> None:
    _, (row,) = made("master_games", a_table())
    assert [row[f"drop_{kind}"] for kind, _ in KINDS.values()] == [
        500_00,
        100_00,
        200_00,
        300_00,
    ]
    assert row["drop"] == 1_100_00
    assert row["tickets_issued"] == 250_00
    assert row["win"] == 0


def test_tickets_paid_out_of_a_winning_tray_lower_no_win() -> None:
    before, after = a_table(closer=9_350_00), a_table(closer=9_650_00, tickets_issued=550_00)
    wins = [made("master_games", figures)[1][0]["win"] for figures in (before, after)]
    assert wins == [200_00, 200_00]
