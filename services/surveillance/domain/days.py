"""State by gaming day, and its retention."""

from __future__ import annotations

from typing import Final, Generic, TypeVar

from msgspec import Struct, field

from surveillance.domain.detector import Memory

DAYS_KEPT: Final = 3
"""Late events of a disconnected table have arrived by then; older days are not judged again."""


class Day(Struct):
    latest_at: int = 0


D = TypeVar("D", bound=Day)


class Daily(Memory, Generic[D]):
    """The last gaming days, by their dates."""

    days: dict[str, D] = field(default_factory=dict)


def day_at(memory: Daily[D], date: str, at: int, kind: type[D]) -> tuple[D | None, list[str]]:
    """The day of something that happened, and the dates of days that are forgotten by then.

    None for what lies in a day that is forgotten already.
    """
    if at < memory.since:
        return None, []
    day = memory.days.setdefault(date, kind())
    day.latest_at = max(day.latest_at, at)
    gone = sorted(memory.days)[:-DAYS_KEPT]
    for each in gone:
        memory.since = max(memory.since, memory.days.pop(each).latest_at + 1)
    return (day if date in memory.days else None), gone
