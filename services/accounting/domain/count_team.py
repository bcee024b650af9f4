"""Who may count the drop (WAC 230-15-610): how many at least, and nobody from surveillance.

The minimum follows from what the room is on the gaming day of the count. A larger team is fine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final

from msgspec import Struct

from accounting.domain.checks import repeated

RULE: Final = "WAC 230-15-610"
SMALL_CENTS: Final = 5_000_000_00
"""Below this two people count."""
LARGE_CENTS: Final = 15_000_000_00
"""Up to this two may count with a currency counter; above it three do."""


class RoomProfile(Struct, frozen=True):
    """What the room is from a gaming day on. What nobody has stated is None."""

    from_day: date
    annual_receipts_cents: int | None = None
    licensed_on: date | None = None
    has_currency_counter: bool = False
    surveillance: frozenset[str] = frozenset()


def profile_on(profiles: Iterable[RoomProfile], day: date) -> RoomProfile:
    """What held on a day; of several from the same day the last. Nothing is known before."""
    held = [profile for profile in profiles if profile.from_day <= day]
    latest = max((profile.from_day for profile in held), default=day)
    return next(
        (profile for profile in reversed(held) if profile.from_day == latest), RoomProfile(day)
    )


def team_size_min(profile: RoomProfile, day: date) -> int:
    """Three, unless the receipts that are on record allow two."""
    receipts = profile.annual_receipts_cents
    if receipts is None or _is_first_year(profile.licensed_on, day):
        return 3
    if receipts < SMALL_CENTS:
        return 2
    return 2 if receipts <= LARGE_CENTS and profile.has_currency_counter else 3


def _is_first_year(licensed_on: date | None, day: date) -> bool:
    """Up to the day before the anniversary; of 29 February that is 1 March."""
    if licensed_on is None:
        return False
    try:
        anniversary = licensed_on.replace(year=licensed_on.year + 1)
    except ValueError:
        anniversary = date(licensed_on.year + 1, 3, 1)
    return day < anniversary


def team_remarks(team: Sequence[str], profile: RoomProfile, day: date) -> Iterator[str]:
    """What is wrong with a count team."""
    persons = [each for each in team if each]
    size, least = len(set(persons)), team_size_min(profile, day)
    if size < least:
        of = "person" if size == 1 else "persons"
        yield f"counted by {size} {of}: {least} must count ({RULE})"
    for each in repeated(persons):
        yield f"{each} is named more than once"
    for each in sorted(profile.surveillance.intersection(persons)):
        yield f"{each} works in surveillance and may not count ({RULE})"
