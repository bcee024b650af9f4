"""Deadlines in business days: over weekends, holidays and changes of the clock."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from property_calendar.business_days import (
    business_days_after,
    end_of_business_days,
    holidays,
    is_business_day,
)
from property_calendar.gaming_day import Calendar, microseconds

LOS_ANGELES = ZoneInfo("America/Los_Angeles")
CALENDAR = Calendar(LOS_ANGELES, time(6))


def local(*when: int) -> int:
    return microseconds(datetime(*when, tzinfo=LOS_ANGELES))  # type: ignore[arg-type,misc]


@pytest.mark.parametrize(
    ("day", "after_three"),
    [
        (date(2026, 3, 2), date(2026, 3, 5)),  # a Monday
        (date(2026, 3, 4), date(2026, 3, 9)),  # a Wednesday: over the weekend
        (date(2026, 3, 7), date(2026, 3, 11)),  # a Saturday
        (date(2026, 3, 8), date(2026, 3, 11)),  # a Sunday
        (date(2026, 11, 24), date(2026, 12, 1)),  # before Thanksgiving: two holidays, a weekend
        (date(2026, 12, 23), date(2026, 12, 29)),  # over Christmas on a Friday
        (date(2026, 7, 1), date(2026, 7, 7)),  # July 4 is a Saturday: Friday is kept
        (date(2021, 12, 29), date(2022, 1, 4)),  # New Year is a Saturday: December 31 is kept
    ],
)
def test_neither_weekends_nor_holidays_count(day: date, after_three: date) -> None:
    assert business_days_after(day, 3) == after_three


def test_the_holidays_of_a_year_are_those_of_the_statute() -> None:
    assert sorted(holidays(2026)) == [
        date(2026, 1, 1), date(2026, 1, 19), date(2026, 2, 16), date(2026, 5, 25),
        date(2026, 6, 19), date(2026, 7, 3), date(2026, 9, 7), date(2026, 11, 11),
        date(2026, 11, 26), date(2026, 11, 27), date(2026, 12, 25),
    ]  # fmt: skip


def test_a_holiday_on_a_sunday_is_kept_on_monday() -> None:
    assert date(2027, 7, 5) in holidays(2027)
    assert date(2027, 7, 4) not in holidays(2027)


def test_june_19_is_a_holiday_since_2022() -> None:
    assert is_business_day(date(2020, 6, 19))
    assert not is_business_day(date(2023, 6, 19))


def test_a_deadline_ends_with_its_last_day_by_the_clock_on_the_wall() -> None:
    # Clocks go forward on Sunday, March 8: the days are an hour less than three times 24.
    begins_at = local(2026, 3, 5, 14, 30)
    assert end_of_business_days(CALENDAR, begins_at, 3) == local(2026, 3, 11)
    # And back on Sunday, November 1.
    assert end_of_business_days(CALENDAR, local(2026, 10, 30, 9), 3) == local(2026, 11, 5)


def test_a_deadline_is_counted_from_the_date_and_not_from_the_gaming_day() -> None:
    assert end_of_business_days(CALENDAR, local(2026, 3, 2, 23, 59), 3) == local(2026, 3, 6)
    assert end_of_business_days(CALENDAR, local(2026, 3, 3, 0, 1), 3) == local(2026, 3, 7)


@given(st.dates(date(2000, 1, 1), date(2100, 1, 1)), st.integers(0, 30))
def test_so_many_business_days_lie_between(day: date, count: int) -> None:
    last = business_days_after(day, count)
    passed = [day + timedelta(days=offset) for offset in range(1, (last - day).days + 1)]
    assert sum(map(is_business_day, passed)) == count
    assert not count or is_business_day(last)
