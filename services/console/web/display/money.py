"""Cents as people read them: grouped, two places, a true minus sign."""

from __future__ import annotations

from typing import Final

MINUS: Final = "\u2212"


def plain(cents: int) -> str:
    """Without the currency, for columns that say it above.

    >>> plain(123450)
    '1,234.50'
    """
    whole, rest = divmod(abs(cents), 100)
    return f"{MINUS if cents < 0 else ''}{whole:,}.{rest:02d}"


def dollars(cents: int) -> str:
    """
    >>> dollars(5050)
    '$50.50'
    """
    return f"{MINUS if cents < 0 else ''}${plain(abs(cents))}"


def signed(cents: int) -> str:
    """With its sign on both sides of nought.

    >>> signed(2500), signed(0)
    ('+$25.00', '$0.00')
    """
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)
