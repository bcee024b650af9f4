"""A table is silent against the others, not against the clock on the wall."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from blackjack.facts import Event, HeartbeatSent
from surveillance.domain import subjects
from surveillance.domain.sightings import (
    SourcedSighting,
    SubjectSighting,
    TableActivity,
    TableCaughtUp,
)
from surveillance.domain.table_activity import ActivityTracker
from tests.surveillance.domain.scenes import MINUTE, NOON, placed, standing, watched
from tests.surveillance.domain.watcher import Watcher


def speaks(table: str, *minutes: float) -> str:
    """A table that is open and says something at these minutes."""
    lines = [f"{table} {minutes[0]} opened O-1 a b"]
    return "\n".join(lines + [f"{table} {each} speaks" for each in minutes[1:]]) + "\n"


def every_minute(table: str, since: int, until: int) -> str:
    return speaks(table, *range(since, until + 1))


def test_a_table_that_speaks_now_and_then_is_not_silent() -> None:
    scene = speaks("T-1", 0, 5, 14, 20) + every_minute("T-2", 0, 20)
    assert standing(watched(scene)) == []


def test_a_table_is_silent_while_others_speak() -> None:
    scene = speaks("T-1", 0, 5, 16) + every_minute("T-2", 0, 20)
    (alert,) = watched(scene).standing()
    assert (alert.kind, alert.table) == ("table.silent", "T-1")
    assert [(each.at - NOON) // MINUTE for each in alert.evidence] == [5, 16]


def test_while_all_are_silent_it_is_nobody_in_particular() -> None:
    scene = speaks("T-1", 0, 5, 30) + speaks("T-2", 0, 6, 30) + speaks("T-3", 0, 6, 31)
    assert standing(watched(scene)) == ["floor.silent P2 "]


def test_a_closed_table_has_nothing_to_say() -> None:
    scene = speaks("T-1", 0, 5) + "T-1 6 closed C-1 a b\nT-1 40 opened O-2 a b\n"
    assert standing(watched(scene + every_minute("T-2", 0, 60))) == []


def test_who_is_open_alone_is_not_excused_by_those_who_have_closed() -> None:
    others = every_minute("T-2", 0, 8) + "T-2 9 closed C-1 a b\n"
    assert standing(watched(speaks("T-1", 0, 5, 30) + others)) == ["table.silent P2 T-1"]


def listened(table: str, minute: int) -> SourcedSighting:
    at = NOON + minute * MINUTE
    return SourcedSighting(
        "clock", at, 0, SubjectSighting(subjects.FLOOR, TableCaughtUp(table, at))
    )


def test_a_silence_that_has_not_ended_is_judged_when_all_was_read() -> None:
    watcher = watched(speaks("T-1", 0, 5) + every_minute("T-2", 0, 20))
    assert watcher.standing() == []
    watcher.see(listened("T-1", 20))
    (alert,) = watcher.standing()
    assert "still" in alert.sentence
    later = placed(speaks("T-1", 0, 5, 21))["T-1/events"]
    watcher.see_all(later)
    (again,) = watcher.standing()
    assert (again.id, again.revision) == (alert.id, 2)
    assert "still" not in again.sentence


def test_what_was_only_late_withdraws_the_silence() -> None:
    watcher = watched(speaks("T-1", 0, 5) + every_minute("T-2", 0, 20))
    watcher.see(listened("T-1", 20))
    watcher.see_all(placed(every_minute("T-1", 0, 20))["T-1/events"])
    assert watcher.standing() == []


def test_a_hearing_that_begins_anew_tells_the_same() -> None:
    scene = speaks("T-1", 0, 5, 16, 17, 40) + every_minute("T-2", 0, 60)
    whole = watched(scene)
    halves = Watcher()
    for source, all_placed in placed(scene).items():
        for each in all_placed[: len(all_placed) // 2]:
            halves.see(each)
        again = placed(
            "\n".join(x for x in scene.splitlines() if x.startswith(source.partition("/")[0]))
        )[source]
        halves.see_all(again)
    assert standing(halves) == standing(whole) == ["table.silent P2 T-1"] * 2


def test_a_table_that_is_heard_of_later_excuses_a_silence_that_was_told() -> None:
    watcher = Watcher().see_all(placed("T-1 2 speaks\nT-1 22 speaks")["T-1/events"])
    assert [each.kind for each in watcher.standing()] == ["table.silent"]
    watcher.see_all(placed("T-2 0 speaks")["T-2/events"])
    assert [each.kind for each in watcher.standing()] == ["floor.silent"]


@given(st.lists(st.tuples(st.integers(0, 50_000_000), st.booleans()), min_size=1, max_size=60))
def test_activity_of_events_known_by_their_headers_makes_the_same_stretches(
    steps: list[tuple[int, bool]],
) -> None:
    parsed, by_header = ActivityTracker(), ActivityTracker()
    now = NOON
    for seq, (pause, is_skipped) in enumerate(steps, 1):
        now += pause * 2
        event = Event("T-1", seq, now, HeartbeatSent())
        reported = parsed.hear(event)
        if is_skipped and by_header.prolong("T-1", now, partial(int, seq)):
            assert reported == ()
        else:
            assert by_header.hear(event) == reported
    assert by_header.rest("T-1") == parsed.rest("T-1")


def test_what_a_table_said_last_is_told_before_its_silence_is() -> None:
    """Otherwise the silence would begin elsewhere when it ends, and be another one."""
    hearing = ActivityTracker()
    spoken = [
        Event("T-1", 1 + each, NOON + each * 20_000_000, HeartbeatSent()) for each in range(3)
    ]
    heard = [seen.sighting for event in spoken for seen in hearing.hear(event)]
    assert heard == [TableActivity("T-1", NOON, NOON, 1, 1)]
    (rest,) = hearing.rest("T-1")
    assert rest.sighting == TableActivity("T-1", NOON, NOON + 40_000_000, 1, 3)
    assert hearing.rest("T-1") == hearing.rest("T-2") == ()
