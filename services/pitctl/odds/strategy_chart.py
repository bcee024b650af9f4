"""A strategy chart in the usual codes: H, S, D, P and a few more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from odds.main_game import UP_CARDS, Advice, ChartRow, Move, Start, StrategyChart

__all__ = ["CARD", "LEGEND", "UP_CARDS", "CodedChart", "CodedException", "CodedRow", "chart_of"]

CARD: Final = {1: "A", 10: "T"} | {points: str(points) for points in range(2, 10)}

CODES: Final = {
    Move.STAND: "S",
    Move.HIT: "H",
    Move.DOUBLE: "D",
    Move.SPLIT: "P",
    Move.SURRENDER: "R",
    Move.RETURN: "B",
}
WITH_OTHERWISE: Final = (Move.DOUBLE, Move.SURRENDER, Move.RETURN)
"""Moves whose code also has the move where they are not allowed, or after them."""

LEGEND: Final = {
    "S": "stand",
    "H": "hit",
    "D": "double, else hit",
    "Ds": "double, else stand",
    "P": "split",
    "R": "surrender, else hit",
    "Rs": "surrender, else stand",
    "B": "take the Half Back wager back, then hit",
    "Bs": "take the Half Back wager back, then stand",
}


class CodedRow(Struct, frozen=True):
    """One line of a chart: a code for every possible up card."""

    name: str
    codes: tuple[str, ...]


class CodedException(Struct, frozen=True):
    """Two cards that are best played otherwise than their total."""

    start: Start
    chart: str
    code: str
    gain: float


class CodedChart(Struct, frozen=True):
    hard: tuple[CodedRow, ...]
    soft: tuple[CodedRow, ...]
    pairs: tuple[CodedRow, ...]
    exceptions: tuple[CodedException, ...]


def chart_of(starts: Iterable[Start]) -> CodedChart:
    """The chart of an analysis, in codes."""
    chart = StrategyChart.of(starts)
    return CodedChart(
        hard=tuple(_row(str(row.number), row) for row in chart.hard),
        soft=tuple(_row(f"A {row.number - 11}", row) for row in chart.soft),
        pairs=tuple(_row(f"{CARD[row.number]} {CARD[row.number]}", row) for row in chart.pairs),
        exceptions=tuple(
            CodedException(one.start, code(one.by_total), code(one.by_cards), one.gain)
            for one in chart.exceptions
        ),
    )


def _row(name: str, row: ChartRow) -> CodedRow:
    return CodedRow(name, tuple(code(advice) if advice else "" for advice in row.advice))


def code(advice: Advice) -> str:
    """The letter of the best move, with an s if one stands where it is not allowed.

    >>> code(Advice(best=Move.DOUBLE, otherwise=Move.STAND))
    'Ds'
    """
    stands = advice.otherwise is Move.STAND and advice.best in WITH_OTHERWISE
    return CODES[advice.best] + ("s" if stands else "")
