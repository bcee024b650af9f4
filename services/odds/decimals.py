"""Exact numbers as decimals, for print."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import Final

_WIDE: Final = Context(prec=120)
"""Digits enough for every number that is printed, and for the root of any variance."""


def rounded(value: Fraction, digits: int) -> Fraction:
    """Half up, as a person rounds.

    >>> rounded(Fraction("2.345"), 2), rounded(Fraction("-2.345"), 2)
    (Fraction(47, 20), Fraction(-117, 50))
    """
    shifted = value * 10**digits + Fraction(1, 2)
    return Fraction(shifted.numerator // shifted.denominator, 10**digits)


def decimal(value: Fraction, places: int) -> Decimal:
    """Rounded half up to so many places.

    >>> decimal(Fraction(2, 3), 12), decimal(Fraction(-1, 8), 2)
    (Decimal('0.666666666667'), Decimal('-0.12'))
    """
    shown = rounded(value, places)
    exact = _WIDE.divide(Decimal(shown.numerator), Decimal(shown.denominator))
    return exact.quantize(_unit(places), context=_WIDE)


def root(value: Fraction, places: int) -> Decimal:
    """The square root, rounded half up to so many places.

    >>> root(Fraction(2), 20)
    Decimal('1.41421356237309504880')
    """
    exact = _WIDE.sqrt(_WIDE.divide(Decimal(value.numerator), Decimal(value.denominator)))
    return exact.quantize(_unit(places), ROUND_HALF_UP, _WIDE)


def _unit(places: int) -> Decimal:
    return Decimal(1).scaleb(-places)
