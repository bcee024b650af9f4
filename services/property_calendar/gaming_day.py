"""The calendar of the property: when a gaming day begins, and to which one a moment belongs.

A gaming day has the date of the evening it begins on and lasts from one roll-over to the next, in
local time. So the day on which clocks go forward has 23 hours, and the one on which
they go back has 25.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)
MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Calendar:
    zone: ZoneInfo
    roll_over: time

    def day_of(self, at: int) -> date:
        """The gaming day of a moment, in microseconds since 1970."""
        day = self.date_of(at)
        return day if at >= self.begins_at(day) else day - _DAY

    def begins_at(self, day: date) -> int:
        """The first moment of a gaming day.

        Where clocks skip the roll-over, the day begins with the first moment after the gap; where
        the roll-over comes twice, with the first of the two.
        """
        return _begins_at(self.zone, self.roll_over, day)

    def bounds(self, day: date) -> tuple[int, int]:
        """From its first moment to the first moment of the next."""
        return self.begins_at(day), self.begins_at(day + _DAY)

    def date_of(self, at: int) -> date:
        """The local date at a moment."""
        return moment(at).astimezone(self.zone).date()

    def midnight(self, day: date) -> int:
        """The first moment of a date."""
        return _begins_at(self.zone, time(0), day)


@lru_cache(maxsize=4_096)
def _begins_at(zone: ZoneInfo, roll_over: time, day: date) -> int:
    local = datetime.combine(day, roll_over, zone)
    # A local time within a gap is read with the offsets from before and after it.
    late, early = microseconds(local), microseconds(local.replace(fold=1))
    if early >= late:
        return late
    before = moment(early).astimezone(zone).utcoffset()
    while late - early > 1:
        middle = (early + late) // 2
        if moment(middle).astimezone(zone).utcoffset() == before:
            early = middle
        else:
            late = middle
    return late


def moment(at: int) -> datetime:
    return _EPOCH + timedelta(microseconds=at)


def microseconds(at: datetime) -> int:
    return (at - _EPOCH) // MICROSECOND
