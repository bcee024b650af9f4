"""Gaming days as they are asked for."""

from __future__ import annotations

from datetime import date
from typing import Final

from accounting.errors import BadDay

DAYS_MAX: Final = 366
"""Gaming days of one report."""


def read_days(first: str, last: str, *, field: str = "") -> tuple[date, date]:
    from_day = read_day(field or "from_day", first)
    until_day = read_day(field or "until_day", last) if last else from_day
    if until_day < from_day:
        raise BadDay(field or "until_day", last, f"is before {first}")
    if (until_day - from_day).days >= DAYS_MAX:
        raise BadDay(field or "until_day", last, f"is more than {DAYS_MAX} days after {first}")
    return from_day, until_day


def read_day(field: str, text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text or not 1970 <= day.year < 9000:
        raise BadDay(field, text[:40], "is no gaming day such as 2026-03-01")
    return day
