"""Days on which offices of the State are open, and the end of the last of so many.

Closed are Saturdays, Sundays and the legal holidays of Washington (RCW 1.16.050). A holiday on a
Sunday is observed on the Monday after it, one on a Saturday on the Friday before it. So January 1
on a Saturday closes December 31 of the year before.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from property_calendar.gaming_day import Calendar

_DAY: Final = timedelta(days=1)
MONDAY, THURSDAY, SATURDAY, SUNDAY = 0, 3, 5, 6
JUNETEENTH_SINCE: Final = 2022
"""The first year in which June 19 was a legal holiday of the State."""


def is_business_day(day: date) -> bool:
    return day.weekday() < SATURDAY and day not in holidays(day.year)


def business_days_after(day: date, count: int) -> date:
    """The last of `count` business days after a day."""
    while count:
        day += _DAY
        count -= is_business_day(day)
    return day


def end_of_business_days(calendar: Calendar, begins_at: int, count: int) -> int:
    """The first moment after the last of `count` business days, in local time.

    Counted from the calendar day, not the gaming day: offices have no gaming days.
    """
    last = business_days_after(calendar.date_of(begins_at), count)
    return calendar.midnight(last + _DAY)


@lru_cache(maxsize=64)
def holidays(year: int) -> frozenset[date]:
    """The days of a year on which a holiday is observed."""
    kept = {_kept(holiday) for near in (year, year + 1) for holiday in _holidays(near)}
    return frozenset(day for day in kept if day.year == year)


def _holidays(year: int) -> list[date]:
    thanksgiving = _nth(year, 11, THURSDAY, 4)
    return [
        date(year, 1, 1),
        _nth(year, 1, MONDAY, 3),  # Martin Luther King
        _nth(year, 2, MONDAY, 3),  # Presidents
        _nth(year, 6, MONDAY, 1) - 7 * _DAY,  # Memorial Day: the last Monday of May
        *([date(year, 6, 19)] if year >= JUNETEENTH_SINCE else []),
        date(year, 7, 4),
        _nth(year, 9, MONDAY, 1),  # Labor Day
        date(year, 11, 11),  # Veterans
        thanksgiving,
        thanksgiving + _DAY,  # Native American Heritage
        date(year, 12, 25),
    ]


def _nth(year: int, month: int, weekday: int, number: int) -> date:
    first = date(year, month, 1)
    return first + _DAY * ((weekday - first.weekday()) % 7 + 7 * (number - 1))


def _kept(day: date) -> date:
    if day.weekday() == SATURDAY:
        return day - _DAY
    return day + _DAY if day.weekday() == SUNDAY else day
