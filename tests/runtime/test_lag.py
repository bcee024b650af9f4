"""How far a reader is behind, on a real broker: messages, and how long the oldest has waited."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition

from runtime.kafka.backlog import Backlog, UnreadMessages
from runtime.kafka.lag import LagMonitor, LagReader, group_reader
from runtime.metrics import Metrics
from runtime.positions import Partition
from tests.runtime.kafka import eventually
from tests.stack.broker import SECONDS_MAX, Broker

STAMPED = {"message.timestamp.type": "LogAppendTime"}
YEAR_9999_MS = 253_370_764_800_000


@pytest.fixture
def backlog(broker: Broker) -> Iterator[Backlog]:
    with closing(Backlog(broker.bootstrap)) as opened:
        yield opened


def write_in_transactions(broker: Broker, topic: str, count: int, *, abort_last: bool) -> None:
    """Each message in a transaction of its own, so that a marker follows every one."""
    producer = Producer(
        {"bootstrap.servers": broker.bootstrap, "transactional.id": broker.name("writer")}
    )
    producer.init_transactions(SECONDS_MAX)
    for number in range(count):
        producer.begin_transaction()
        producer.produce(topic, b"%d" % number, partition=0)
        if abort_last and number == count - 1:
            producer.flush(SECONDS_MAX)
            producer.abort_transaction(SECONDS_MAX)
        else:
            producer.commit_transaction(SECONDS_MAX)


def commit(broker: Broker, group: str, topic: str, offset: int) -> None:
    consumer = Consumer({"bootstrap.servers": broker.bootstrap, "group.id": group})
    with closing(consumer):
        consumer.commit(offsets=[TopicPartition(topic, 0, offset)], asynchronous=False)


@pytest.mark.parametrize("abort_last", [False, True])
def test_a_reader_that_has_read_everything_is_not_behind_for_a_marker(
    broker: Broker, backlog: Backlog, abort_last: bool
) -> None:
    topic = broker.make_topic()
    write_in_transactions(broker, topic, 3, abort_last=abort_last)
    eventually(lambda: len(broker.read(topic)) == (2 if abort_last else 3))
    messages, place = broker.read(topic), Partition(topic, 0)
    behind_the_last = (messages[-1].offset() or 0) + 1
    at_the_last = behind_the_last - 1
    assert backlog.measure("reader", {place: behind_the_last}) == {place: None}
    last = backlog.measure("reader", {place: at_the_last})[place]
    assert last is not None
    assert last.oldest_at == messages[-1].timestamp()[1] / 1_000
    # Asked again, from what is remembered.
    assert backlog.measure("reader", {place: behind_the_last}) == {place: None}
    write_in_transactions(broker, topic, 1, abort_last=False)
    # A commit is answered before its marker is written, and readers see it a moment later.
    eventually(lambda: len(broker.read(topic)) > len(messages))
    fresh = backlog.measure("reader", {place: behind_the_last})[place]
    assert fresh is not None
    assert fresh.oldest_at == broker.read(topic)[-1].timestamp()[1] / 1_000


def test_the_broker_says_how_long_a_message_has_waited_and_not_its_writer(
    broker: Broker, backlog: Backlog
) -> None:
    topic = broker.make_topic(configuration=STAMPED)
    producer = Producer({"bootstrap.servers": broker.bootstrap})
    producer.produce(topic, b"from the future", timestamp=YEAR_9999_MS)
    assert producer.flush(SECONDS_MAX) == 0
    unread = backlog.measure("reader", {Partition(topic, 0): 0})[Partition(topic, 0)]
    assert unread is not None
    assert unread.messages == 1
    assert unread.oldest_at == broker.read(topic)[0].timestamp()[1] / 1_000
    assert unread.oldest_at < YEAR_9999_MS / 1_000


def test_each_message_that_is_read_makes_the_next_one_the_oldest(
    broker: Broker, backlog: Backlog
) -> None:
    topic = broker.make_topic()
    place = Partition(topic, 0)
    broker.write(topic, [b"%d" % number for number in range(50)])
    stamps = [message.timestamp()[1] / 1_000 for message in broker.read(topic)]
    for position in (0, 1, 20, 49):
        expected = UnreadMessages(50 - position, stamps[position])
        assert backlog.measure("reader", {place: position}) == {place: expected}
    assert backlog.measure("another", {place: 7}) == {place: UnreadMessages(43, stamps[7])}
    assert backlog.measure("reader", {place: 50}) == {place: None}
    assert backlog.measure("reader", {}) == {}


def test_a_reader_that_hangs_is_measured_by_what_its_group_committed(broker: Broker) -> None:
    topic, group = broker.make_topic(partitions=2), broker.name("group")
    broker.write(topic, [b"%d" % number for number in range(5)], partition=0)
    commit(broker, group, topic, 3)
    oldest = broker.read(topic)[3].timestamp()[1] / 1_000
    metrics = Metrics("example")
    reader = group_reader("example", "hanging", group=group, topics=[topic])
    monitor = LagMonitor(broker.bootstrap, metrics, [reader], clock=lambda: oldest + 12)

    def told(name: str, partition: int) -> float | None:
        labels = {
            "service": "example", "reader": "hanging", "topic": topic, "partition": str(partition),
        }  # fmt: skip
        return metrics.registry.get_sample_value(name, labels)

    assert told("reader_unread_messages", 0) is None, "nothing was measured yet"
    assert monitor.seconds_behind("example") is None
    assert monitor.measure().error == ""
    assert told("reader_unread_messages", 0) == 2
    assert told("reader_oldest_unread_seconds", 0) == pytest.approx(12)
    assert told("reader_unread_messages", 1) == told("reader_oldest_unread_seconds", 1) == 0
    assert monitor.seconds_behind("example") == pytest.approx(12)
    assert monitor.seconds_behind("another") == 0
    commit(broker, group, topic, 5)
    monitor.measure()
    assert told("reader_unread_messages", 0) == told("reader_oldest_unread_seconds", 0) == 0
    (lag,) = monitor.by_topic()
    assert (lag.service, lag.reader, lag.topic, lag.unread) == ("example", "hanging", topic, 0)


def test_what_is_not_known_is_not_told_and_a_topic_that_is_missing_is_named(broker: Broker) -> None:
    topic = broker.make_topic()
    unknown = LagReader("example", "not yet", (topic,), lambda *_: None)
    monitor = LagMonitor(broker.bootstrap, Metrics("example"), [unknown])
    assert monitor.measure().error == ""
    assert monitor.by_topic() == []
    missing = LagReader("example", "missing", (broker.name("missing"),), lambda *_: {})
    elsewhere = LagMonitor(broker.bootstrap, Metrics("example"), [missing])
    assert broker.name("missing") in elsewhere.measure().error
    assert elsewhere.seconds_behind("example") is None
