"""Settlement as a process on a real broker: killed, joined, restarted, and the same bytes."""

from __future__ import annotations

import json
import time
from random import Random

import pytest

from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.records import headers_of
from table_simulator.domain.games import GAMES
from table_simulator.domain.specs import specs
from tests.settlement.floor import Floor, Frame
from tests.settlement.streams import bad_day
from tests.stack.broker import Broker
from wire import decode_event, topics


def day(seed: int, *, tables: int, rounds: int) -> list[Frame]:
    """A bad day of several games, interleaved."""
    rng = Random(seed)
    streams = {}
    for number in range(tables):
        table = f"BJ-{number:02d}"
        spec = rng.choice(specs(GAMES[number % len(GAMES)]))
        frames = bad_day(seed=rng.getrandbits(32), spec=spec, rounds=rounds, table=table)
        streams[table] = frames[::-1]
    found: list[Frame] = []
    while streams:
        table = rng.choice(sorted(streams))
        data = streams[table].pop()
        found.append((table, data, decode_event(data).at + 40_000))
        if not streams[table]:
            del streams[table]
    return found


@pytest.mark.parametrize(("partitions", "batch"), [(1, "10000"), (12, "10000"), (3, "50")])
def test_a_day_comes_out_as_the_engine_alone_says(
    broker: Broker, partitions: int, batch: str
) -> None:
    floor = Floor(broker, partitions=partitions)
    floor.send(day(1, tables=6, rounds=6))
    with floor.worker(BATCH_MESSAGES_MAX=batch) as worker:
        floor.settles()
        assert worker.stop() == 0


@pytest.mark.proof
def test_killed_at_any_moment_it_says_the_same_and_each_once(broker: Broker) -> None:
    floor = Floor(broker, partitions=4, snapshot_partitions=2)
    frames = day(2, tables=8, rounds=25)
    moments = Random(20260301)
    pieces = 7
    size = len(frames) // pieces + 1
    partial = 0
    for at in range(0, len(frames), size):
        floor.send(frames[at : at + size])
        with floor.worker(BATCH_MESSAGES_MAX="20", REFOLD_MAX="150") as worker:
            worker.wait_for("tables restored")
            time.sleep(moments.uniform(0, 0.6))
            worker.kill()
        partial += len(floor.said()) > 0
    assert partial > 1, "kills came too early"
    with floor.worker(REFOLD_MAX="150") as worker:
        restored = json.loads(worker.wait_for("tables restored"))
        assert restored["tables"] > 0
        assert 0 < restored["refolded_events"] <= 4 * 150
        floor.settles()


@pytest.mark.proof
def test_two_workers_share_the_tables_and_take_over_from_each_other(broker: Broker) -> None:
    floor = Floor(broker, partitions=4)
    frames = day(3, tables=8, rounds=12)
    third = len(frames) // 3
    settings = {"BATCH_MESSAGES_MAX": "100", "REFOLD_MAX": "200"}
    with floor.worker("one", **settings) as one:
        floor.send(frames[:third])
        one.wait_for("tables restored")
        with floor.worker("two", **settings) as two:
            two.wait_for("tables restored")
            floor.send(frames[third : 2 * third])
            floor.settles()
            assert two.stop() == 0
        one.wait_for("tables restored")
        floor.send(frames[2 * third :])
        floor.settles()


def test_a_snapshot_that_cannot_be_read_is_made_anew_from_the_log(broker: Broker) -> None:
    floor = Floor(broker, partitions=1)
    frames = day(5, tables=2, rounds=8)
    half = len(frames) // 2
    floor.send(frames[:half])
    with floor.worker(REFOLD_MAX="50"):
        floor.settles()
    spoiled = make_producer(producer_configuration(broker.bootstrap))
    for message in floor.read(topics.TABLE_SNAPSHOTS):
        value = (message.value() or b"").replace(b"pitledger table 2", b"pitledger table 0")
        spoiled.produce(
            floor.topic(topics.TABLE_SNAPSHOTS), value, message.key(), headers=headers_of(message)
        )
    assert spoiled.flush(20) == 0
    spoiled.close()
    with floor.worker(REFOLD_MAX="50") as worker:
        worker.wait_for("table is folded anew")
        floor.send(frames[half:])
        floor.settles()
