"""Sources side by side, by a clock that the test turns."""

from __future__ import annotations

from surveillance.kafka.pace import APART_SECONDS_MAX, STILL_SECONDS, Pace

HOUR = 3600.0


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_who_is_hours_ahead_waits_for_who_comes_on_behind() -> None:
    pace = Pace(Clock())
    assert not pace.must_wait("rounds", HOUR)
    assert pace.must_wait("events", HOUR + APART_SECONDS_MAX + 1)
    assert not pace.must_wait("rounds", 2 * HOUR)
    assert not pace.must_wait("events", HOUR + APART_SECONDS_MAX + 1)


def test_who_stands_at_the_end_of_its_topic_holds_up_nobody() -> None:
    clock = Clock()
    pace = Pace(clock)
    assert not pace.must_wait("coupons", HOUR)
    assert pace.must_wait("rounds", 100 * HOUR)
    clock.now += STILL_SECONDS
    assert not pace.must_wait("rounds", 100 * HOUR)


def test_who_is_behind_never_waits() -> None:
    pace = Pace(Clock())
    assert not pace.must_wait("rounds", 100 * HOUR)
    assert not pace.must_wait("events", HOUR)
