"""The three-way reconciliation: count win, system win and theoretical win.

For each table and day

    count win   = win as paid + undetermined + float variance + drop variance
    win as paid = win as owed + overpaid + underpaid

(overpaid is a loss for the house, and negative). Each variance is split into its causes and an
unexplained rest.
"""

from __future__ import annotations

from typing import Final

from accounting.domain.reports import explained_differences, leaves
from accounting.domain.reports.composition import (
    Component,
    Period,
    ReportCell,
    added,
    figure,
    less,
    summed,
)
from accounting.domain.reports.expected_win import ExpectedWin, theory_of, without_theory
from accounting.domain.reports.explained_differences import (
    Explanation,
    explain,
    hand_cause,
    tray_causes,
)
from accounting.domain.reports.inputs import ReportInputs, TableDay, WagerTotals
from accounting.domain.reports.leaves import Leaf
from accounting.domain.reports.master_games import is_whole, missing_inputs
from accounting.domain.reports.report import (
    Report,
    ReportKind,
    ReportQuery,
    ReportRows,
    capped,
    cents,
    number,
    result,
    text,
)
from accounting.domain.reports.tax import tax_notes
from blackjack.display_names import wager_name
from blackjack.money import format_cents

CAUSES: Final = (
    (explained_differences.OTHER_DAY, "Corrections of another day"),
    (explained_differences.FOUND, "Float findings"),
    (explained_differences.NO_WAGER, "Paid or taken without a wager"),
    (explained_differences.BY_HAND, "Manual adjustments"),
    (explained_differences.ERROR_SLIP, "Error slips"),
    (explained_differences.UNOBSERVED, "Unobserved payments"),
    (explained_differences.INCOMPLETE, "Incomplete rounds"),
)
COLUMNS: Final = (
    text("day", "Gaming day"),
    text("table", "Table"),
    result("physical", "Count win"),
    result("owed", "System win as owed"),
    result("paid", "System win as paid"),
    result("theoretical", "Theoretical win"),
    number("z", "z"),
    result("undetermined", "Undetermined"),
    cents("undetermined_least", "Undetermined, minimum owed"),
    cents("undetermined_most", "Undetermined, maximum owed"),
    cents("promotion_cost", "Promotion cost"),
    result("overpaid", "Overpaid"),
    result("underpaid", "Underpaid"),
    cents("expected_closer", "Expected closer"),
    result("tray_variance", "Float variance"),
    result("drop_variance", "Drop variance"),
    *(result(f"drop_variance_{kind}", f"Drop variance, {kind}") for kind in leaves.TENDERS),
    result("entered", "Manual entries"),
    *(result(key, title) for key, title in CAUSES),
    result("unexplained_tray", "Unexplained, float"),
    result("unexplained_drop", "Unexplained, drop"),
)
ON_HAND: Final = ("tray", "box")
"""The accounts of a table that take manual entries."""
ADDED: Final = tuple(column.key for column in COLUMNS if column.key not in ("day", "table", "z"))
_FROM_ROUNDS: Final = {
    "owed": leaves.OWED_WIN,
    "paid": leaves.PAID_WIN,
    "undetermined": leaves.UNDETERMINED,
    "undetermined_least": ((Leaf.UNDETERMINED_LEAST, 1),),
    "undetermined_most": ((Leaf.UNDETERMINED_MOST, 1),),
    "promotion_cost": leaves.PROMOTION_COST,
    "overpaid": ((Leaf.OVERPAID, -1),),
    "underpaid": ((Leaf.UNDERPAID, -1),),
}


def build(inputs: ReportInputs, query: ReportQuery) -> Report:
    grid = ReportRows(COLUMNS, added=ADDED)
    counted = {(table_day.day, table_day.table): table_day for table_day in inputs.tables}
    played: dict[tuple[str, str], list[WagerTotals]] = {}
    for play in inputs.play:
        played.setdefault((play.day, play.table), []).append(play)
    lines: list[str] = []
    entered = {(entry.day, entry.table) for entry in inputs.by_hand}
    for day, table in sorted(counted.keys() | played.keys() | entered):
        at = counted.get((day, table), TableDay(day, table, {}))
        cells, explained = _row(inputs, at, played.get((day, table), []))
        grid.add((day, table), cells)
        lines += explained
    expecting = ExpectedWin(inputs.play, inputs.rules, query.period, query.scope)
    totals = grid.totals({"day": ReportCell("total"), "z": expecting.z})
    sums = summed(play.sums for play in inputs.play)
    return Report(
        KIND.name,
        KIND.title,
        COLUMNS,
        grid.rows,
        grid.names,
        totals,
        (
            *missing_inputs([counted[key] for key in sorted(counted)]),
            *_theory_notes(inputs),
            *tax_notes(sums, query),
            *capped(dict.fromkeys([*_hand_lines(inputs), *_error_lines(inputs), *lines])),
        ),
    )


def _row(
    inputs: ReportInputs, at: TableDay, plays: list[WagerTotals]
) -> tuple[dict[str, ReportCell], list[str]]:
    period, scope = Period(at.day, at.day), {"table": (at.table,)}
    sums = summed([at.sums, *(play.sums for play in plays)])
    cells = {"day": ReportCell(at.day), "table": ReportCell(at.table)}
    cells |= {key: figure(sums, terms, period, scope) for key, terms in _FROM_ROUNDS.items()}
    expecting = ExpectedWin(plays, inputs.rules, period, scope)
    cells |= {"theoretical": expecting.theoretical, "z": expecting.z}
    if is_whole(at):
        cells["physical"] = figure(sums, leaves.COUNT_WIN, period, scope)
    by_hand = [hand_cause(inputs, at.day, at.table, account) for account in ON_HAND]
    cells["entered"] = added(part for cause in by_hand for part in cause.parts)
    lines: list[str] = []
    parts: dict[str, list[Component]] = {}
    if at.is_closed:
        cells["expected_closer"] = figure(sums, leaves.EXPECTED_CLOSER, period, scope)
        variance = cells["tray_variance"] = figure(sums, leaves.TRAY_VARIANCE, period, scope)
        explained = explain(_cents(variance), tray_causes(inputs, at.day, at.table))
        cells["unexplained_tray"] = _left("float variance", variance, explained)
        _take(explained, parts, lines)
    if at.is_counted:
        variance = cells["drop_variance"] = figure(sums, leaves.DROP_VARIANCE, period, scope)
        for kind, terms in leaves.DROP_VARIANCE_BY_KIND.items():
            cells[f"drop_variance_{kind}"] = figure(sums, terms, period, scope)
        explained = explain(_cents(variance), [hand_cause(inputs, at.day, at.table, "box")])
        cells["unexplained_drop"] = _left("drop variance", variance, explained)
        _take(explained, parts, lines)
    if at.is_closed or at.is_counted:
        cells |= {key: added(parts.get(key, ())) for key, _ in CAUSES}
    return cells, lines


def _cents(cell: ReportCell) -> int:
    return cell.value if isinstance(cell.value, int) else 0


def _left(words: str, variance: ReportCell, explained: Explanation) -> ReportCell:
    """The variance minus its explained parts."""
    taken = [less(part) for parts in explained.by_cause.values() for part in parts]
    return added((Component(words, variance), *taken))


def _take(explained: Explanation, parts: dict[str, list[Component]], lines: list[str]) -> None:
    for cause, some in explained.by_cause.items():
        parts.setdefault(cause, []).extend(some)
    lines += explained.lines


def _hand_lines(inputs: ReportInputs) -> list[str]:
    """Manual entries on trays and boxes, with or without a difference to correct."""
    return [
        part.words
        for day, table in dict.fromkeys((entry.day, entry.table) for entry in inputs.by_hand)
        for account in ON_HAND
        for part in hand_cause(inputs, day, table, account).parts
    ]


def _error_lines(inputs: ReportInputs) -> list[str]:
    """Payout errors, the largest first."""
    standing = sorted(
        (error for error in inputs.errors if error.difference),
        key=lambda error: -abs(error.difference),
    )
    return [
        f"{'Overpaid' if error.difference > 0 else 'Underpaid'}"
        f" {format_cents(abs(error.difference))}: {error.table}, round {error.round}, seat"
        f" {error.seat}, {wager_name(error.wager)}"
        for error in standing
    ]


def _theory_notes(inputs: ReportInputs) -> list[str]:
    notes: list[str] = []
    if theory_of(inputs.play, inputs.rules) is not None:
        notes.append(
            "z compares the win as owed, without coupons, with the theoretical win of the same"
            " wagers. Standard deviations of different wagers are added, which is an upper bound:"
            " |z| is at least the value shown."
        )
    left = without_theory(inputs.play, inputs.rules)
    if left:
        some = ", ".join(
            f"{wager_name(wager)} {format_cents(cents_)}" for wager, cents_ in sorted(left.items())
        )
        notes.append(f"Placed without theory, because rules or odds are unknown: {some}.")
    return notes


KIND: Final = ReportKind(
    "reconciliation",
    "Three-way reconciliation",
    "Count win, system win and theoretical win side by side, with the causes of differences.",
    ("tables", "play", "errors", "unseen", "findings", "corrections", "by_hand", "error_slips"),
    build,
)
