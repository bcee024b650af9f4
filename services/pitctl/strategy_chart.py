"""Best play as a chart: a total against an up card, averaged over the cards behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from odds.main_game import Move, Start

UP_CARDS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)
CARD: Final = {1: "A", 10: "T"} | {points: str(points) for points in range(2, 10)}

CODES: Final = {
    Move.STAND: "S",
    Move.HIT: "H",
    Move.DOUBLE: "D",
    Move.SPLIT: "P",
    Move.SURRENDER: "R",
    Move.RETURN: "B",
    Move.NATURAL: "",
}
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


class Row(Struct, frozen=True):
    """One line of a chart: a code for every up card, or nothing where it cannot come."""

    name: str
    codes: tuple[str, ...]


class ByTheCards(Struct, frozen=True):
    """Two cards that are best played otherwise than their total."""

    start: Start
    chart: str
    code: str
    gain: float
    """What following the cards brings more than following the total."""


class Chart(Struct, frozen=True):
    hard: tuple[Row, ...]
    soft: tuple[Row, ...]
    pairs: tuple[Row, ...]
    exceptions: tuple[ByTheCards, ...]


def chart_of(starts: Sequence[Start]) -> Chart:
    """The chart of an analysis; what its totals cannot say is listed beside it."""
    played = [each for each in starts if each.best is not Move.NATURAL]
    totals = [each for each in played if not each.pair]
    hard = tuple(_rows(totals, range(20, 4, -1), soft=False))
    soft = tuple(_rows(totals, range(20, 12, -1), soft=True))
    pairs = tuple(_pair_row(played, value) for value in (1, 10, 9, 8, 7, 6, 5, 4, 3, 2))
    return Chart(hard, soft, pairs, tuple(_exceptions(totals)))


def _rows(starts: Sequence[Start], totals: range, *, soft: bool) -> Iterator[Row]:
    for total in totals:
        codes = tuple(_code(_alike(starts, total, up, soft=soft)) for up in UP_CARDS)
        if any(codes):
            yield Row(f"A {total - 11}" if soft else str(total), codes)


def _pair_row(starts: Sequence[Start], value: int) -> Row:
    codes = (
        _code(_of(starts, up, lambda start: start.pair and start.low == value)) for up in UP_CARDS
    )
    return Row(f"{CARD[value]} {CARD[value]}", tuple(codes))


def _alike(starts: Sequence[Start], total: int, up: int, *, soft: bool) -> list[Start]:
    return _of(starts, up, lambda start: (is_soft(start), total_of(start)) == (soft, total))


def _of(starts: Sequence[Start], up: int, fits: Callable[[Start], bool]) -> list[Start]:
    return [start for start in starts if start.up == up and fits(start)]


def _means(starts: Sequence[Start]) -> dict[Move, float]:
    """What every move is worth on average over these starts."""
    weights = [start.probability * start.passes for start in starts]
    moves = set.intersection(*(set(start.values) for start in starts))
    return {
        move: sum(w * start.values[move] for w, start in zip(weights, starts, strict=True))
        / sum(weights)
        for move in sorted(moves)
    }


def _code(starts: Sequence[Start]) -> str:
    """The best move on average, and what to do where it is not allowed."""
    return _code_of(_means(starts)) if starts else ""


def _code_of(values: dict[Move, float]) -> str:
    best = max(values, key=lambda move: values[move])
    stands = values[Move.STAND] >= values[Move.HIT]
    fallback = "s" if stands and best in (Move.DOUBLE, Move.SURRENDER, Move.RETURN) else ""
    return CODES[best] + fallback


def _exceptions(starts: Sequence[Start]) -> Iterator[ByTheCards]:
    for start in starts:
        alike = _alike(starts, total_of(start), start.up, soft=is_soft(start))
        means = _means(alike)
        usual = max(means, key=lambda move: means[move])
        if usual is not start.best:
            gain = start.value - start.values[usual]
            yield ByTheCards(start, _code_of(means), _code_of(start.values), gain)


def is_soft(start: Start) -> bool:
    return start.low == 1


def total_of(start: Start) -> int:
    """The best total of the two cards.

    >>> total_of(Start(1, 6, 10, False, 0.1, 1.0, Move.HIT, 0.0, 0.0))
    17
    """
    return start.low + start.high + (10 if is_soft(start) else 0)
