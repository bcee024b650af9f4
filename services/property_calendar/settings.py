"""The property's settings: name, time zone, roll-over of the gaming day."""

from __future__ import annotations

from datetime import time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import field_validator

from property_calendar.gaming_day import Calendar
from runtime.settings import Settings


class PropertySettings(Settings):
    property_name: str = "Pitledger Casino"
    """Name of the property on reports."""
    property_time_zone: str = "America/Los_Angeles"
    """Time zone of the property, by its name in the time zone database."""
    gaming_day_roll_over: time = time(6)
    """Local time at which a gaming day begins. Rows of the ledger are dated by it and by the time
    zone: after a change of either, rebuild the ledger."""

    @field_validator("property_time_zone")
    @classmethod
    def _is_a_zone(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError):
            raise ValueError(
                f"Invalid time zone {name!r}: expected a name such as America/Los_Angeles."
            ) from None
        return name

    @property
    def calendar(self) -> Calendar:
        return Calendar(ZoneInfo(self.property_time_zone), self.gaming_day_roll_over)
