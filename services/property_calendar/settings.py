"""Where the property is: the settings of every service that dates something."""

from __future__ import annotations

from datetime import time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import field_validator

from property_calendar.gaming_day import Calendar
from runtime.settings import Settings


class PropertySettings(Settings):
    property_name: str = "Pitledger Casino"
    """What stands on reports."""
    property_time_zone: str = "America/Los_Angeles"
    """Where the property is, as the time zone database names it."""
    gaming_day_roll_over: time = time(6)
    """When a gaming day begins, by the clock on the wall. Neither it nor the time zone is changed
    while a ledger is kept: rows are dated by them; make the ledger anew afterwards."""

    @field_validator("property_time_zone")
    @classmethod
    def _is_a_zone(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError):
            raise ValueError(f"{name!r} is no time zone such as America/Los_Angeles") from None
        return name

    @property
    def calendar(self) -> Calendar:
        return Calendar(ZoneInfo(self.property_time_zone), self.gaming_day_roll_over)
