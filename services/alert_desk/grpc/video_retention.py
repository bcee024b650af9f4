"""How long video exists unless it is held (WAC 230-15-319)."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from casino.surveillance.v1.alert_pb2 import Alert
from property_calendar.gaming_day import Calendar
from runtime.database.column_values import micros

KEPT_DAYS: Final = 7
JACKPOT_DAYS: Final = 30
JACKPOT_CENTS: Final = 3_000_00
BIG_WIN: Final = "win.big"
AROUND_US: Final = 120_000_000
"""Two minutes either side of a moment, where an alert names no stretch of video."""


class VideoRetention:
    """Recorders run from one gaming day to the next: video is deleted by whole gaming days."""

    def __init__(self, calendar: Calendar) -> None:
        self._calendar = calendar

    def until(self, alert: Alert) -> int:
        """When the first video of an alert is deleted: the time counts from the alert."""
        is_jackpot = alert.kind == BIG_WIN and abs(alert.cents) >= JACKPOT_CENTS
        return self.kept(micros(alert.raised_at), JACKPOT_DAYS if is_jackpot else KEPT_DAYS)

    def kept(self, at: int, days: int = KEPT_DAYS) -> int:
        """The end of the last of `days` gaming days after the day of a moment."""
        return self._calendar.begins_at(self._calendar.day_of(at) + timedelta(days=days + 1))

    def stretches(self, alert: Alert) -> list[tuple[str, int, int]]:
        """The tables and times whose video shows an alert."""
        found = [
            (bookmark.table_id, micros(getattr(bookmark, "from")), micros(bookmark.until))
            for bookmark in alert.bookmarks
        ]
        if found or not alert.table_id:
            return found
        at = micros(alert.raised_at)
        return [(alert.table_id, max(0, at - AROUND_US), at + AROUND_US)]
