"""Phrases that headlines of alerts share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

NAMES_MAX: Final = 3
"""Names that a headline lists; more are counted."""


def counted(count: int, noun: str) -> str:
    """
    >>> counted(1, "mispay"), counted(1200, "round")
    ('1 mispay', '1,200 rounds')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def listed(names: Sequence[str], noun: str) -> str:
    """List a few names, or count them.

    >>> listed(["T-1"], "table"), listed(["T-1", "T-2"], "table"), listed("abcd", "table")
    ('table T-1', 'tables T-1 and T-2', '4 tables')
    """
    if len(names) > NAMES_MAX:
        return counted(len(names), noun)
    if len(names) < 2:
        return f"{noun} {', '.join(names)}"
    return f"{noun}s {', '.join(names[:-1])} and {names[-1]}"


def place(table: str, seat: int = 0) -> str:
    """Name a seat of a table.

    >>> place("T-1", 3), place("T-1")
    ('table T-1, seat 3', 'table T-1')
    """
    return f"table {table}" + (f", seat {seat}" if seat else "")
