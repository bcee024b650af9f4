"""When a service is late, and when it is not any more: pure, by numbers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from alert_desk.domain.lateness import CALM_US, Lateness, judge

SECOND = 1_000_000
THRESHOLD = 5.0


def judged(*seconds: float, before: Lateness | None = None) -> list[bool]:
    """Whether it is late after each measurement, one a second."""
    state, found = before or Lateness(), []
    for number, behind in enumerate(seconds):
        state = judge(state, behind, at=number * SECOND, threshold=THRESHOLD)
        found.append(state.is_late)
    return found


def test_it_is_late_only_beyond_the_threshold() -> None:
    assert judged(0, 4, 5, 5.1) == [False, False, False, True]


def test_it_stays_late_until_it_has_caught_up_for_a_while() -> None:
    calm = CALM_US // SECOND
    assert judged(6, *[0] * calm) == [True] * (calm + 1)
    assert judged(6, *[0] * (calm + 1))[-1] is False


def test_to_be_behind_again_begins_the_while_anew() -> None:
    calm = CALM_US // SECOND
    assert all(judged(6, *[0] * calm, 3, *[0] * calm))


@given(st.lists(st.floats(THRESHOLD / 2 + 0.01, THRESHOLD * 2), min_size=1, max_size=200))
def test_around_the_threshold_it_changes_at_most_once(seconds: list[float]) -> None:
    found = judged(*seconds)
    assert found == sorted(found)
