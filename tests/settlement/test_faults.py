"""kill -9 of workers and brokers: afterwards rounds and findings are those of the audit.

The moments are random and come from a seed; `make faults SEEDS=20` tries many.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from random import Random

import pytest

from tests.settlement.floor import Floor
from tests.settlement.forgetting import forget
from tests.settlement.trouble import Crew, Feed, all_is_published, kill_broker, spoilt_day
from tests.stack.broker import Broker
from tests.stack.plugin import StackMaker

pytestmark = pytest.mark.proof

SEEDS = range(int(os.environ.get("FAULT_SEEDS") or 1))
TROUBLES = ("broker", "kill", "join", "kill", "broker", "leave")


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_is_killed_during_a_day_it_comes_out_as_the_audit_says(
    seed: int, own_stack: StackMaker
) -> None:
    rng = Random(seed)
    stack = own_stack()
    stack.up(servers_only=True)
    floor = Floor(
        Broker(stack.kafka_bootstrap),
        partitions=rng.choice((1, 3, 12)),
        snapshot_partitions=rng.choice((1, 2)),
    )
    frames = spoilt_day(seed, tables=5, rounds=20)
    settings = {
        "BATCH_MESSAGES_MAX": rng.choice(("10", "40", "10000")),
        "REFOLD_MAX": rng.choice(("0", "100", "600")),
    }
    with Crew(floor, **settings) as crew:
        crew.start("one")
        with Feed(floor, frames, seconds=10):
            for trouble in rng.sample(TROUBLES, k=len(TROUBLES)):
                time.sleep(rng.uniform(0.3, 2.5))
                strike(trouble, rng, crew)
                if trouble == "broker":
                    kill_broker(stack)
                    time.sleep(rng.uniform(0, 1))
                    stack.up(servers_only=True)
                crew.keep()
        all_is_published(floor, crew, frames)


def strike(trouble: str, rng: Random, crew: Crew) -> None:
    if trouble == "kill":
        name = rng.choice(sorted(crew.workers))
        crew.kill(name)
        crew.start(name)
    elif trouble == "join":
        crew.start("two")
    elif trouble == "leave" and len(crew.workers) > 1:
        name = rng.choice(sorted(crew.workers))
        if rng.random() < 0.5:
            crew.kill(name)  # for good: the other waits until the broker misses it
        else:
            crew.leave(name)


@pytest.mark.parametrize("place", ["outputs", "commit"])
def test_a_worker_killed_in_mid_transaction_leaves_nothing_behind(
    broker: Broker, place: str, tmp_path: Path
) -> None:
    floor = Floor(broker, partitions=2)
    frames = spoilt_day(31, tables=2, rounds=6)
    floor.send(frames)
    with Crew(floor, BATCH_MESSAGES_MAX="200", PAUSE_UNTIL=str(tmp_path / "never")) as crew:
        paused = crew.start("one", module="tests.settlement.pausing", PAUSE=place)
        committed = json.loads(paused.wait_for("paused"))["committed"]
        assert sum(map(len, floor.said().values())) == committed
        crew.kill("one")
        crew.start("one")
        all_is_published(floor, crew, frames)


def test_a_broker_killed_in_mid_transaction_leaves_nothing_behind(
    own_stack: StackMaker, tmp_path: Path
) -> None:
    stack = own_stack()
    stack.up(servers_only=True)
    floor = Floor(Broker(stack.kafka_bootstrap), partitions=2)
    frames = spoilt_day(32, tables=3, rounds=8)
    half = len(frames) // 2
    with Crew(floor, BATCH_MESSAGES_MAX="200") as crew:
        for place, some in (("outputs", frames[:half]), ("commit", frames[half:])):
            floor.send(some)
            go_on = tmp_path / place
            paused = crew.start(
                "one", module="tests.settlement.pausing", PAUSE=place, PAUSE_UNTIL=str(go_on)
            )
            paused.wait_for("paused")
            kill_broker(stack)
            go_on.touch()
            stack.up(servers_only=True)
            all_is_published(floor, crew, floor.sent)
            crew.kill("one")


def test_a_transaction_that_no_broker_will_ever_end_is_ended_by_its_worker(
    own_stack: StackMaker, tmp_path: Path
) -> None:
    """A new worker was told for minutes, and would have been for ever, to wait for it."""
    stack = own_stack()
    stack.up(servers_only=True)
    floor = Floor(Broker(stack.kafka_bootstrap), partitions=2)
    frames = spoilt_day(34, tables=3, rounds=8)
    floor.send(frames)
    never = str(tmp_path / "never")
    with Crew(floor, BATCH_MESSAGES_MAX="200", REFOLD_MAX="0") as crew:
        paused = crew.start(
            "one", module="tests.settlement.pausing", PAUSE="commit", PAUSE_UNTIL=never
        )
        paused.wait_for("paused")
        crew.kill("one")
        forget(floor.broker, f"{floor.prefix}settlement-one")
        kill_broker(stack)
        stack.up(servers_only=True)
        hung = crew.start("one")
        assert '"outputs": []' not in hung.wait_for("ending a transaction that hangs")
        all_is_published(floor, crew, frames)


@pytest.mark.parametrize(
    ("partitions", "batch"), [(1, "1"), (12, "1"), (1, "10000"), (12, "10000")]
)
def test_joining_leaving_and_resends_give_the_same_bytes_for_any_batch_and_partitions(
    broker: Broker, partitions: int, batch: str
) -> None:
    floor = Floor(broker, partitions=partitions)
    frames = spoilt_day(33, tables=3, rounds=3)
    with Crew(floor, BATCH_MESSAGES_MAX=batch, REFOLD_MAX="50") as crew:
        crew.start("one").wait_for("tables restored")
        with Feed(floor, frames, seconds=3):
            crew.start("two").wait_for("partitions assigned")
            crew.leave("one")
            crew.start("three").wait_for("partitions assigned")
            crew.kill("two")
        all_is_published(floor, crew, frames)
