"""A name belongs to who took it last: whoever had it before writes no more, and learns it."""

from __future__ import annotations

from uuid import uuid4

import pytest
from confluent_kafka import Producer

from runtime.kafka.configuration import make_producer, transactional_configuration
from runtime.kafka.records import Output
from runtime.kafka.transactions import NotCommitted, Transactions
from tests.runtime.kafka import make_topic, needs_kafka, real


def transactions(name: str) -> Transactions:
    def make() -> Producer:
        configuration = transactional_configuration(real(), transactional_id=name)
        return make_producer(configuration | {"delivery.report.only.error": False})

    return Transactions(make)


@needs_kafka
@pytest.mark.parametrize("count", [1, 50])
def test_who_had_the_name_before_is_told_that_it_is_lost(count: int) -> None:
    topic, name = make_topic(real(), "states", partitions=1), uuid4().hex
    before, after = transactions(name), transactions(name)
    written = before.write([Output(topic, b"first", b"k", 0)])
    assert [position.offset for position in written] == [0]
    after.prepare()
    with pytest.raises(NotCommitted) as rejected:
        before.write([Output(topic, b"late", b"k", 0)] * count)
    assert rejected.value.producer_lost
    assert [position.offset for position in after.write([Output(topic, b"second", b"k", 0)])] == [2]
    before.close()
    after.close()


@needs_kafka
def test_who_is_closed_does_not_take_the_name_again() -> None:
    topic, name = make_topic(real(), "states", partitions=1), uuid4().hex
    closed, other = transactions(name), transactions(name)
    closed.prepare()
    other.prepare()
    closed.close()
    with pytest.raises(NotCommitted, match="closed"):
        closed.write([Output(topic, b"late", b"k", 0)])
    assert len(other.write([Output(topic, b"first", b"k", 0)])) == 1
    other.close()
