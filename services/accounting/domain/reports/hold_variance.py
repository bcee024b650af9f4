"""Hold variance: the hold of each table against its base, by the line of a State.

The base is the table's own hold of the month before these days; where there is none, theory.
"""

from __future__ import annotations

from typing import Final

from accounting.domain.reports import leaves
from accounting.domain.reports.figures import Figures, TableDay, theory_of
from accounting.domain.reports.master_games import is_whole, lacking
from accounting.domain.reports.report import (
    Cell,
    Grid,
    Question,
    Report,
    ReportKind,
    amount,
    cents,
    figure,
    share,
    share_column,
    summed,
    text,
)

POINTS: Final = {"kansas": 30_000, "ohio": 40_000}
"""Points from base, in millionths: K.A.R. 112-108-51, Ohio 3772-10-08."""
MARYLAND: Final = "maryland"
"""The 95 % interval of theory (36.05.03.25)."""
INTERVAL: Final = 1.959964
PRESETS: Final = (*POINTS, MARYLAND)

COLUMNS: Final = (
    text("table", "Table"),
    cents("drop", "Drop"),
    cents("win", "Physical win"),
    share_column("hold", "Hold"),
    cents("theoretical", "Theoretical win"),
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
    for table in sorted({each.table for each in figures.tables}):
        grid.add(_row(figures, question, preset, table))
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
        {"table": Cell("total"), "hold": share(grid.total("win"), grid.total("drop"))}
    )
    return Report(KIND.name, KIND.title, COLUMNS, grid.rows, totals, tuple(notes))


def _row(figures: Figures, question: Question, preset: str, table: str) -> dict[str, Cell]:
    days = [each for each in figures.tables if each.table == table]
    cells = {"table": Cell(table)}
    if not all(map(is_whole, days)):
        return cells | {"case": Cell("not counted")}
    sums = summed(each.sums for each in days)
    drop, win = amount(sums, leaves.DROP), amount(sums, leaves.PHYSICAL_WIN)
    scope = {"table": (table,)}
    cells["drop"] = figure(sums, leaves.DROP, question.period, scope)
    cells["win"] = figure(sums, leaves.PHYSICAL_WIN, question.period, scope)
    plays = [each for each in figures.play if each.table == table]
    theory = theory_of(plays, figures.rules)
    if theory is not None:
        cells["theoretical"] = Cell(round(theory.expected))
    if not drop:
        return cells
    cells["hold"] = share(win, drop)
    if theory is not None:
        cells["theoretical_hold"] = share(theory.expected, drop)
    month = _month(figures.month, table)
    if month is not None:
        cells["month"] = Cell(month)
    base, base_is = _base(cells, month, preset)
    if base is None:
        return cells
    points = round(win * 1_000_000 / drop) - base
    threshold = POINTS.get(preset)
    if threshold is None and theory is not None:
        threshold = round(INTERVAL * theory.deviation * 1_000_000 / drop)
    is_case = threshold is not None and abs(points) >= threshold
    return cells | {
        "base": Cell(base),
        "base_is": Cell(base_is),
        "points": Cell(points),
        "threshold": Cell(threshold),
        "case": Cell("investigate" if is_case else ""),
    }


def _base(cells: dict[str, Cell], month: int | None, preset: str) -> tuple[int | None, str]:
    if month is not None and preset != MARYLAND:
        return month, "month to date"
    theory = cells["theoretical_hold"].value if "theoretical_hold" in cells else None
    return (theory, "theory") if isinstance(theory, int) else (None, "")


def _month(days: list[TableDay], table: str) -> int | None:
    """The hold of the whole days of the month, in millionths."""
    sums = summed(each.sums for each in days if each.table == table and is_whole(each))
    drop = amount(sums, leaves.DROP)
    return round(amount(sums, leaves.PHYSICAL_WIN) * 1_000_000 / drop) if drop else None


KIND: Final = ReportKind(
    "hold_variance",
    "Hold variance",
    "The hold of each table against its base, and whether a State's line calls for a case.",
    ("tables", "month", "play"),
    build,
    PRESETS,
)
