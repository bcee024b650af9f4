"""Fault plans: their contents, and the problems of invalid ones."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from table_simulator.days.fault_plan import PATTERN_NAMES, InvalidPlan, Plan, read_fault, read_plan
from table_simulator.domain.faults.fault_catalog import FAULTS
from table_simulator.domain.patterns.pattern_catalog import PATTERNS

PLAN = """
every = 1
patterns = 2

[per_day]
overpaid = 3
"past post" = 0

[per_thousand_rounds]
pinch = 500
"""


def test_a_plan_defines_how_often_each_fault_is_planted() -> None:
    counts = read_plan(PLAN).counts(Random(1), rounds=400)
    assert counts["overpaid"] == 3
    assert counts["underpaid"] == 1
    assert "past post" not in counts
    assert counts["structuring"] == 2
    assert 150 < counts["pinch"] < 250


def test_every_means_every_fault_and_no_pattern() -> None:
    assert set(Plan(every=1).counts(Random(1), rounds=0)) == {fault.name for fault in FAULTS}


def test_every_pattern_has_a_line_in_the_manual() -> None:
    text = (Path(__file__).parents[2] / "docs" / "simulator.md").read_text("utf-8")
    section = text.partition("## Patterns")[2].partition("## ")[0]
    rows = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("|")]
    assert sorted(rows[2:]) == sorted(PATTERN_NAMES)


def test_an_empty_plan_plants_nothing() -> None:
    assert read_plan("").counts(Random(1), rounds=1_000) == {}


def test_faults_and_patterns_have_names_of_their_own() -> None:
    assert not {fault.name for fault in FAULTS} & {pattern.name for pattern in PATTERNS}


def test_all_problems_of_a_plan_are_reported_at_once() -> None:
    text = 'every = -1\nrate = 2\n[per_day]\n"over paid" = 1\npinch = 1.5\n'
    with pytest.raises(InvalidPlan) as rejection:
        read_plan(text)
    assert rejection.value.problems == (
        "unknown key 'rate'; expected every, patterns, per_day, per_thousand_rounds",
        "every is -1, not a whole number from 0 to 1000",
        "unknown fault 'over paid'; did you mean 'overpaid'?",
        "per_day: 'pinch' is 1.5, not a whole number from 0 to 1000",
    )


@pytest.mark.parametrize("number", ["nan", "inf", "1_001", "true", "'2'"])
def test_a_rate_is_a_number_from_none_to_every_round(number: str) -> None:
    with pytest.raises(InvalidPlan, match="not a number from 0 to 1000"):
        read_plan(f"[per_thousand_rounds]\npinch = {number}\n")


def test_a_text_that_is_not_toml_is_rejected() -> None:
    with pytest.raises(InvalidPlan, match="not TOML"):
        read_plan("every: 1")


def test_a_fault_is_typed_with_or_without_a_number() -> None:
    assert read_fault("past post") == ("past post", 1)
    assert read_fault("overpaid=3") == ("overpaid", 3)
    for wrong in ("overpayd", "overpaid=x"):
        with pytest.raises(InvalidPlan):
            read_fault(wrong)
