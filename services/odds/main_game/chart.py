"""Best play as a chart: a total against an up card, averaged over the two cards behind it.

Cards are points: 1 is an ace, 10 any ten-value card.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final, Self

from msgspec import Struct

from odds.main_game.analysis import Move, Start

UP_CARDS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)
"""The columns of a chart."""


class ChartPart(StrEnum):
    """The kind of a chart's row."""

    HARD = "hard"
    SOFT = "soft"
    PAIR = "pair"


ROWS: Final = {
    ChartPart.HARD: range(20, 4, -1),
    ChartPart.SOFT: range(20, 12, -1),
    ChartPart.PAIR: (1, 10, 9, 8, 7, 6, 5, 4, 3, 2),
}


class Advice(Struct, frozen=True):
    """The move, and whether to hit or stand where that is not allowed."""

    best: Move
    otherwise: Move


class ChartRow(Struct, frozen=True):
    """One line of a chart: advice for every up card, or None where it cannot come."""

    number: int
    """The total, or the points of one card of a pair."""
    advice: tuple[Advice | None, ...]


class ByTheCards(Struct, frozen=True):
    """Two cards that are best played otherwise than their total."""

    start: Start
    by_cards: Advice
    by_total: Advice
    gain: float
    """The gain of following the cards over following the total."""


class StrategyChart(Struct, frozen=True):
    """The best play of totals and pairs, and the exceptions that depend on the cards."""

    hard: tuple[ChartRow, ...]
    soft: tuple[ChartRow, ...]
    pairs: tuple[ChartRow, ...]
    exceptions: tuple[ByTheCards, ...]

    @classmethod
    def of(cls, starts: Iterable[Start]) -> Self:
        """The chart of an analysis. Rows of totals that cannot come are left out."""
        alike: defaultdict[_Cell, list[Start]] = defaultdict(list)
        for start in starts:
            if start.best is not Move.NATURAL:
                alike[_cell(start)].append(start)
        means = {cell: _means(each) for cell, each in alike.items()}
        hard, soft, pairs = (tuple(_rows(means, part)) for part in ChartPart)
        return cls(hard, soft, pairs, tuple(_exceptions(alike, means)))


_Cell = tuple[ChartPart, int, int]
"""The part of a chart, the number of its row, and the up card."""

_Values = dict[Move, float]


def total_of(start: Start) -> int:
    """The best total of the two cards.

    >>> total_of(Start(1, 6, 10, False, 0.1, 1.0, Move.HIT, 0.0, 0.0))
    17
    """
    return start.low + start.high + (10 if start.low == 1 else 0)


def _cell(start: Start) -> _Cell:
    if start.pair:
        return ChartPart.PAIR, start.low, start.up
    return ChartPart.SOFT if start.low == 1 else ChartPart.HARD, total_of(start), start.up


def _rows(means: dict[_Cell, _Values], part: ChartPart) -> Iterator[ChartRow]:
    for number in ROWS[part]:
        cells = (means.get((part, number, up)) for up in UP_CARDS)
        advice = tuple(_advice(values) if values else None for values in cells)
        if any(advice) or part is ChartPart.PAIR:
            yield ChartRow(number, advice)


def _means(starts: Sequence[Start]) -> _Values:
    """The average value of every move over these starts."""
    weights = [start.probability * start.passes for start in starts]
    moves = set.intersection(*(set(start.values) for start in starts))
    return {
        move: sum(
            weight * start.values[move] for weight, start in zip(weights, starts, strict=True)
        )
        / sum(weights)
        for move in sorted(moves)
    }


def _advice(values: _Values) -> Advice:
    """The best move, and what to do where it is not allowed."""
    best = max(values, key=lambda move: values[move])
    stands = values[Move.STAND] >= values[Move.HIT]
    return Advice(best=best, otherwise=Move.STAND if stands else Move.HIT)


def _exceptions(
    alike: dict[_Cell, list[Start]], means: dict[_Cell, _Values]
) -> Iterator[ByTheCards]:
    for cell, starts in alike.items():
        by_total = _advice(means[cell])
        for start in starts:
            if by_total.best is not start.best:
                yield ByTheCards(
                    start=start,
                    by_cards=_advice(start.values),
                    by_total=by_total,
                    gain=start.value - start.values[by_total.best],
                )
