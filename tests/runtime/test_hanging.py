"""What a transaction that hangs is ended with: neither too little nor too much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from confluent_kafka import Message, TopicPartition

from runtime.kafka.configuration import (
    consumer_configuration,
    make_consumer,
    make_producer,
    transactional_configuration,
)
from runtime.kafka.hanging_transactions import HangingTransactions
from runtime.kafka.records import Output
from runtime.positions import Partition, Position
from tests.runtime.kafka import make_topic, needs_kafka, real


class Noted:
    """Transactions that are asked to end one."""

    def __init__(self) -> None:
        self.touched: list[Partition] = []
        self.positions: list[Position] = []

    def end_hanging(self, touched: Sequence[Output], positions: list[Position], _: Any) -> None:
        self.touched = [Partition(partition.topic, partition.partition) for partition in touched]
        self.positions = positions


@contextmanager
def open_transaction(messages: Sequence[tuple[str, int, bytes]]) -> Iterator[None]:
    """What other readers have to wait for, while it lasts."""
    producer = make_producer(transactional_configuration(real(), transactional_id=uuid4().hex))
    producer.init_transactions(30)
    producer.begin_transaction()
    for topic, partition, value in messages:
        producer.produce(topic, value, partition=partition)
    producer.flush(30)
    yield
    producer.abort_transaction(30)


@needs_kafka
def test_only_what_was_made_of_inputs_that_are_not_committed_is_taken_back() -> None:
    source, target = (make_topic(real(), name, partitions=4) for name in ("source", "target"))
    group = f"group-{uuid4().hex[:8]}"
    commit(group, TopicPartition(source, 0, 5))
    hanging = HangingTransactions(
        real(), group, [target], lambda message: source_of(source, message)
    )
    noted = Noted()
    said = [
        (target, 0, b"0 4"),  # of an input that is committed: to be seen, sooner or later
        (target, 1, b"0 5"),  # of the next one: it will be made again
        (target, 2, b"3 9"),  # of a partition that is not ours
    ]
    with open_transaction(said):
        hanging.end(noted, [Partition(source, 0)], None)  # type: ignore[arg-type]
    assert noted.touched == [Partition(target, 1)]
    assert [position.place for position in noted.positions] == [Partition(source, 0)]


def test_where_no_broker_answers_nothing_is_ended_and_nothing_raised() -> None:
    noted = Noted()
    hanging = HangingTransactions("127.0.0.1:9", "group", ["target"], lambda _: None)
    hanging.end(noted, [Partition("source", 0)], None)  # type: ignore[arg-type]
    assert noted.positions == []


def commit(group: str, position: TopicPartition) -> None:
    consumer = make_consumer(consumer_configuration(real(), group=group))
    consumer.commit(offsets=[position], asynchronous=False)
    consumer.close()


def source_of(topic: str, message: Message) -> Position:
    partition, offset = map(int, (message.value() or b"").split())
    return Position(topic, partition, offset)
