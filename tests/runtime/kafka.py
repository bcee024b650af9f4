"""Brokers for the tests: the library's own mock where it is faithful, a real one where not.

The mock keeps messages, groups and positions; it shows what was aborted and truncates. So what
is said about transactions is tested on a real broker, that of the run's stack.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest
from confluent_kafka import Consumer, Message, Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from runtime.kafka.configuration import consumer_configuration, make_consumer
from runtime.process import Stop

MOCK_PARTITIONS = 4
_REAL: dict[str, str] = {}

needs_kafka = pytest.mark.usefixtures("real_kafka")
"""For tests of what only a real broker does."""


def real(bootstrap: str = "") -> str:
    """The address of the run's real broker, once `needs_kafka` has asked for it."""
    if bootstrap:
        _REAL["bootstrap"] = bootstrap
    return _REAL.get("bootstrap", "")


@contextmanager
def mock_broker() -> Iterator[str]:
    """A broker within this process; it ends with the client that started it."""
    keeper = Producer({"test.mock.num.brokers": 1, "bootstrap.servers": "mock", "log_level": 0})
    broker = next(iter(keeper.list_topics(timeout=10).brokers.values()))
    try:
        yield f"{broker.host}:{broker.port}"
    finally:
        keeper.close()


def make_topic(bootstrap: str, name: str, *, partitions: int) -> str:
    """A topic of its own for each test, so that they can run side by side.

    The mock makes topics when they are first named, always with the same partitions.
    """
    unique = f"{name}-{uuid4().hex[:8]}"
    admin = AdminClient({"bootstrap.servers": bootstrap})
    if bootstrap != real():
        assert partitions == len(admin.list_topics(unique, timeout=10).topics[unique].partitions)
        return unique
    for made in admin.create_topics([NewTopic(unique, partitions, 1)]).values():
        made.result(timeout=20)
    return unique


def read_all(bootstrap: str, topic: str, *, committed_only: bool = True) -> list[Message]:
    """Every message of a topic as a new reader sees it, by partition and offset."""
    consumer = make_consumer(
        consumer_configuration(
            bootstrap, group=f"reader-{uuid4().hex}", read_uncommitted=not committed_only
        )
        | {"enable.partition.eof": True}
    )
    try:
        return _drain(consumer, topic)
    finally:
        consumer.close()


def _drain(consumer: Consumer, topic: str) -> list[Message]:
    partitions = consumer.list_topics(topic, timeout=10).topics[topic].partitions
    consumer.assign([TopicPartition(topic, number, 0) for number in partitions])
    unfinished = set(partitions)
    found: list[Message] = []
    until = time.monotonic() + 30
    while unfinished and time.monotonic() < until:
        for message in consumer.consume(1000, 0.2):
            if message.error() is None:
                found.append(message)
            else:
                unfinished.discard(message.partition())
    assert not unfinished, f"partitions {unfinished} of {topic} were not read to their end"
    return sorted(found, key=lambda message: (message.partition() or 0, message.offset() or 0))


def eventually(condition: Callable[[], bool], *, seconds_max: float = 30) -> None:
    until = time.monotonic() + seconds_max
    while not condition():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)


class ThreadStop(Stop):
    """A stop for a loop that a test runs in a thread, without an event loop."""

    def __init__(self) -> None:
        self._requested = threading.Event()

    def request(self) -> None:
        self._requested.set()
