"""Settlement whose log is replaced, cut short, or whose snapshots are gone."""

from __future__ import annotations

import os
import subprocess
import sys

from confluent_kafka import ConsumerGroupTopicPartitions, TopicPartition

from table_simulator.domain.specs import specs
from tests.settlement.floor import Floor, Frame, eventually
from tests.settlement.streams import bad_day
from tests.stack.broker import Broker
from wire import topics

SPEC = specs("skweezit")[0]


def day(table: str) -> list[Frame]:
    return [(table, frame, 0) for frame in bad_day(seed=11, spec=SPEC, rounds=6, table=table)]


def rebuild(floor: Floor) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "settlement.kafka.rebuild"],
        env=os.environ | {"KAFKA_BOOTSTRAP": floor.broker.bootstrap, "TOPIC_PREFIX": floor.prefix},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_log_that_is_replaced_while_it_is_settled_is_refused_until_accepted(
    broker: Broker,
) -> None:
    floor = Floor(broker, partitions=2)
    floor.send(day("BJ-01"))
    with floor.worker() as worker:
        floor.settles()
        busy = rebuild(floor)
        assert busy.returncode == 1
        assert "stop them first" in busy.stderr

        broker.recreate_topic(floor.topic(topics.TABLE_EVENTS))
        reason = worker.wait_for_rejection("the topic was deleted and created again")
        assert "settlement rejects the log of" in reason
        worker.wait_for("not ready")
        assert worker.is_alive

        # What the new log holds is not settled before somebody says so.
        before = floor.said()
        floor.send(day("BJ-02"))
        assert floor.said() == before
        done = rebuild(floor)
        assert done.returncode == 0, done.stderr
        worker.wait_for("ready")
        floor.settles()


def test_a_log_that_ends_before_what_was_settled_is_refused_at_the_start(broker: Broker) -> None:
    floor = Floor(broker, partitions=1)
    floor.send(day("BJ-01"))
    with floor.worker():
        floor.settles()
    far = TopicPartition(floor.topic(topics.TABLE_EVENTS), 0, 100_000)
    wanted = ConsumerGroupTopicPartitions(f"{floor.prefix}settlement", [far])

    def is_altered() -> bool:
        """Not before the group has forgotten its static member."""
        (asked,) = broker.admin.alter_consumer_group_offsets([wanted]).values()
        return all(partition.error is None for partition in asked.result(30).topic_partitions)

    eventually(is_altered)
    with floor.worker() as worker:
        assert "was read up to offset 100000 and ends at" in worker.wait_for("log rejected")


def test_snapshots_whose_topic_is_created_again_are_made_again_from_the_log(
    broker: Broker,
) -> None:
    floor = Floor(broker, partitions=2)
    frames = day("BJ-01")
    half = len(frames) // 2
    floor.send(frames[:half])
    with floor.worker():
        floor.settles()
    broker.recreate_topic(floor.topic(topics.TABLE_SNAPSHOTS))
    floor.send(frames[half:])
    with floor.worker():
        floor.settles()
