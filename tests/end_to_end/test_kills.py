"""kill -9 of gateway, settlement and broker during a day: nothing is lost, nothing counts twice."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.stack.stack import Stack
from table_simulator.days.day import simulate
from table_simulator.days.fault_plan import Plan
from table_simulator.domain.truth import planted_vs_found
from tests.end_to_end.spine import GATEWAY, KAFKA, SETTLEMENT, Spine, Vandal, fixed_ports
from tests.stack.plugin import settings_in
from wire import topics

pytestmark = pytest.mark.proof

SEEDS = range(int(os.environ.get("KILLS_SEEDS") or 1))
"""`make kills` tries many."""
KILLS = int(os.environ.get("KILLS_EACH") or 1)
TABLES, ROUNDS, SPEED = 4, 15, 200.0
FAULTS = (
    "overpaid",
    "underpaid",
    "past post",
    "out of place",
    "unknown rules",
    "sequence gap",
    "sequence conflict",
    "chain broken",
    "clock skew",
    "garbage",
    "event ahead",
    "event sent again",
    "controller restart",
)


@pytest.fixture
def spine(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Spine]:
    folder = tmp_path_factory.mktemp("stack") / "stack"
    wanted = {"STACK_SERVICES": "table_gateway,settlement", **fixed_ports()}
    stack = Stack(settings_in(folder, **wanted))
    try:
        yield Spine(stack, tmp_path)
    finally:
        stack.down(remove_data=True)
        shutil.rmtree(folder.parent, ignore_errors=True)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_day_through_kills_is_settled_as_the_audit_of_its_log(spine: Spine, seed: int) -> None:
    plan = Plan(per_day=dict.fromkeys(FAULTS, 1))
    day = simulate(seed=seed, tables=TABLES, rounds=ROUNDS, plan=plan)
    assert day.unplanted == ()
    since = spine.topics.ends()
    victims = [GATEWAY, SETTLEMENT, KAFKA] * KILLS
    with Vandal(spine, seed=seed, victims=victims, seconds=4.0 * KILLS):
        sent = spine.send(day, speed=SPEED)
    assert sent.is_done
    assert sorted(spine.killed) == sorted(victims)
    spine.settled()

    # All that was acknowledged is there.
    logged = spine.read(topics.TABLE_EVENTS)
    for script in day.scripts():
        frames = {message.value() for message in logged[script.stream]}
        assert frames == {frame.data for frame in script.frames}

    # Rounds and findings are those of the audit, byte for byte: each of them once.
    rounds, findings = spine.audited()
    assert rounds
    assert findings
    assert spine.said(topics.SETTLED_ROUNDS) == rounds
    assert spine.said(topics.FINDINGS) == findings

    # And what was planted was found, or refused, and nothing else.
    verdict = planted_vs_found(
        day.truths,
        spine.topics.standing(since, day.tables),
        spine.topics.rejections(since, day.tables),
    )
    assert verdict.is_clean, verdict
