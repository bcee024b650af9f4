"""Every hand that is not bust, as a number of cards of each value.

The order in which cards came is forgotten: a hand is worth what its cards are worth. There are
3,082 hands of one card and more. They stand in the order of their hard total, so that whatever
a hand may become by a further card stands after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Final

import numpy as np
from msgspec import Struct

from odds.main_game.arrays import ACE_COLUMN, VALUES, Floats, Integers, points_of

TOTAL_MAX: Final = 21
TOTALS: Final = 6
"""Kinds of a player's total: sixteen or less, and 17 to 21."""


class HandTable(Struct, frozen=True, eq=False):
    """All hands by their place; the place after the last one stands for every bust hand."""

    counts: Integers
    size: Integers
    hard: Integers
    total: Integers
    kind: Integers
    """0 for sixteen or less, then 1 to 5 for 17 to 21."""
    child: Integers
    """Where a hand is found after a card of each column."""
    levels: tuple[slice, ...]
    """Hands of equal hard total, the highest first."""
    place: dict[tuple[int, ...], int]

    @property
    def soft(self) -> Integers:
        """Whether an ace counts eleven."""
        return (self.total > self.hard).astype(np.int64)

    def at(self, *columns: int) -> int:
        """The place of a hand, its cards given as columns.

        >>> hands().total[hands().at(0, 9)]
        np.int64(21)
        """
        counts = [0] * VALUES
        for column in columns:
            counts[column] += 1
        return self.place[tuple(counts)]

    def __len__(self) -> int:
        return len(self.size)


@cache
def hands() -> HandTable:
    """The hands, made once."""
    rows = sorted(_compositions(VALUES, TOTAL_MAX), key=lambda row: (_pips(row), row))[1:]
    place = {row: index for index, row in enumerate(rows)}
    bust = len(rows)
    counts = np.array(rows, dtype=np.int64)
    hard = counts @ np.arange(1, VALUES + 1)
    total = np.where((counts[:, ACE_COLUMN] > 0) & (hard <= TOTAL_MAX - 10), hard + 10, hard)
    child = np.array(
        [
            [
                place.get((*row[:column], row[column] + 1, *row[column + 1 :]), bust)
                for column in range(VALUES)
            ]
            for row in rows
        ]
    )
    edges = np.searchsorted(hard, np.arange(1, TOTAL_MAX + 2))
    return HandTable(
        counts=counts,
        size=counts.sum(axis=1),
        hard=hard,
        total=total,
        kind=np.maximum(total - 16, 0),
        child=child,
        levels=tuple(
            slice(int(first), int(last)) for first, last in reversed(list(pairwise(edges)))
        ),
        place=place,
    )


def _compositions(points_max: int, pips: int) -> Iterator[tuple[int, ...]]:
    """Every row of counts, for points up to a most, that counts so many pips at most."""
    if not points_max:
        yield ()
        return
    for count in range(pips // points_max + 1):
        for row in _compositions(points_max - 1, pips - count * points_max):
            yield (*row, count)


def _pips(row: tuple[int, ...]) -> int:
    return sum(points_of(column) * count for column, count in enumerate(row))


def sequence_weights(shoe: Floats, counts: Integers) -> Floats:
    """How likely the next cards of a shoe are these, in one order; any order is as likely.

    The probability of a row of `counts` is a product of falling factorials over one.
    """
    most = int(counts.max(initial=0))
    size = counts.sum(axis=1)
    steps = np.arange(max(most, int(size.max(initial=0))))
    falling = np.ones((VALUES, most + 1))
    falling[:, 1:] = np.cumprod(np.maximum(shoe[:, None] - steps[:most], 0.0), axis=1)
    cards = np.ones(len(steps) + 1)
    cards[1:] = np.cumprod(np.maximum(shoe.sum() - steps, 1.0))
    weights: Floats = 1.0 / cards[size]
    for column in range(VALUES):
        weights *= falling[column][counts[:, column]]
    return weights
