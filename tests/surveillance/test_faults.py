"""kill -9, rebalances and brokers that go away: afterwards the same alerts stand.

The moments are random and come from a seed; `make faults SEEDS=20` tries many.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from surveillance.kafka.faust_app import SESSION_SECONDS
from tests.settlement.floor import Process, eventually
from tests.settlement.trouble import Crew, kill_broker, spoilt_day
from tests.stack.broker import Broker
from tests.stack.plugin import StackMaker
from tests.surveillance.house import House, Record, Telling, part_of
from wire import topics

pytestmark = pytest.mark.proof

SEEDS = range(int(os.environ.get("FAULT_SEEDS") or 1))


class Watch(Crew):
    """Workers of surveillance, each with a folder of its own or none."""

    def __init__(self, house: House, folder: Path | None) -> None:
        super().__init__(house)
        self._folder = folder

    def start(self, name: str, *, module: str = "surveillance", **settings: str) -> Process:
        kept = {} if self._folder is None else {"STATE_FOLDER": str(self._folder / name)}
        return super().start(name, module=module, **kept, **settings)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("on_disk", [False, True], ids=["in memory", "on disk"])
def test_a_worker_killed_in_mid_stream_loses_no_alert_and_doubles_none(
    broker: Broker, seed: int, on_disk: bool, tmp_path: Path
) -> None:
    rng = Random(seed)
    house = House(broker)
    with Watch(house, tmp_path if on_disk else None) as watch:
        watch.start("one")
        with Telling(house, spoilt_day(40 + seed, tables=4, rounds=10), seconds=12):
            for _ in range(2):
                time.sleep(rng.uniform(2, 5))
                watch.kill("one")
                watch.start("one")
        house.agrees()
        eventually(house.is_done)


@pytest.mark.parametrize("seed", SEEDS)
def test_partitions_that_move_between_workers_lose_no_alert_and_double_none(
    broker: Broker, seed: int, tmp_path: Path
) -> None:
    rng = Random(seed)
    house = House(broker)
    with Watch(house, tmp_path) as watch:
        watch.start("one")
        with Telling(house, spoilt_day(60 + seed, tables=4, rounds=10), seconds=20):
            time.sleep(rng.uniform(3, 5))
            watch.start("two")
            time.sleep(rng.uniform(5, 7))
            watch.leave("one")
            watch.start("three")
            time.sleep(rng.uniform(3, 5))
            watch.kill("two")  # for good: the other waits until the broker misses it
        house.agrees()
        eventually(house.is_done)


@pytest.mark.parametrize("place", ["begin", "commit"])
def test_a_worker_that_stands_still_cannot_write_over_what_its_successor_wrote(
    broker: Broker, place: str
) -> None:
    """It is stopped with states in hand, another takes its partitions; then it wakes."""
    house = House(broker)
    day = spoilt_day(70, tables=3, rounds=8)
    early, late = day[: len(day) // 2], day[len(day) // 2 :]
    records = house.settle(day)
    house.send(early)
    house.say(records[: len(records) // 2])
    with Watch(house, None) as watch:
        still = watch.start("one", module="tests.surveillance.pausing", PAUSE=place)
        still.wait_for("paused")
        watch.start("two").wait_for("ready")
        house.agrees(seconds_max=120)
        os.kill(still.pid, signal.SIGCONT)
        assert "Fenced" in still.wait_for("part died")
        assert still.ended() == 1
        watch.kill("two")
        # Who comes next knows only what is in the changelog.
        watch.start("three")
        house.send(late)
        house.say(records[len(records) // 2 :])
        house.agrees(seconds_max=120)
        eventually(house.is_done)
    assert house.states_never_go_back()


def test_a_worker_that_is_slow_to_learn_where_to_begin_leaves_nothing_out(broker: Broker) -> None:
    house = House(broker)
    day = spoilt_day(90, tables=3, rounds=8)
    records = house.settle(day)
    house.send(day[: len(day) // 2])
    house.say(records[: len(records) // 2])
    with Watch(house, None) as watch:
        watch.start("one")
        house.agrees()
        eventually(house.is_done)
        watch.leave("one")
        house.send(day[len(day) // 2 :])
        house.say(records[len(records) // 2 :])
        watch.start("two", module="tests.surveillance.seeking_slowly")
        house.agrees()
        eventually(house.is_done)


def test_a_coordinator_that_is_still_loading_is_waited_for(broker: Broker) -> None:
    """By the same process, which goes on where it was and sorts nothing a second time."""
    house = House(broker)
    day = spoilt_day(95, tables=3, rounds=8)
    records = house.settle(day)
    with Watch(house, None) as watch:
        watch.start("one")
        house.send(day)  # all at once: no round is settled before its rules are in force
        _say_part(house, records, 0)
        watch.kill("one")
        module = "tests.surveillance.loading_coordinator"
        loading = watch.start("one", module=module, LOADED_AFTER="3")
        loading.wait_for("ready")
        for part in range(1, PARTS):
            # Longer than a session: with a heartbeat given up, the group would forget the worker.
            time.sleep(SESSION_SECONDS)
            _say_part(house, records, part)
        assert loading.is_alive
    sorted_ = [each.value() for each in house.read(topics.SURVEILLANCE_SIGHTINGS)]
    assert len(set(sorted_)) == len(sorted_)


PARTS = 3


def _say_part(house: House, records: Sequence[Record], part: int) -> None:
    """Returns when what was said so far was told, and is done."""
    house.say(part_of(records, part, PARTS))
    house.agrees(seconds_max=180)
    eventually(house.is_done, seconds_max=180)


def test_a_broker_that_is_away_for_a_while_loses_no_alert_and_doubles_none(
    own_stack: StackMaker,
) -> None:
    stack = own_stack()
    stack.up(servers_only=True)
    house = House(Broker(stack.kafka_bootstrap))
    with Watch(house, None) as watch:
        watch.start("one")
        with Telling(house, spoilt_day(80, tables=3, rounds=8), seconds=10):
            time.sleep(5)
            kill_broker(stack)
            time.sleep(8)
            stack.up(servers_only=True)

        def agrees() -> bool:
            watch.keep()
            return house.standing() == house.expected()

        eventually(agrees)
        assert house.standing()
