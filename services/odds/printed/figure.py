"""One figure of a filing, with the digits that it was printed with."""

from __future__ import annotations

import re
from enum import StrEnum
from fractions import Fraction
from typing import Final

from msgspec import Struct


class Unit(StrEnum):
    """The unit of a printed number."""

    PERCENT = "percent"
    ONE_IN = "one_in"


class FigureKind(StrEnum):
    """The kind of a figure."""

    HOUSE_EDGE = "house_edge"
    HIT_RATE = "hit_rate"  # of one outcome
    TOTAL_HIT_RATE = "total_hit_rate"
    TOTAL_HIT_PERCENTAGE = "total_hit_percentage"
    PAYOUT_PERCENTAGE = "payout_percentage"

    @property
    def unit(self) -> Unit:
        """Rates are "one in so many"; everything else is a percentage."""
        if self in (FigureKind.HIT_RATE, FigureKind.TOTAL_HIT_RATE):
            return Unit.ONE_IN
        return Unit.PERCENT


class PrintedFigure(Struct, frozen=True, kw_only=True):
    """A filing's statement about these wagers at one deck count, and its place.

    Without an `option` it holds for every paytable of the wager at that deck count; only a
    hit rate has an `outcome`. `value` is in the unit of its kind, as printed: 553/100 for
    "5.53%", 46/5 for "1/9.2". `digits` is how many of its digits stand after the point.
    """

    game: str
    wagers: tuple[str, ...]
    decks: int
    option: int | None
    kind: FigureKind
    outcome: str | None
    text: str
    value: Fraction
    digits: int
    clause: str


# The longest figure that is filed has seven digits before the point; much more is a slip.
_WHOLE: Final = r"0|[1-9][0-9]{0,8}|[1-9][0-9]{0,2}(?:,[0-9]{3}){1,2}"
_NUMBER: Final = rf"(?P<whole>{_WHOLE})(?:\.(?P<decimals>[0-9]{{1,6}}))?"
_PATTERN: Final = {
    Unit.PERCENT: re.compile(rf"(?P<minus>-?){_NUMBER}%"),
    Unit.ONE_IN: re.compile(rf"(?:1/)?{_NUMBER}"),
}
_EXAMPLES: Final = {Unit.PERCENT: '"22.4%"', Unit.ONE_IN: '"4.46", "1/9.2" or "1,456,935"'}


def parse_figure(kind: FigureKind, text: str) -> tuple[Fraction, int]:
    """The number that is printed and its digits after the point; `ValueError` if it is none.

    >>> parse_figure(FigureKind.HOUSE_EDGE, "5.50%")
    (Fraction(11, 2), 2)
    >>> parse_figure(FigureKind.HIT_RATE, "1/20,825")
    (Fraction(20825, 1), 0)
    """
    match = _PATTERN[kind.unit].fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no {kind}; write {_EXAMPLES[kind.unit]}")
    decimals = match["decimals"] or ""
    value = Fraction(int(match["whole"].replace(",", "") + decimals), 10 ** len(decimals))
    if kind.unit is Unit.PERCENT and match["minus"]:
        value = -value  # a game that favours the player
    if kind.unit is Unit.ONE_IN and value < 1:
        raise ValueError(f"{text!r} is no {kind}; nothing falls more often than one in one")
    if kind is FigureKind.TOTAL_HIT_PERCENTAGE and not 0 <= value <= 100:
        raise ValueError(f"{text!r} is no {kind}; it is not between nothing and the whole")
    return value, len(decimals)
