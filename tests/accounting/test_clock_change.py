"""Nights in which clocks are changed: what is played in them lies on the right day, and ties."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from casino.accounting.v1.service_pb2 import FindEntriesRequest
from property_calendar.gaming_day import microseconds, moment
from table_simulator.days.day import SimulatedDay, simulate
from tests.accounting.asked import Shown, ask, report
from tests.accounting.books import CALENDAR, Books, Log

LOS_ANGELES = ZoneInfo("America/Los_Angeles")
HOUR = timedelta(hours=1)
CHANGES = {
    "spring": (datetime(2026, 3, 8, 10, tzinfo=UTC), "2026-03-07", 23),
    "autumn": (datetime(2026, 11, 1, 9, tzinfo=UTC), "2026-10-31", 25),
}
"""When clocks are changed, on which gaming day, and how many hours that has."""


def play(books: Books, *nights: datetime) -> list[SimulatedDay]:
    """A floor for each, which begins half an hour before that moment and plays over it."""
    log, days = Log(), []
    for number, night in enumerate(nights):
        start_at = microseconds(night - HOUR / 2)
        floor = f"N{number}-"
        days.append(simulate(seed=5, tables=2, rounds=40, start_at=start_at, floor_name=floor))
        log.play(days[-1], floor=floor)
    books.take(log.messages(), batch=5_000)
    return days


def hours_played(day: SimulatedDay) -> set[datetime]:
    """By UTC, of what tables report."""
    return {
        moment(frame.ingested_at).replace(minute=0, second=0, microsecond=0)
        for frame in day.frames
        if frame.stream in day.tables
    }


def check_clean(found: Shown, tables: int) -> None:
    assert len(found.rows) == tables
    for key in ("tray_variance", "drop_variance", "unexplained_tray", "unexplained_drop"):
        assert set(found.column(key)) == {0}, key
    assert found.column("physical") == found.column("owed") == found.column("paid")


@pytest.mark.parametrize("season", CHANGES)
def test_a_night_in_which_clocks_are_changed_is_one_day_and_ties(books: Books, season: str) -> None:
    change, day, hours = CHANGES[season]
    (played,) = play(books, change)
    assert {change - HOUR, change} <= hours_played(played)
    begins_at, ends_at = CALENDAR.bounds(datetime.fromisoformat(day).date())
    assert moment(ends_at) - moment(begins_at) == hours * HOUR
    (rounds,) = books.ask("SELECT array_agg(DISTINCT gaming_day::text) FROM rounds")
    assert rounds == ([day],)
    check_clean(report(books, "reconciliation", day=day), tables=2)
    for other in (-1, 1):
        beside = datetime.fromisoformat(day) + timedelta(days=other)
        assert report(books, "reconciliation", day=f"{beside:%Y-%m-%d}").rows == []


@pytest.mark.parametrize("season", CHANGES)
def test_before_and_after_the_roll_over_of_such_a_night_are_two_days(
    books: Books, season: str
) -> None:
    """The last hour of the night and the first of the morning, by the clock on the wall."""
    change, day, _ = CHANGES[season]
    morning = change.astimezone(LOS_ANGELES).replace(hour=6, minute=0)
    next_day = f"{morning:%Y-%m-%d}"
    play(books, change, morning.astimezone(UTC) - 3 * HOUR, morning.astimezone(UTC) + HOUR)
    rounds = books.ask(
        "SELECT left(table_id, 2), array_agg(DISTINCT gaming_day::text) FROM rounds GROUP BY 1"
        " ORDER BY 1"
    )
    assert rounds == [("N0", [day]), ("N1", [day]), ("N2", [next_day])]
    check_clean(report(books, "reconciliation", day=day), tables=4)
    check_clean(report(books, "reconciliation", day=next_day), tables=2)


def test_the_hour_that_comes_twice_is_told_apart(books: Books) -> None:
    change, day, _ = CHANGES["autumn"]
    play(books, change)
    request = FindEntriesRequest(from_day=day, page_size=1000)
    entries = ask(books, lambda asked: asked.find_entries(request)).entries
    shown = {entry.at.ToDatetime(UTC).astimezone(LOS_ANGELES) for entry in entries}
    twice = [part for part in shown if part.hour == 1]
    assert {row.fold for row in twice} == {0, 1}
    assert {f"{row:%Z}" for row in twice} == {"PDT", "PST"}
