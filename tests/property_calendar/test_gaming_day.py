"""The calendar of the property, also where clocks are changed."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from property_calendar.gaming_day import Calendar, microseconds, moment

LOS_ANGELES = ZoneInfo("America/Los_Angeles")
SPRING = date(2026, 3, 8)
"""Clocks go from 02:00 to 03:00."""
AUTUMN = date(2026, 11, 1)
"""Clocks go from 02:00 back to 01:00."""
HOUR = 3_600_000_000


def local(*when: int, fold: int = 0) -> int:
    return microseconds(datetime(*when, tzinfo=LOS_ANGELES, fold=fold))  # type: ignore[arg-type,misc]


def hours(calendar: Calendar, day: date) -> float:
    begins_at, ends_at = calendar.bounds(day)
    return (ends_at - begins_at) / HOUR


def test_a_day_lasts_from_one_roll_over_to_the_next() -> None:
    calendar = Calendar(LOS_ANGELES, time(6))
    assert calendar.day_of(local(2026, 3, 1, 6)) == date(2026, 3, 1)
    assert calendar.day_of(local(2026, 3, 2, 5, 59, 59)) == date(2026, 3, 1)
    assert calendar.day_of(local(2026, 3, 2, 6)) == date(2026, 3, 2)
    assert calendar.begins_at(date(2026, 3, 1)) == local(2026, 3, 1, 6)
    assert hours(calendar, date(2026, 3, 1)) == 24


def test_the_day_of_the_change_in_spring_has_23_hours_and_in_autumn_25() -> None:
    calendar = Calendar(LOS_ANGELES, time(6))
    before = timedelta(days=1)
    assert hours(calendar, SPRING - before) == 23
    assert hours(calendar, SPRING) == 24
    assert hours(calendar, AUTUMN - before) == 25
    assert hours(calendar, AUTUMN) == 24


def test_both_hours_of_the_night_in_autumn_belong_to_the_evening_before() -> None:
    calendar = Calendar(LOS_ANGELES, time(6))
    for fold in (0, 1):
        at = local(2026, 11, 1, 1, 30, fold=fold)
        assert calendar.day_of(at) == date(2026, 10, 31)


def test_a_roll_over_that_clocks_skip_is_the_end_of_the_gap() -> None:
    calendar = Calendar(LOS_ANGELES, time(2, 30))
    gap_ends = microseconds(datetime(2026, 3, 8, 10, tzinfo=UTC))  # 03:00 in summer time
    begins_at = calendar.begins_at(SPRING)
    assert begins_at == gap_ends
    assert calendar.day_of(begins_at) == SPRING
    assert calendar.day_of(begins_at - 1) == SPRING - timedelta(days=1)
    assert calendar.day_of(gap_ends) == SPRING
    assert calendar.day_of(gap_ends - 1) == SPRING - timedelta(days=1)


def test_a_roll_over_that_comes_twice_counts_the_first_time() -> None:
    calendar = Calendar(LOS_ANGELES, time(1, 30))
    assert calendar.begins_at(AUTUMN) == local(2026, 11, 1, 1, 30, fold=0)


@pytest.mark.parametrize(
    "roll_over", [time(0), time(1, 30), time(2), time(2, 30), time(3), time(6)]
)
@pytest.mark.parametrize("change", [SPRING, AUTUMN])
def test_every_moment_belongs_to_exactly_the_day_whose_bounds_hold_it(
    roll_over: time, change: date
) -> None:
    calendar = Calendar(LOS_ANGELES, roll_over)
    first = calendar.begins_at(change - timedelta(days=2))
    last = calendar.begins_at(change + timedelta(days=2))
    for at in range(first, last, HOUR // 4):
        day = calendar.day_of(at)
        begins_at, ends_at = calendar.bounds(day)
        assert begins_at <= at < ends_at, (moment(at), day)
