"""Whole days with ground truth: everything planted raises its alert, and nothing else does.

`make watch` does the same for many seeds, and counts by kind.
"""

from __future__ import annotations

import os
from functools import cache

import pytest

from alerting.kinds import KINDS, DecidedBy
from deploy.demo.watched import ALERTS_OF_PATTERNS
from table_simulator.days.day import simulate
from table_simulator.days.fault_plan import Plan
from table_simulator.domain.habit import Habit
from table_simulator.domain.patterns.pattern_catalog import PATTERNS
from tests.surveillance.domain.headlines import problems
from tests.surveillance.domain.simulated import STATISTICAL, Measured, measure

SEEDS = range(int(os.environ.get("WATCH_SEEDS", "2")))
EVERYTHING = "a day with every fault and every pattern"
PLANS = {
    "a clean day": Plan(),
    "a day with every pattern": Plan(patterns=1),
    EVERYTHING: Plan(every=1, patterns=1),
}


@cache
def measured(seed: int, name: str) -> Measured:
    return measure(simulate(seed=seed, tables=12, rounds=40, plan=PLANS[name]))


def test_every_pattern_is_decided_by_facts_or_by_statistics() -> None:
    named = {each.name for each in PATTERNS} | {each.value for each in Habit}
    assert set(ALERTS_OF_PATTERNS) | set(STATISTICAL) == named
    assert not set(ALERTS_OF_PATTERNS) & set(STATISTICAL)


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("seed", SEEDS)
def test_everything_planted_and_nothing_else_raises_an_alert(seed: int, name: str) -> None:
    day = measured(seed, name)
    assert (day.missed, day.false) == ([], [])
    assert day.engine.is_clean
    assert day.found == day.planted


@pytest.mark.parametrize("seed", SEEDS)
def test_a_clean_day_is_silent_but_for_big_wins(seed: int) -> None:
    kinds = {each.kind for each in measured(seed, "a clean day").alerts}
    assert kinds <= {"win.big", "cash.reporting_line"}


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_headline_is_a_short_sentence_without_codes(seed: int, name: str) -> None:
    alerts = measured(seed, name).alerts
    wrong = {alert.sentence: found for alert in alerts if (found := problems(alert.sentence))}
    assert wrong == {}


def test_simulated_days_raise_every_kind_that_facts_of_tables_and_cage_decide() -> None:
    raised = {alert.kind for alert in measured(0, EVERYTHING).alerts}
    raised |= {alert.kind for alert in measured(1, EVERYTHING).alerts}
    due = {
        code for code, kind in KINDS.items() if kind.decided_by in (DecidedBy.LOG, DecidedBy.CROSS)
    }
    assert due - raised == {"log.refused", "office.refused"}


def test_statistics_raise_no_alarm_on_a_clean_day() -> None:
    day = simulate(seed=0, tables=12, rounds=40, plan=PLANS["a clean day"])
    alerts = measure(day, with_statistics=True).alerts
    assert {each.kind for each in alerts} <= {"win.big", "cash.reporting_line"}
