"""Times by the clock on the wall of the prop."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo


def at(micros: int) -> datetime:
    """A time of the log, in microseconds since 1970."""
    return datetime.fromtimestamp(micros // 1_000_000, UTC).replace(microsecond=micros % 1_000_000)


def clock(moment: datetime, zone: ZoneInfo) -> str:
    """
    >>> clock(datetime(2026, 3, 2, 10, 4, 32, tzinfo=UTC), ZoneInfo("America/Los_Angeles"))
    '02:04:32'
    """
    return f"{moment.astimezone(zone):%H:%M:%S}"


def day(moment: datetime, zone: ZoneInfo) -> str:
    """
    >>> day(datetime(2026, 3, 2, 10, 4, 32, tzinfo=UTC), ZoneInfo("America/Los_Angeles"))
    'Mon 2 Mar 2026'
    """
    local = moment.astimezone(zone)
    return f"{local:%a} {local.day} {local:%b %Y}"


def short_day(moment: datetime, zone: ZoneInfo) -> str:
    """
    >>> short_day(datetime(2026, 3, 2, 10, 4, 32, tzinfo=UTC), ZoneInfo("America/Los_Angeles"))
    'Mon 2 Mar'
    """
    local = moment.astimezone(zone)
    return f"{local:%a} {local.day} {local:%b}"


def day_and_clock(moment: datetime, zone: ZoneInfo) -> str:
    """
    >>> day_and_clock(datetime(2026, 3, 2, 10, 4, 32, tzinfo=UTC), ZoneInfo("America/Los_Angeles"))
    'Mon 2 Mar 2026, 02:04:32'
    """
    return f"{day(moment, zone)}, {clock(moment, zone)}"
