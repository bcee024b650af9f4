"""What people type into the fields of a page."""

from __future__ import annotations

from datetime import date

from console.errors import BadInput


def read_day(field: str, text: str) -> str:
    """A gaming day as the services write it; empty where nothing was typed.

    >>> read_day("day", "2026-03-01")
    '2026-03-01'
    """
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise BadInput(field, f"{text!r} is no day such as 2026-03-01") from None
