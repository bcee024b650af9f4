"""An alarm says how sure it is, in words; a family of streams is judged together."""

from __future__ import annotations

from itertools import product
from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveillance.domain.alarm_text import alarm_detail, alarm_headline
from surveillance.domain.statistics import (
    LEVELS,
    Alarm,
    Contribution,
    Entry,
    StreamEvidence,
    StreamKind,
    Subject,
    Ticket,
    alarms,
    discoveries,
    e_values,
    fold,
)
from surveillance.domain.statistics.wealth import SHARES
from tests.surveillance.domain.headlines import problems


def told(kind: StreamKind, values: list[float], wager: str = "main") -> Subject:
    state = None
    for number, value in enumerate(values):
        evidence = StreamEvidence(kind, wager, ((Ticket(value),),), observed=1, expected=0.25)
        entry = Entry(number, "T-1", f"R-{number}", 1, (evidence,))
        state = fold(state, Contribution("dealer:D-1", entry))
    assert state is not None
    return state


def test_wealth_is_the_average_over_all_shares() -> None:
    state = told(StreamKind.LUCK, [3.0, 0.0, 3.0])
    by_hand = sum((1 + 2 * a) * (1 - a) * (1 + 2 * a) for a in SHARES) / len(SHARES)
    assert exp(e_values(state)["luck/main"]) == pytest.approx(by_hand)


def test_a_stream_that_fell_again_has_alarmed_all_the_same() -> None:
    state = told(StreamKind.TRANSFERS, [500.0] * 2 + [0.0] * 500)
    (alarm,) = alarms(state)
    assert alarm.e_value > 1_000 > alarm.e_value_now
    assert (alarm.table, alarm.round, alarm.at) == ("T-1", "R-1", 1)
    assert alarm.false_alarm_bound == pytest.approx(1 / alarm.e_value)
    assert alarm.rounds == 502


@pytest.mark.parametrize("kind", [each for each in StreamKind if each is not StreamKind.COUNT])
def test_the_text_of_an_alarm_has_the_rounds_the_odds_and_no_accusation(kind: StreamKind) -> None:
    (alarm,) = alarms(told(kind, [50.0] * 8))
    headline, detail = alarm_headline(alarm), alarm_detail(alarm)
    assert alarm.level == LEVELS[kind]
    assert alarm.e_value >= 1 / alarm.level
    assert "8 rounds" in headline
    assert problems(headline) == []
    assert "Odds of this by chance: 1 in " in detail
    assert alarm.label == ("advantage" if kind is StreamKind.HOLE_CARD else "")
    assert ("dvantage" in headline) is (kind is StreamKind.HOLE_CARD)
    assert "cheat" not in headline + detail


def test_below_its_threshold_a_stream_is_silent() -> None:
    state = told(StreamKind.LUCK, [50.0] * 2)
    assert alarms(state) == ()
    assert [each.kind for each in alarms(state, {StreamKind.LUCK: 0.1})] == [StreamKind.LUCK]


def test_fair_coins_reach_a_threshold_no_more_often_than_its_level() -> None:
    """Every row of ten coins: how many ever come to five is at most one in five."""
    reached = sum(
        bool(alarms(told(StreamKind.LUCK, [2.0 * each for each in row]), {StreamKind.LUCK: 0.2}))
        for row in product((0, 1), repeat=10)
    )
    assert 0 < reached / 2**10 <= 0.2


def test_an_e_value_beyond_all_numbers_is_a_power_of_ten() -> None:
    (alarm,) = alarms(told(StreamKind.LUCK, [1e300] * 3))
    assert isinstance(alarm, Alarm)
    assert "1 in 10^304." in alarm_detail(alarm)


@given(st.dictionaries(st.text(max_size=3), st.floats(-5, 12), max_size=12))
def test_a_family_names_the_strongest_by_the_rule_of_e_bh(logs: dict[str, float]) -> None:
    named = discoveries(logs, level=0.1)
    kept = [logs[name] for name in named]
    assert kept == sorted(kept, reverse=True)
    assert all(value <= min(kept, default=20) for name, value in logs.items() if name not in named)
    for size in range(1, len(logs) + 1):
        weakest = sorted(logs.values(), reverse=True)[size - 1]
        enough = weakest >= log(len(logs) / 0.1) - log(size)
        assert enough <= (len(named) >= size)


def test_a_lone_stream_needs_one_by_its_level() -> None:
    assert discoveries({"a": log(20.1)}, level=0.05) == ("a",)
    assert discoveries({"a": log(19.9)}, level=0.05) == ()
    assert discoveries({}, level=0.05) == ()
