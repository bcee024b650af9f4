"""The three kinds of arrays that the analysis works with."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

VALUES: Final = 10
"""Card values are columns: the ace is column 0, all ten-value cards are column 9."""

ACE: Final = 0
TEN: Final = 9
