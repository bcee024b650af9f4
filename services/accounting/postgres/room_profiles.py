"""What the room is, by gaming day: as it was entered, and as it is read back from the log."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from psycopg import Connection

from accounting.domain.cash import checked
from accounting.domain.count_team import RoomProfile
from accounting.grpc.day_range import YEARS
from casino.accounting.v1.cage_event_pb2 import CageEvent

PROFILES: Final = "SELECT value FROM cage WHERE kind = 'room_profile_set' ORDER BY source_offset"


def read_profile(event: CageEvent) -> RoomProfile:
    """Raises `ValueError` for a day, and `NotBookable` for an amount, that cannot be."""
    said = event.room_profile_set
    receipts = said.annual_receipts_cents if said.HasField("annual_receipts_cents") else None
    if receipts is not None:
        checked(receipts, zero=True)
    return RoomProfile(
        _day("from_day", said.from_day),
        receipts,
        _day("licensed_on", said.licensed_on) if said.licensed_on else "",
        said.has_currency_counter,
        frozenset(said.surveillance),
    )


def profiles_of(values: Iterable[bytes]) -> list[RoomProfile]:
    """In the order in which they were entered."""
    return [read_profile(CageEvent.FromString(bytes(value))) for value in values]


def fetch_profiles(connection: Connection[Any]) -> list[RoomProfile]:
    return profiles_of(value for (value,) in connection.execute(PROFILES))


def _day(field: str, text: str) -> str:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if day.isoformat() != text or day.year not in YEARS:
        raise ValueError(f"Invalid {field} {text!r}: expected YYYY-MM-DD.")
    return text
