"""Hold variance: the hold of each table against its base, by the line of a State.

The base is the table's own hold of the month before these days; where there is none, theory.
"""

from __future__ import annotations

from typing import Final

from accounting.domain.reports import leaves
from accounting.domain.reports.composition import (
    EMPTY,
    Cell,
    Kind,
    Part,
    Period,
    added,
    by_formula,
    figure,
    less,
    ratio,
    summed,
)
from accounting.domain.reports.expected_win import Expecting
from accounting.domain.reports.inputs import Figures, TableDay
from accounting.domain.reports.master_games import is_whole, lacking
from accounting.domain.reports.report import (
    Grid,
    Question,
    Report,
    ReportKind,
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
    result("win", "Physical win"),
    share_column("hold", "Hold"),
    result("theoretical", "Theoretical win"),
    share_column("theoretical_hold", "Theoretical hold"),
    share_column("month", "Hold of the month before"),
    share_column("base", "Base"),
    text("base_is", "Base is"),
    share_column("points", "Points from base"),
    share_column("threshold", "Threshold"),
    text("case", "Case"),
)


def build(figures: Figures, question: Question) -> Report:
    preset = question.preset or PRESETS[0]
    grid = Grid(COLUMNS, added=("drop", "win", "theoretical"))
    expected: list[Part] = []
    for table in sorted({each.table for each in figures.tables}):
        cells = _row(figures, question, preset, table)
        grid.add((table,), cells)
        if "theoretical" in cells and cells["theoretical"].value is not None:
            expected.append(Part(table, cells["drop"]))
    rule = (
        "a case is a win outside the 95 % interval of theory"
        if preset == MARYLAND
        else f"a case is a hold {POINTS[preset] / 10_000:g} points or more from its base"
    )
    notes = [
        f"Preset {preset}: {rule}. The base is the table's hold of the month before these days,"
        " or theory where there is none; theory alone for maryland.",
        *lacking(figures.tables),
    ]
    totals = grid.totals(
        {
            "table": Cell("total"),
            "hold": ratio(
                Part("physical win", grid.total("win")), Part("drop", grid.total("drop"))
            ),
            "theoretical_hold": ratio(
                Part("theoretical win", grid.total("theoretical")),
                Part("drop of tables that have a theory", added(expected)),
            ),
        }
    )
    return Report(KIND.name, KIND.title, COLUMNS, grid.rows, grid.names, totals, tuple(notes))


def _row(figures: Figures, question: Question, preset: str, table: str) -> dict[str, Cell]:
    days = [each for each in figures.tables if each.table == table]
    cells = {"table": Cell(table)}
    if not all(map(is_whole, days)):
        return cells | {"case": Cell("not counted")}
    sums = summed(each.sums for each in days)
    scope = {"table": (table,)}
    cells["drop"] = figure(sums, leaves.DROP, question.period, scope)
    cells["win"] = figure(sums, leaves.PHYSICAL_WIN, question.period, scope)
    plays = [each for each in figures.play if each.table == table]
    expecting = Expecting(plays, figures.rules, question.period, scope)
    cells["theoretical"] = expecting.theoretical
    if not cells["drop"].value:
        return cells
    drop = Part("drop", cells["drop"])
    cells["hold"] = ratio(Part("physical win", cells["win"]), drop)
    cells["theoretical_hold"] = expecting.of(drop)
    cells["month"] = _month(figures.month, table)
    base, base_is = _base(cells, preset)
    if base.value is None:
        return cells
    hold = Part("hold", cells["hold"], Kind.SHARE)
    points = added((hold, less(Part("base", base, Kind.SHARE))))
    threshold = _threshold(expecting, preset, drop)
    far = isinstance(points.value, int) and isinstance(threshold.value, int)
    is_case = far and abs(int(points.value or 0)) >= int(threshold.value or 0)
    return cells | {
        "base": by_formula(
            int(base.value), f"the hold of {base_is}", Part(base_is, base, Kind.SHARE)
        ),
        "base_is": Cell(base_is),
        "points": points,
        "threshold": threshold,
        "case": Cell("investigate" if is_case else ""),
    }


def _base(cells: dict[str, Cell], preset: str) -> tuple[Cell, str]:
    if cells["month"].value is not None and preset != MARYLAND:
        return cells["month"], "month to date"
    return cells["theoretical_hold"], "theory"


def _threshold(expecting: Expecting, preset: str, drop: Part) -> Cell:
    if preset in POINTS:
        stated = Part(RULES[preset], Cell(POINTS[preset]), Kind.SHARE)
        return by_formula(POINTS[preset], f"as {RULES[preset]} has it", stated)
    deviation = Part("standard deviation of theory", expecting.deviation)
    by = ratio(deviation, drop).value
    if not isinstance(by, int):
        return EMPTY
    return by_formula(
        round(INTERVAL * by), f"{INTERVAL} x standard deviation of theory / drop", deviation, drop
    )


def _month(days: list[TableDay], table: str) -> Cell:
    """The hold of the whole days of the month."""
    whole = [each for each in days if each.table == table and is_whole(each)]
    wins, drops = (
        added(
            Part(
                each.day,
                figure(each.sums, terms, Period(each.day, each.day), {"table": (table,)}),
            )
            for each in whole
        )
        for terms in (leaves.PHYSICAL_WIN, leaves.DROP)
    )
    return ratio(Part("physical win of the days before", wins), Part("drop of those days", drops))


KIND: Final = ReportKind(
    "hold_variance",
    "Hold variance",
    "The hold of each table against its base, and whether a State's line calls for a case.",
    ("tables", "month", "play"),
    build,
    PRESETS,
)
