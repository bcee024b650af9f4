"""The day for a sender: when each frame is due, at any speed."""

from __future__ import annotations

import pytest

from table_simulator.days.event_chain import Frame
from table_simulator.days.feed import AS_FAST_AS_POSSIBLE, PacedFeed, in_order
from tests.table_simulator.days import a_day


def frames(stream: str, *times: float) -> list[Frame]:
    return [Frame(stream, seq, b"", int(at * 1_000_000)) for seq, at in enumerate(times, 1)]


def test_in_real_time_frames_are_as_far_apart_as_they_were() -> None:
    feed = PacedFeed(tuple(frames("T1", 10, 10.5, 13)))
    assert [due.seconds for due in feed] == [0, 0.5, 3]


def test_at_sixty_times_the_speed_a_minute_takes_a_second() -> None:
    feed = PacedFeed(tuple(frames("T1", 10, 70)), speed=60)
    assert [due.seconds for due in feed] == [0, 1]


def test_as_fast_as_possible_everything_is_due_at_once() -> None:
    feed = PacedFeed(tuple(frames("T1", 10, 70)), AS_FAST_AS_POSSIBLE)
    assert [due.seconds for due in feed] == [0, 0]


def test_an_empty_feed_is_over_at_once() -> None:
    assert list(PacedFeed(())) == []


def test_streams_are_mixed_by_time_and_each_keeps_its_order() -> None:
    """The clock of the second frame of T1 is behind: it is sent after the first all the same."""
    mixed = list(in_order([frames("T1", 5, 3, 9), frames("T2", 4, 6)]))
    assert [(frame.stream, frame.seq) for frame in mixed] == [
        ("T2", 1),
        ("T1", 1),
        ("T1", 2),
        ("T2", 2),
        ("T1", 3),
    ]


@pytest.mark.parametrize("every", [0, 1])
def test_a_day_is_fed_in_the_order_of_every_stream_and_never_back_in_time(every: int) -> None:
    day = a_day(0, every=every)
    dues = list(day.feed(speed=100))
    assert [due.frame for due in dues] == list(day.frames)
    assert [due.seconds for due in dues] == sorted(due.seconds for due in dues)
    assert list(day.feed(speed=100)) == dues
