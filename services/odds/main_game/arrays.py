"""The three kinds of arrays that the analysis works with, and the columns of a card's value.

A card is its points where people read it: 1 is an ace, 10 any ten-value card. Inside the
analysis it is a column of an array, one less than its points.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

VALUES: Final = 10
"""Values of cards, one column each."""

ACE_COLUMN: Final = 0
TEN_COLUMN: Final = 9
"""All ten-value cards."""


def points_of(column: int) -> int:
    """The points of a card in a column, the ace counting one.

    >>> points_of(ACE_COLUMN), points_of(TEN_COLUMN)
    (1, 10)
    """
    return column + 1


def column_of(points: int) -> int:
    """The column of a card with these points."""
    return points - 1
