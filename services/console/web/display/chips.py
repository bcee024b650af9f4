"""Money as chips: the fewest that make an amount, as a small stack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

STACK_MAX: Final = 6
"""The most chips drawn: the exact amount is written beside the stack."""
CHIPS: Final = (
    (100_000, "thousand"),
    (50_000, "five-hundred"),
    (10_000, "hundred"),
    (2_500, "twenty-five"),
    (500, "five"),
    (100, "one"),
    (50, "half"),
)


@dataclass(frozen=True, slots=True)
class Chip:
    kind: str
    lift: float
    """The height in the stack, in pixels."""


def stack(cents: int, *, thickness: float = 4.0) -> tuple[Chip, ...]:
    """Stack the fewest chips that make the amount, largest values at the bottom.

    >>> [chip.kind for chip in stack(13_000)]
    ['hundred', 'twenty-five', 'five']
    """
    kinds: list[str] = []
    for value, kind in CHIPS:
        count, cents = divmod(max(cents, 0), value)
        kinds += [kind] * min(count, STACK_MAX)
    return tuple(Chip(kind, at * thickness) for at, kind in enumerate(kinds[:STACK_MAX]))
