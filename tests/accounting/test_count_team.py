"""The count team of WAC 230-15-610: its minimum by what the room is, and nobody of surveillance."""

from __future__ import annotations

import pytest

from accounting.domain.count_team import RoomProfile, profile_on, team_remarks, team_size_min
from casino.accounting.v1.cage_event_pb2 import CageEvent, RoomProfileSet
from tests.accounting.asked import DAY as TODAY
from tests.accounting.books import Books, Log
from tests.accounting.facts import at
from wire import topics

DAY = "2026-03-01"
MILLION = 1_000_000_00


@pytest.mark.parametrize(
    ("receipts", "counter", "least"),
    [
        (0, False, 2),
        (5 * MILLION - 1, False, 2),
        (5 * MILLION, False, 3),
        (5 * MILLION, True, 2),
        (15 * MILLION, False, 3),
        (15 * MILLION, True, 2),
        (15 * MILLION + 1, True, 3),
        (15 * MILLION + 1, False, 3),
        (None, True, 3),
    ],
)
def test_minimum_by_annual_receipts(receipts: int | None, counter: bool, least: int) -> None:
    profile = RoomProfile(DAY, receipts, "2019-05-01", counter)
    assert team_size_min(profile, DAY) == least


@pytest.mark.parametrize(
    ("licensed_on", "day", "least"),
    [
        ("2025-03-02", "2026-03-01", 3),
        ("2025-03-01", "2026-03-01", 2),
        ("2024-02-29", "2025-02-28", 3),
        ("2024-02-29", "2025-03-01", 2),
        ("2026-03-01", "2026-03-01", 3),
        ("", "2026-03-01", 2),
    ],
)
def test_a_room_in_its_first_year_has_three(licensed_on: str, day: str, least: int) -> None:
    assert team_size_min(RoomProfile(day, MILLION, licensed_on), day) == least


TWO = RoomProfile(DAY, MILLION, surveillance=frozenset({"V-1", "V-2"}))


@pytest.mark.parametrize(
    ("team", "remarks"),
    [
        (["A", "B"], []),
        (["A", "B", "C", "D", "E"], []),
        (["A"], ["Count team of 1: at least 2 must count (WAC 230-15-610)"]),
        (["A", ""], ["Count team of 1: at least 2 must count (WAC 230-15-610)"]),
        ([], ["Count team of 0: at least 2 must count (WAC 230-15-610)"]),
        (
            ["A", "A"],
            [
                "Count team of 1: at least 2 must count (WAC 230-15-610)",
                "A is listed more than once",
            ],
        ),
        (["A", "B", "V-2"], ["V-2 is surveillance staff and may not count (WAC 230-15-610)"]),
    ],
)
def test_a_team_is_held_against_the_rule(team: list[str], remarks: list[str]) -> None:
    assert list(team_remarks(team, TWO, DAY)) == remarks


def test_a_profile_holds_from_its_day_and_the_last_entered_wins() -> None:
    first, later = RoomProfile("2026-01-01", 1), RoomProfile("2026-03-01", 2)
    again = RoomProfile("2026-03-01", 3)
    entered = [later, first, again]
    assert profile_on(entered, "2025-12-31").annual_receipts_cents is None
    assert profile_on(entered, "2026-02-28") == first
    assert profile_on(entered, "2026-03-01") == again


def profile_set(number: int, said: RoomProfileSet) -> bytes:
    return CageEvent(
        event_id=f"p-{number}",
        gaming_day=TODAY,
        at=at(),
        recorded_at=at(),
        author="ada",
        room_profile_set=said,
    ).SerializeToString()


def test_a_profile_that_cannot_be_is_not_posted(books: Books) -> None:
    profiles = (
        RoomProfileSet(from_day="2026-13-01"),
        RoomProfileSet(from_day="2026-03-01", licensed_on="soon"),
        RoomProfileSet(from_day="2026-03-01", annual_receipts_cents=-1),
        RoomProfileSet(from_day="2026-03-01", annual_receipts_cents=0),
    )
    log = Log()
    for number, said in enumerate(profiles):
        log.append(topics.CAGE_EVENTS, profile_set(number, said))
    books.take(log.messages())
    assert [row[0] for row in books.ask("SELECT event_id FROM cage")] == ["p-3"]
    assert [row[0] for row in books.ask('SELECT code FROM refusals ORDER BY "offset"')] == [
        "no_day",
        "no_day",
        "amount",
    ]
