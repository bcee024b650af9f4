"""The value of a side bet: every row with its probability, the edge, the deviation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from odds.decimals import decimal, root
from odds.worth import RowChance, Worth
from pitctl.output.json_out import PLACES
from pitctl.output.text import Page


def print_worth(page: Page, found: Worth) -> None:
    """The rows of a paytable; fractions stand below it where they would not fit beside it."""
    headings = ("outcome", "pays", "one in", "probability", "exactly")
    rows = [(row.label, *chance_cells(row), f"{row.probability}") for row in found.rows]
    shown = next(n for n in (5, 4, 3) if n == 3 or page.fits(headings[:n], _first(rows, n)))
    page.table(headings[:shown], _first(rows, shown), align="lrrrr"[:shown])
    page.blank()
    if shown < len(headings):
        for row in found.rows:
            page.line(f"{row.label}: exactly {row.probability}", indent=2, hang=2)
        page.blank()
    page.line(f"house edge          {decimal(100 * found.edge, 10):f}%", indent=2)
    page.line(f"standard deviation  {root(found.variance, 10):f} per unit", indent=2)
    page.line(f"any prize or push   {decimal(100 * found.hit, 10):f}%", indent=2)


def chance_cells(row: RowChance) -> tuple[str, str, str]:
    """The odds, the rate and the probability of a row."""
    one_in = f"{decimal(1 / row.probability, 2):,}" if row.ways else "never"
    return str(row.pays), one_in, f"{decimal(row.probability, 10):f}"


def _first(rows: Sequence[tuple[str, ...]], count: int) -> list[tuple[str, ...]]:
    return [row[:count] for row in rows]


def worth_data(found: Worth) -> dict[str, Any]:
    """The same as JSON has it; shares of a wager, so that an edge of 0.0553 is 5.53 percent."""
    return {
        "outcomes": [
            {
                "name": row.outcome,
                "label": row.label,
                "pays": str(row.pays),
                "probability": decimal(row.probability, PLACES),
                "probability_fraction": str(row.probability),
            }
            for row in found.rows
        ],
        "hit": decimal(found.hit, PLACES),
        "hit_fraction": str(found.hit),
        "edge": decimal(found.edge, PLACES),
        "edge_fraction": str(found.edge),
        "variance": decimal(found.variance, PLACES),
        "variance_fraction": str(found.variance),
        "standard_deviation": root(found.variance, PLACES),
    }
