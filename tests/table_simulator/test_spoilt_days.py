"""A day with every fault in it: all of them are found, and nothing else is."""

from __future__ import annotations

import os

import pytest

from blackjack.facts import RoundOpened
from blackjack.findings import Kind
from table_simulator.days.day import simulate
from table_simulator.days.fault_plan import PATTERN_NAMES, Plan
from table_simulator.days.randomness import posted_rules, random_source
from table_simulator.domain.faults.fault_catalog import FAULTS
from table_simulator.domain.floor_plan import plan_floor
from table_simulator.domain.planned_tables import STACKED
from table_simulator.domain.truth import planted_vs_found
from tests.table_simulator.days import a_day, events_of, standing

MANY = int(os.environ.get("FLOOR_SEEDS") or 0)
SEEDS = range(MANY) if MANY else (0, 1, 3)
"""`make floor` tries many. Of seed 2 no patron walks where six debit sales fit."""


@pytest.mark.parametrize("seed", SEEDS)
def test_a_day_with_every_fault_is_found_completely_and_with_nothing_else(seed: int) -> None:
    day = a_day(seed, every=1, patterns=1)
    assert day.unplanted == ()
    assert {kind for truth in day.truths for kind in truth.kinds} == set(Kind)
    assert {truth.fault for truth in day.truths} - {STACKED} == {
        *(fault.name for fault in FAULTS),
        *PATTERN_NAMES,
    }
    verdict = planted_vs_found(day.truths, standing(day))
    assert verdict.missed == ()
    assert verdict.surplus == ()


def test_the_truth_names_the_place_of_a_fault() -> None:
    day = a_day(0, every=1, patterns=1)
    streams = events_of(day.frames)
    for truth in day.truths:
        assert truth.table in streams
        if truth.round and truth.first_seq:
            opened = {
                fact.round: event.seq
                for event in streams[truth.table]
                if isinstance(fact := event.fact, RoundOpened)
            }
            assert opened[truth.round] <= truth.last_seq
    overpaid = next(truth for truth in day.truths if truth.fault == "overpaid")
    assert overpaid.cents > 0
    assert overpaid.seat > 0
    assert overpaid.wager


def test_a_fault_that_no_table_can_have_is_reported_as_unplanted() -> None:
    floor = plan_floor(
        random_source(1), posted_rules, tables=1, rounds=10, faults={"unequal Half Back": 1}
    )
    assert floor.unplaceable == ("unequal Half Back",)


def test_no_more_faults_are_planted_than_a_table_can_have() -> None:
    floor = plan_floor(random_source(1), posted_rules, tables=1, rounds=12, faults={"overpaid": 9})
    assert len(floor.unplaceable) == 9 - 12 // 3


def test_faults_at_one_table_leave_the_others_as_they_were() -> None:
    clean = a_day(3, tables=12, rounds=40)
    day = a_day(3, every=1)
    untouched = set(clean.tables) - {truth.table for truth in day.truths}
    for table in untouched:
        assert [f for f in clean.frames if f.stream == table] == [
            f for f in day.frames if f.stream == table
        ]


@pytest.mark.parametrize(
    ("seed", "tables", "rounds", "fault"),
    [
        # A chip reader recovers as the table closes: the tray is looked at twice in a row.
        pytest.param(346_383_106, 3, 15, "tray variance", id="no chips moved between two looks"),
        # Both copies of the ace that the dealer would draw are out of a shuffler with two decks.
        pytest.param(775_839, 9, 12, "dealer drew", id="a card that the shuffler can have"),
    ],
)
def test_a_fault_brings_nothing_with_it_that_was_not_planted(
    seed: int, tables: int, rounds: int, fault: str
) -> None:
    day = simulate(seed=seed, tables=tables, rounds=rounds, plan=Plan(per_day={fault: 2}))
    verdict = planted_vs_found(day.truths, standing(day))
    assert len(day.truths) == 2
    assert verdict.missed == ()
    assert verdict.surplus == ()
