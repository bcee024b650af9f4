"""Slips of the pen: the right figure, written down wrongly."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor
from typing import Final

from odds.certificates.offer import Offer
from odds.certificates.reading_rank import MONEY, FigureReading, MisprintCause
from odds.certificates.verdicts import PrintVerdict, exact_value
from odds.decimals import decimal, rounded
from odds.printed import PrintedFigure

DIGITS_MIN: Final = 3
"""Digits that a number must have for one wrong digit in it to be evidence."""


def pen_slips(offer: Offer, figure: PrintedFigure) -> Iterator[FigureReading]:
    """Digits cut off, exchanged, mistyped or shifted; and an edge for a payout."""
    exact = exact_value(figure.kind, figure.outcome, offer.worth)
    if exact is None:
        return
    unit = 10**figure.digits
    if Fraction(floor(exact * unit), unit) == figure.value:
        yield _reading("it is the exact figure cut off, not rounded", MisprintCause.CUT_OFF)
        return
    should, found = (
        str(decimal(value, figure.digits))
        for value in (rounded(exact, figure.digits), figure.value)
    )
    if _exchanged(should, found):
        yield _reading("two digits of the exact figure are exchanged", MisprintCause.OF_THE_PEN)
    elif len(should) > DIGITS_MIN and _differing(should, found) == 1:
        yield _reading("one digit of the exact figure is mistyped", MisprintCause.OF_THE_PEN)
    for power in (-2, -1, 1, 2):
        if rounded(exact * Fraction(10) ** power, figure.digits) == figure.value:
            yield _reading("the point of the exact figure is shifted", MisprintCause.OF_THE_PEN)
    if figure.kind in MONEY and rounded(100 - exact, figure.digits) == figure.value:
        yield _reading("it is 100% less the exact figure", MisprintCause.OF_THE_PEN)


def _reading(words: str, slip: MisprintCause) -> FigureReading:
    return FigureReading(words, PrintVerdict.AGREES, slip)


def _differing(one: str, other: str) -> int:
    """Places in which two numbers differ; far apart if they are not equally long."""
    if len(one) != len(other):
        return len(one)
    return sum(a != b for a, b in zip(one, other, strict=True))


def _exchanged(one: str, other: str) -> bool:
    """Whether two digits of a number have changed places.

    >>> _exchanged("5.70", "7.50"), _exchanged("5.70", "7.05")
    (True, False)
    """
    if len(one) != len(other):
        return False
    places = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    return (
        len(places) == 2
        and one[places[0]] == other[places[1]]
        and (one[places[1]] == other[places[0]])
    )
