"""Name, time zone and current gaming day of the property, from accounting.

The status is refreshed periodically. While accounting is unavailable, the last response is used;
without one, pages show that the gaming day is unknown.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from datetime import time as clock
from typing import Final
from zoneinfo import ZoneInfo

import grpc

from casino.accounting.v1.service_pb2 import GetStatusRequest
from console.grpc.clients import ServiceClients
from console.users.user import User
from property_calendar.gaming_day import Calendar

FRESH_SECONDS: Final = 20.0
AWAY_SECONDS: Final = 2.0
"""Deadline of the call: a page waits for it."""


@dataclass(frozen=True, slots=True)
class Property:
    """One casino: its name, time zone and gaming day."""

    name: str
    zone: ZoneInfo
    gaming_day: str
    """Empty if unknown."""
    calendar: Calendar | None = None

    @property
    def now(self) -> datetime:
        return datetime.now(UTC).astimezone(self.zone)


UNKNOWN: Final = Property("Pitledger", ZoneInfo("UTC"), "")


class PropertyStatus:
    """The last known status of the property, refreshed on demand."""

    def __init__(self, clients: ServiceClients) -> None:
        self._clients = clients
        self._property = UNKNOWN
        self._queried_at = -FRESH_SECONDS

    @property
    def known(self) -> Property:
        """The last known status, without a call."""
        return self._property

    async def current(self, user: User | None) -> Property:
        """The status, refreshed on behalf of the user if it is stale."""
        if user is None or time.monotonic() - self._queried_at < FRESH_SECONDS:
            return self._property
        self._queried_at = time.monotonic()
        try:
            answer = await self._clients.books.GetStatus(
                GetStatusRequest(),
                metadata=self._clients.metadata_for(user),
                timeout=AWAY_SECONDS,
            )
        except grpc.aio.AioRpcError:
            return self._property
        zone = ZoneInfo(answer.time_zone)
        calendar = Calendar(zone, clock.fromisoformat(answer.roll_over))
        self._property = Property(answer.property, zone, answer.gaming_day, calendar)
        return self._property
