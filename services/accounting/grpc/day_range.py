"""Gaming days in requests."""

from __future__ import annotations

from datetime import date
from typing import Final

from accounting.grpc.errors import InvalidDay

DAYS_MAX: Final = 366
"""Gaming days of one report."""
YEARS: Final = range(1970, 9000)
"""Years in which no day is the first or the last of a calendar."""


def read_days(first: str, last: str, *, field: str = "") -> tuple[date, date]:
    from_day = read_day(field or "from_day", first)
    until_day = read_day(field or "until_day", last) if last else from_day
    check_order(from_day, until_day, field=field or "until_day")
    if (until_day - from_day).days >= DAYS_MAX:
        raise InvalidDay(field or "until_day", last, f"at most {DAYS_MAX} days from {first}")
    return from_day, until_day


def check_order(from_day: date, until_day: date, *, field: str = "until_day") -> None:
    if until_day < from_day:
        raise InvalidDay(field, until_day.isoformat(), f"{from_day} or later")


def read_day(field: str, text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text or day.year not in YEARS:
        raise InvalidDay(field, text[:40], "YYYY-MM-DD")
    return day
