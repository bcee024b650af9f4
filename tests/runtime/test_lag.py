"""How far a reader is behind, on a real broker."""

from __future__ import annotations

from confluent_kafka import TopicPartition

from runtime.kafka.lag import Lag
from runtime.kafka.reading import open_reader
from runtime.metrics import Metrics
from runtime.positions import Partition
from tests.runtime.kafka import eventually
from tests.stack.broker import Broker


def test_the_lag_is_told_by_partition_and_only_of_what_is_read(broker: Broker) -> None:
    topic = broker.make_topic()
    broker.write(topic, [b"%d" % number for number in range(50)])
    metrics, now = Metrics("example"), [0.0]
    lag = Lag(metrics, clock=lambda: now[0])

    def told() -> float | None:
        labels = {"topic": topic, "partition": "0"}
        return metrics.registry.get_sample_value("example_lag_messages", labels)

    def look(done: int) -> None:
        now[0] += 10
        lag.look(reader, {Partition(topic, 0): done})

    reader = open_reader(broker.bootstrap)
    try:
        reader.assign([TopicPartition(topic, 0, 0)])
        look(0)
        assert told() is None, "no broker has said anything yet"
        eventually(lambda: reader.poll(0.2) is not None)
        look(20)
        assert told() == 30
        lag.look(reader, {Partition(topic, 0): 21})
        assert told() == 30, "not looked at again so soon"
        look(50)
        assert told() == 0
        now[0] += 10
        lag.look(reader, {})
        assert told() is None, "it is somebody else's"
        look(40)
        assert told() == 10
        lag.clear()
        assert told() is None
    finally:
        reader.close()
