"""The calendar of the property: when a gaming day begins, and to which one a moment belongs.

A gaming day has the date of the evening it begins on and lasts from one roll-over to the next, by
the clock on the wall. So the day on which clocks go forward has 23 hours, and the one on which
they go back has 25.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Calendar:
    zone: ZoneInfo
    roll_over: time

    def day_of(self, at: int) -> date:
        """The gaming day of a moment, in microseconds since 1970."""
        local = moment(at).astimezone(self.zone)
        day = local.date()
        return day if local.time() >= self.roll_over else day - timedelta(days=1)

    def begins_at(self, day: date) -> int:
        """The first moment of a gaming day.

        Where clocks skip the roll-over, the day begins with the first moment after the gap; where
        the roll-over comes twice, with the first of the two.
        """
        local = datetime.combine(day, self.roll_over, self.zone)
        begins = microseconds(local)
        if self.day_of(begins) == day:
            return begins
        # The roll-over does not exist that night: read with the offset from after the gap.
        return microseconds(local.replace(fold=1))

    def bounds(self, day: date) -> tuple[int, int]:
        """From its first moment to the first moment of the next."""
        return self.begins_at(day), self.begins_at(day + timedelta(days=1))


def moment(at: int) -> datetime:
    return _EPOCH + timedelta(microseconds=at)


def microseconds(at: datetime) -> int:
    return (at - _EPOCH) // MICROSECOND
