"""The trial balance: the movements on each account in a range of days."""

from __future__ import annotations

from typing import Final

from accounting.domain.reports.composition import ReportCell, figure
from accounting.domain.reports.inputs import ReportInputs
from accounting.domain.reports.leaves import Leaf
from accounting.domain.reports.report import (
    Report,
    ReportKind,
    ReportQuery,
    ReportRows,
    cents,
    text,
)

COLUMNS: Final = (
    text("account", "Account"),
    text("class", "Class"),
    cents("debit", "Debit"),
    cents("credit", "Credit"),
    cents("balance", "Balance"),
)


def build(inputs: ReportInputs, query: ReportQuery) -> Report:
    grid = ReportRows(COLUMNS, added=("debit", "credit", "balance"))
    for account in inputs.accounts:
        sums = {Leaf.DEBIT: account.debit, Leaf.CREDIT: account.credit}
        scope = {"account": (account.account,)}
        grid.add(
            (account.account,),
            {
                "account": ReportCell(account.account),
                "class": ReportCell(account.account_class),
                "debit": figure(sums, ((Leaf.DEBIT, 1),), query.period, scope),
                "credit": figure(sums, ((Leaf.CREDIT, 1),), query.period, scope),
                "balance": figure(sums, ((Leaf.DEBIT, 1), (Leaf.CREDIT, -1)), query.period, scope),
            },
        )
    notes = ["Movements of these days, without opening balances; a debit balance is positive."]
    if query.table:
        notes.append(f"Accounts of table {query.table} only: they need not balance.")
    totals = grid.totals({"account": ReportCell("total")})
    return Report(KIND.name, KIND.title, COLUMNS, grid.rows, grid.names, totals, tuple(notes))


KIND: Final = ReportKind(
    "trial_balance",
    "Trial balance",
    "Debits, credits and balance of every account that moved.",
    ("accounts",),
    build,
)
