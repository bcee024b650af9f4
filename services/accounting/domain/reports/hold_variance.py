"""Hold variance: the hold of each table against its base, by the threshold of a State.

The base is the table's own month-to-date hold before these days; without one, theoretical hold.
"""

from __future__ import annotations

from typing import Final

from accounting.domain.reports import leaves
from accounting.domain.reports.composition import (
    EMPTY,
    Component,
    Period,
    ReportCell,
    ValueKind,
    added,
    by_formula,
    figure,
    less,
    ratio,
    summed,
)
from accounting.domain.reports.expected_win import ExpectedWin
from accounting.domain.reports.inputs import ReportInputs, TableDay
from accounting.domain.reports.master_games import is_whole, missing_inputs
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

POINTS: Final = {"kansas": 30_000, "ohio": 40_000}
"""Points from base, in millionths."""
RULES: Final = {"kansas": "K.A.R. 112-108-51", "ohio": "Ohio 3772-10-08"}
MARYLAND: Final = "maryland"
"""The 95 % interval of theory (36.05.03.25)."""
INTERVAL: Final = 1.959964
PRESETS: Final = (*POINTS, MARYLAND)

COLUMNS: Final = (
    text("table", "Table"),
    cents("drop", "Drop"),
    result("win", "Count win"),
    share_column("hold", "Hold %"),
    result("theoretical", "Theoretical win"),
    share_column("theoretical_hold", "Theoretical hold %"),
    share_column("month", "Month-to-date hold %"),
    share_column("base", "Base hold %"),
    text("base_is", "Base source"),
    share_column("points", "Points from base, %"),
    share_column("threshold", "Threshold, %"),
    text("case", "Case"),
)


def build(inputs: ReportInputs, query: ReportQuery) -> Report:
    preset = query.preset or PRESETS[0]
    grid = ReportRows(COLUMNS, added=("drop", "win", "theoretical"))
    expected: list[Component] = []
    for table in sorted({table_day.table for table_day in inputs.tables}):
        cells = _row(inputs, query, preset, table)
        grid.add((table,), cells)
        if "theoretical" in cells and cells["theoretical"].value is not None:
            expected.append(Component(table, cells["drop"]))
    rule = (
        "a case is a win outside the 95 % interval of theory"
        if preset == MARYLAND
        else f"a case is a hold {POINTS[preset] / 10_000:g} points or more from its base"
    )
    notes = [
        f"{preset.capitalize()} rule: {rule}. The base is the table's month-to-date hold before"
        " these days, or else the theoretical hold; for Maryland always the latter.",
        *missing_inputs(inputs.tables),
    ]
    totals = grid.totals(
        {
            "table": ReportCell("total"),
            "hold": ratio(
                Component("count win", grid.total("win")), Component("drop", grid.total("drop"))
            ),
            "theoretical_hold": ratio(
                Component("theoretical win", grid.total("theoretical")),
                Component("drop of tables with theory", added(expected)),
            ),
        }
    )
    return Report(KIND.name, KIND.title, COLUMNS, grid.rows, grid.names, totals, tuple(notes))


def _row(
    inputs: ReportInputs, query: ReportQuery, preset: str, table: str
) -> dict[str, ReportCell]:
    days = [table_day for table_day in inputs.tables if table_day.table == table]
    cells = {"table": ReportCell(table)}
    if not all(map(is_whole, days)):
        return cells | {"case": ReportCell("not counted")}
    sums = summed(day.sums for day in days)
    scope = {"table": (table,)}
    cells["drop"] = figure(sums, leaves.DROP, query.period, scope)
    cells["win"] = figure(sums, leaves.COUNT_WIN, query.period, scope)
    plays = [play for play in inputs.play if play.table == table]
    expecting = ExpectedWin(plays, inputs.rules, query.period, scope)
    cells["theoretical"] = expecting.theoretical
    if not cells["drop"].value:
        return cells
    drop = Component("drop", cells["drop"])
    cells["hold"] = ratio(Component("count win", cells["win"]), drop)
    cells["theoretical_hold"] = expecting.of(drop)
    cells["month"] = _month(inputs.month, table)
    base, base_is = _base(cells, preset)
    if base.value is None:
        return cells
    hold = Component("hold", cells["hold"], ValueKind.SHARE)
    points = added((hold, less(Component("base", base, ValueKind.SHARE))))
    threshold = _threshold(expecting, preset, drop)
    far = isinstance(points.value, int) and isinstance(threshold.value, int)
    is_case = far and abs(int(points.value or 0)) >= int(threshold.value or 0)
    return cells | {
        "base": by_formula(
            int(base.value), f"the hold of {base_is}", Component(base_is, base, ValueKind.SHARE)
        ),
        "base_is": ReportCell(base_is),
        "points": points,
        "threshold": threshold,
        "case": ReportCell("investigate" if is_case else ""),
    }


def _base(cells: dict[str, ReportCell], preset: str) -> tuple[ReportCell, str]:
    if cells["month"].value is not None and preset != MARYLAND:
        return cells["month"], "month to date"
    return cells["theoretical_hold"], "theory"


def _threshold(expecting: ExpectedWin, preset: str, drop: Component) -> ReportCell:
    if preset in POINTS:
        stated = Component(RULES[preset], ReportCell(POINTS[preset]), ValueKind.SHARE)
        return by_formula(POINTS[preset], f"by {RULES[preset]}", stated)
    deviation = Component("standard deviation of theory", expecting.deviation)
    by = ratio(deviation, drop).value
    if not isinstance(by, int):
        return EMPTY
    return by_formula(
        round(INTERVAL * by), f"{INTERVAL} x standard deviation of theory / drop", deviation, drop
    )


def _month(days: list[TableDay], table: str) -> ReportCell:
    """The hold of the complete days of the month."""
    whole = [day for day in days if day.table == table and is_whole(day)]
    wins, drops = (
        added(
            Component(
                table_day.day,
                figure(
                    table_day.sums, terms, Period(table_day.day, table_day.day), {"table": (table,)}
                ),
            )
            for table_day in whole
        )
        for terms in (leaves.COUNT_WIN, leaves.DROP)
    )
    return ratio(
        Component("count win of the days before", wins), Component("drop of those days", drops)
    )


KIND: Final = ReportKind(
    "hold_variance",
    "Hold variance",
    "The hold of each table against its base, and cases over the threshold of a State.",
    ("tables", "month", "play"),
    build,
    PRESETS,
)
