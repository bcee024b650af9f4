"""Profiles of the room by gaming day, read from entered facts."""

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
    """Raises `ValueError` for an invalid day, `NotBookable` for an invalid amount."""
    profile = event.room_profile_set
    receipts = profile.annual_receipts_cents if profile.HasField("annual_receipts_cents") else None
    if receipts is not None:
        checked(receipts, zero=True)
    return RoomProfile(
        _day("from_day", profile.from_day),
        receipts,
        _day("licensed_on", profile.licensed_on) if profile.licensed_on else "",
        profile.has_currency_counter,
        frozenset(profile.surveillance),
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
