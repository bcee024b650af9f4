"""The drop count team (WAC 230-15-610): its minimum size, without surveillance staff.

The minimum follows from the room's profile on the gaming day of the count. A larger team is fine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from accounting.domain.checks import repeated

RULE: Final = "WAC 230-15-610"
SMALL_CENTS: Final = 5_000_000_00
"""Below these receipts two people count."""
LARGE_CENTS: Final = 15_000_000_00
"""Up to this two may count with a currency counter; above it three do."""


class RoomProfile(Struct, frozen=True):
    """The facts about the room that rules depend on, from a gaming day on.

    Days are text such as 2026-03-01. A fact that is not on record is None, or empty.
    """

    from_day: str
    annual_receipts_cents: int | None = None
    licensed_on: str = ""
    has_currency_counter: bool = False
    surveillance: frozenset[str] = frozenset()


def profile_on(profiles: Iterable[RoomProfile], day: str) -> RoomProfile:
    """The profile in force on a day; of several from one day, the last. Empty before the first."""
    held = [profile for profile in profiles if profile.from_day <= day]
    latest = max((profile.from_day for profile in held), default=day)
    return next(
        (profile for profile in reversed(held) if profile.from_day == latest), RoomProfile(day)
    )


def team_size_min(profile: RoomProfile, day: str) -> int:
    """Three, unless the receipts that are on record allow two."""
    receipts = profile.annual_receipts_cents
    if receipts is None or _is_first_year(profile.licensed_on, day):
        return 3
    if receipts < SMALL_CENTS:
        return 2
    return 2 if receipts <= LARGE_CENTS and profile.has_currency_counter else 3


def _is_first_year(licensed_on: str, day: str) -> bool:
    """Up to the day before the anniversary.

    >>> _is_first_year("2024-02-29", "2025-02-28"), _is_first_year("2024-02-29", "2025-03-01")
    (True, False)
    """
    if not licensed_on:
        return False
    year, _, month_and_day = licensed_on.partition("-")
    return day < f"{int(year) + 1:04}-{month_and_day}"


def team_remarks(team: Sequence[str], profile: RoomProfile, day: str) -> Iterator[str]:
    """The ways in which a count team breaks the rule."""
    persons = [person for person in team if person]
    size, least = len(set(persons)), team_size_min(profile, day)
    if size < least:
        yield f"Count team of {size}: at least {least} must count ({RULE})"
    for person in repeated(persons):
        yield f"{person} is listed more than once"
    for person in sorted(profile.surveillance.intersection(persons)):
        yield f"{person} is surveillance staff and may not count ({RULE})"
