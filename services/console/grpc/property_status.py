"""The house: its name, its clock on the wall, and the gaming day that is now.

Accounting says all of it. It is asked every now and then; while it does not answer, the last
answer stands, and pages say that the day is not known where there is none.
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
"""How long a page waits for it."""


@dataclass(frozen=True, slots=True)
class Property:
    name: str
    zone: ZoneInfo
    gaming_day: str
    """Empty where nobody knows."""
    calendar: Calendar | None = None

    @property
    def now(self) -> datetime:
        return datetime.now(UTC).astimezone(self.zone)


UNKNOWN: Final = Property("Pitledger", ZoneInfo("UTC"), "")


class PropertyStatus:
    """The house as it was last told of."""

    def __init__(self, clients: ServiceClients) -> None:
        self._clients = clients
        self._property = UNKNOWN
        self._asked_at = -FRESH_SECONDS

    @property
    def known(self) -> Property:
        """Without clients."""
        return self._property

    async def current(self, user: User | None) -> Property:
        if user is None or time.monotonic() - self._asked_at < FRESH_SECONDS:
            return self._property
        self._asked_at = time.monotonic()
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
