"""A printed figure against the exact one."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Final

from odds.decimals import rounded
from odds.printed import FigureKind, PrintedFigure, Unit
from odds.worth import Worth

NEAR_POINTS: Final = Fraction(1, 10)
"""Percentage points within which a figure is near."""

NEAR_RATE: Final = Fraction(1, 100)
"""The relative error that "one in N" may have and still be near.

Points alone would not do: all chances of a rare outcome lie within a tenth of a point.
"""


class PrintVerdict(StrEnum):
    """The verdict on a printed figure; a missing figure cannot be wrong."""

    AGREES = "agrees"
    NEAR = "near"
    MISPRINT = "misprint"
    NOT_PRINTED = "not printed"


def exact_value(kind: FigureKind, outcome: str | None, worth: Worth) -> Fraction | None:
    """The exact value in the unit of the figure; None for an impossible outcome."""
    match kind:
        case FigureKind.HOUSE_EDGE:
            return 100 * worth.edge
        case FigureKind.PAYOUT_PERCENTAGE:
            return 100 * (1 - worth.edge)
        case FigureKind.TOTAL_HIT_PERCENTAGE:
            return 100 * worth.hit
        case FigureKind.TOTAL_HIT_RATE:
            return _one_in(worth.hit)
        case FigureKind.HIT_RATE:
            (chance,) = (row.probability for row in worth.rows if row.outcome == outcome)
            return _one_in(chance)


def _one_in(chance: Fraction) -> Fraction | None:
    return 1 / chance if chance else None


def compare(figure: PrintedFigure, exact: Fraction | None) -> PrintVerdict:
    """Agrees if equal to the last printed digit, near if within a tenth of a point."""
    if exact is None:
        return PrintVerdict.MISPRINT
    if rounded(exact, figure.digits) == figure.value:
        return PrintVerdict.AGREES
    if figure.kind.unit is Unit.PERCENT:
        near = abs(exact - figure.value) <= NEAR_POINTS
    else:
        points = 100 * abs(1 / exact - 1 / figure.value)
        near = points <= NEAR_POINTS and abs(figure.value - exact) <= NEAR_RATE * exact
    return PrintVerdict.NEAR if near else PrintVerdict.MISPRINT
