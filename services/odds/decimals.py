"""Exact numbers as decimals, for print: the only place where a fraction stops being one."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import Final

from odds.certificates.verdicts import rounded

_EXACT: Final = Context(prec=60)
"""Digits enough for the root of any variance to more places than are ever printed."""


def decimal(value: Fraction, places: int) -> Decimal:
    """Rounded half up to so many places.

    >>> decimal(Fraction(2, 3), 12), decimal(Fraction(-1, 8), 2)
    (Decimal('0.666666666667'), Decimal('-0.12'))
    """
    shown = rounded(value, places)
    return (Decimal(shown.numerator) / Decimal(shown.denominator)).quantize(_unit(places))


def root(value: Fraction, places: int) -> Decimal:
    """The square root, rounded half up to so many places.

    >>> root(Fraction(2), 20)
    Decimal('1.41421356237309504880')
    """
    exact = _EXACT.sqrt(_EXACT.divide(Decimal(value.numerator), Decimal(value.denominator)))
    return exact.quantize(_unit(places), ROUND_HALF_UP, _EXACT)


def _unit(places: int) -> Decimal:
    return Decimal(1).scaleb(-places)
