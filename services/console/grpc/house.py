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
from console.grpc.clients import Asking
from console.users.user import Person
from property_calendar.gaming_day import Calendar

FRESH_SECONDS: Final = 20.0
AWAY_SECONDS: Final = 2.0
"""How long a page waits for it."""


@dataclass(frozen=True, slots=True)
class House:
    name: str
    zone: ZoneInfo
    gaming_day: str
    """Empty where nobody knows."""
    calendar: Calendar | None = None

    @property
    def now(self) -> datetime:
        return datetime.now(UTC).astimezone(self.zone)


UNKNOWN: Final = House("Pitledger", ZoneInfo("UTC"), "")


class Houses:
    """The house as it was last told of."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking
        self._house = UNKNOWN
        self._asked_at = -FRESH_SECONDS

    @property
    def known(self) -> House:
        """Without asking."""
        return self._house

    async def current(self, person: Person | None) -> House:
        if person is None or time.monotonic() - self._asked_at < FRESH_SECONDS:
            return self._house
        self._asked_at = time.monotonic()
        try:
            answer = await self._asking.books.GetStatus(
                GetStatusRequest(),
                metadata=self._asking.speaking_for(person),
                timeout=AWAY_SECONDS,
            )
        except grpc.aio.AioRpcError:
            return self._house
        zone = ZoneInfo(answer.time_zone)
        calendar = Calendar(zone, clock.fromisoformat(answer.roll_over))
        self._house = House(answer.property, zone, answer.gaming_day, calendar)
        return self._house
