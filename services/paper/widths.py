"""Column widths: the distribution of the width of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

LINE: Final = 120.0
"""Words in a column that is no wider are still read well, line below line."""


class ColumnNeed(Struct, frozen=True):
    """What a column needs: `least` breaks no word and no number, `best` wraps no line."""

    least: float
    best: float
    is_number: bool = False

    @property
    def fair(self) -> float:
        """Enough to read well: words in short lines, headings of numbers word below word."""
        return self.least if self.is_number else max(self.least, min(self.best, LINE))


def share_out(needs: Sequence[ColumnNeed], width: float) -> list[float]:
    """Widths that add up to the width there is.

    Words get short lines before headings of numbers get theirs in one line; the rest goes to the
    words, so that numbers stay near each other. Only if not even the longest words fit are all
    columns cut alike, and words broken.

    >>> number = ColumnNeed(10, 40, is_number=True)
    >>> words = ColumnNeed(20, 100)
    >>> share_out([words, number], 200)
    [160.0, 40.0]
    >>> share_out([words, number], 125)
    [100.0, 25.0]
    >>> share_out([words, number], 70)
    [60.0, 10.0]
    >>> share_out([words, number], 15)
    [10.0, 5.0]
    """
    least = [need.least for need in needs]
    fair = [need.fair for need in needs]
    best = [need.best for need in needs]
    if sum(best) <= width:
        growing = [0.0 if need.is_number else need.best for need in needs]
        return _spread(best, growing if any(growing) else best, width)
    if sum(fair) <= width:
        return _between(fair, best, width)
    if sum(least) <= width:
        return _between(least, fair, width)
    return [width_ * width / sum(least) for width_ in least]


def _spread(base: list[float], weights: list[float], width: float) -> list[float]:
    """Distribute the rest by weight."""
    spare, whole = width - sum(base), sum(weights)
    if not whole:
        return [width_ + spare / len(base) for width_ in base]
    return [width_ + spare * weight / whole for width_, weight in zip(base, weights, strict=True)]


def _between(low: list[float], high: list[float], width: float) -> list[float]:
    """Every column the same part of the way from low to high."""
    wanted = sum(high) - sum(low)
    part = (width - sum(low)) / wanted if wanted else 0.0
    return [least + part * (more - least) for least, more in zip(low, high, strict=True)]
