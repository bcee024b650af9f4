"""The master games report: the counted tray and drop box of each table and day."""

from __future__ import annotations

from typing import Final

from accounting.domain.reports import leaves
from accounting.domain.reports.composition import (
    Component,
    Period,
    ReportCell,
    added,
    figure,
    ratio,
)
from accounting.domain.reports.inputs import ReportInputs, TableDay
from accounting.domain.reports.leaves import Leaf
from accounting.domain.reports.report import (
    Report,
    ReportKind,
    ReportQuery,
    ReportRows,
    cents,
    result,
    share_column,
    text,
)

COLUMNS: Final = (
    text("day", "Gaming day"),
    text("table", "Table"),
    cents("opener", "Opener"),
    cents("fills", "Fills"),
    cents("credits", "Credits"),
    cents("closer", "Closer"),
    cents("drop_currency", "Currency"),
    cents("drop_debit", "Debit slips"),
    cents("drop_tickets", "Tickets"),
    cents("drop_checks", "Checks"),
    cents("drop_chips", "Chips in box"),
    cents("drop", "Drop"),
    cents("coupons_counted", "Coupons counted"),
    cents("tickets_issued", "Tickets issued"),
    result("win", "Win"),
    share_column("hold", "Hold %"),
    text("slips", "Slip numbers"),
    text("signers", "Signers"),
)
ADDED: Final = (
    "opener", "fills", "credits", "closer", "drop_currency", "drop_debit", "drop_tickets",
    "drop_checks", "drop_chips", "drop", "coupons_counted", "tickets_issued", "win",
)  # fmt: skip


def build(inputs: ReportInputs, _: ReportQuery) -> Report:
    grid = ReportRows(COLUMNS, added=ADDED)
    slips: dict[tuple[str, str], list[tuple[str, tuple[str, ...]]]] = {}
    for slip in inputs.slips:
        if not slip.is_before and slip.table and slip.name:
            slips.setdefault((slip.day, slip.table), []).append((slip.name, slip.signers))
    drops: list[Component] = []
    for table_day in inputs.tables:
        cells = _row(table_day, slips.get((table_day.day, table_day.table), []))
        grid.add((table_day.day, table_day.table), cells)
        if is_whole(table_day):
            drops.append(Component(f"{table_day.day} {table_day.table}", cells["drop"]))
    hold = ratio(
        Component("win", grid.total("win")),
        Component("drop of tables with a win", added(drops)),
    )
    return Report(
        KIND.name,
        KIND.title,
        COLUMNS,
        grid.rows,
        grid.names,
        grid.totals({"day": ReportCell("total"), "hold": hold}),
        tuple(missing_inputs(inputs.tables)),
    )


def _row(table_day: TableDay, slips: list[tuple[str, tuple[str, ...]]]) -> dict[str, ReportCell]:
    period, scope = Period(table_day.day, table_day.day), {"table": (table_day.table,)}
    numbers = sorted({name for name, _ in slips})
    signers = sorted({signer for _, signed in slips for signer in signed if signer})
    cells = {
        "day": ReportCell(table_day.day),
        "table": ReportCell(table_day.table),
        "fills": figure(table_day.sums, leaves.FILLS, period, scope),
        "credits": figure(table_day.sums, leaves.CREDITS, period, scope),
        "tickets_issued": figure(table_day.sums, leaves.TICKETS_ISSUED, period, scope),
        "slips": ReportCell(", ".join(numbers)),
        "signers": ReportCell(", ".join(signers)),
    }
    if table_day.openers:
        cells["opener"] = figure(table_day.sums, leaves.OPENER, period, scope)
    if table_day.closers:
        cells["closer"] = figure(table_day.sums, leaves.CLOSER, period, scope)
    if table_day.counts:
        for leaf, _ in (*leaves.DROP, (Leaf.COUPONS_COUNTED, 1)):
            cells[leaf.value] = figure(table_day.sums, ((leaf, 1),), period, scope)
        cells["drop"] = figure(table_day.sums, leaves.DROP, period, scope)
    if is_whole(table_day):
        cells["win"] = figure(table_day.sums, leaves.COUNT_WIN, period, scope)
        cells["hold"] = ratio(Component("win", cells["win"]), Component("drop", cells["drop"]))
    return cells


def is_whole(table_day: TableDay) -> bool:
    """Whether there is a count win: opener, closer and all boxes are counted."""
    return table_day.is_closed and table_day.is_counted


def missing_inputs(tables: list[TableDay]) -> list[str]:
    """Notes on tables whose win is empty because a count is missing."""
    lines: list[str] = []
    for words, some in (
        (
            "no closer",
            [table_day for table_day in tables if not table_day.is_closed],
        ),
        ("no count", [table_day for table_day in tables if not table_day.is_counted]),
    ):
        if some:
            names = ", ".join(sorted({item.table for item in some}))
            lines.append(f"Incomplete, {words}: {names}. Amounts that depend on it are empty.")
    return lines


KIND: Final = ReportKind(
    "master_games",
    "Master games report",
    "Opener, fills, credits, closer, drop by type, win and hold % of each table and day.",
    ("tables", "slips"),
    build,
)
