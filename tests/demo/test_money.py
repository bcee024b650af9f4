"""Planted losses, compared with a ledger of the same day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from deploy.demo.money import Place, by_table, planted_losses, unseen_losses
from deploy.demo.reconciled import EXCEPTIONS, RECONCILIATION, compare_books
from deploy.demo.reconciled import Books as Reports
from deploy.demo.runs import PLAN
from table_simulator.days.day import simulate
from tests.accounting.asked import DAY, report
from tests.accounting.books import Books, Log
from tests.accounting.conftest import make_books as make_books
from wire import topics
from wire.settlement import decode_round

ACCOUNTS = {
    Place.PAYOUTS: ("receivable", "payable"),
    Place.TRAY: ("tray",),
    Place.DROP: ("box",),
}


@pytest.mark.parametrize(
    "seed", [8, *(pytest.param(seed, marks=pytest.mark.proof) for seed in (1, 7))]
)
def test_every_planted_cent_is_what_remains_on_an_account(
    seed: int, make_books: Callable[[], Books]
) -> None:
    """The reconciliation explains all of it, except for the missing bills.

    With seeds 7 and 8, chips moved unobserved on side bets that cannot be judged.
    """
    yesterday = (date.fromisoformat(DAY) - timedelta(days=1)).isoformat()
    day = simulate(seed=seed, tables=12, rounds=40, plan=PLAN)
    log, books = Log(), make_books()
    log.play(day)
    books.take(log.messages())
    rounds = {
        (settled.table, settled.round): settled
        for record in log.messages([topics.SETTLED_ROUNDS])
        for settled in [decode_round(record.body)]
    }
    planted = planted_losses(day)
    unseen = list(unseen_losses(day, rounds.values(), planted))
    assert bool(unseen) is (seed in (7, 8))
    expected = by_table([*planted, *unseen])
    for table in day.tables:
        for place, kinds in ACCOUNTS.items():
            (found,) = books.ask(
                "SELECT coalesce(sum(CASE WHEN a.id = t.debit THEN cents ELSE -cents END), 0)"
                " FROM transfers t JOIN accounts a ON a.id IN (t.debit, t.credit)"
                " WHERE a.table_id = %s AND a.kind = ANY(%s)",
                table,
                list(kinds),
            )
            assert found == (expected.get((table, place), 0),), (table, place)
    reports = [
        report(books, name, day=yesterday, until_day=DAY).report
        for name in (RECONCILIATION, EXCEPTIONS)
    ]
    reconciled = compare_books(Reports(*reports), [*planted, *unseen])
    assert (reconciled.surplus, [e for e in reconciled.explanations if e.problem]) == ([], [])
    assert all(
        explanation.is_explained is (explanation.loss.place is not Place.DROP)
        for explanation in reconciled.explanations
    )


def test_a_day_without_faults_has_nothing_planted_in_money() -> None:
    assert planted_losses(simulate(seed=3, tables=5, rounds=10)) == []
