"""Times on the clock of the property."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo


def from_micros(micros: int) -> datetime:
    """Read a time of the log, in microseconds since 1970."""
    return datetime.fromtimestamp(micros // 1_000_000, UTC).replace(microsecond=micros % 1_000_000)


def clock(moment: datetime, zone: ZoneInfo) -> str:
    """Format the time of day.

    >>> clock(datetime(2026, 3, 2, 10, 4, 32, tzinfo=UTC), ZoneInfo("America/Los_Angeles"))
    '02:04:32'
    """
    return f"{moment.astimezone(zone):%H:%M:%S}"


def day(moment: datetime, zone: ZoneInfo) -> str:
    """Format the day.

    >>> day(datetime(2026, 3, 2, 10, 4, 32, tzinfo=UTC), ZoneInfo("America/Los_Angeles"))
    'Mon 2 Mar 2026'
    """
    local = moment.astimezone(zone)
    return f"{local:%a} {local.day} {local:%b %Y}"


def short_day(moment: datetime, zone: ZoneInfo) -> str:
    """Format the day without its year.

    >>> short_day(datetime(2026, 3, 2, 10, 4, 32, tzinfo=UTC), ZoneInfo("America/Los_Angeles"))
    'Mon 2 Mar'
    """
    local = moment.astimezone(zone)
    return f"{local:%a} {local.day} {local:%b}"


def day_and_clock(moment: datetime, zone: ZoneInfo) -> str:
    """Format day and time.

    >>> day_and_clock(datetime(2026, 3, 2, 10, 4, 32, tzinfo=UTC), ZoneInfo("America/Los_Angeles"))
    'Mon 2 Mar 2026, 02:04:32'
    """
    return f"{day(moment, zone)}, {clock(moment, zone)}"
