"""Money as chips: the fewest that make an amount, as a small stack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

STACK_MAX: Final = 6
"""More are not drawn: the amount stands beside the stack."""
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
    """How high it lies in the stack."""


def stack(cents: int, *, thickness: float = 4.0) -> tuple[Chip, ...]:
    """From the lowest chip up, the largest values below.

    >>> [chip.kind for chip in stack(13_000)]
    ['hundred', 'twenty-five', 'five']
    """
    kinds: list[str] = []
    for value, kind in CHIPS:
        count, cents = divmod(max(cents, 0), value)
        kinds += [kind] * min(count, STACK_MAX)
    return tuple(Chip(kind, at * thickness) for at, kind in enumerate(kinds[:STACK_MAX]))
