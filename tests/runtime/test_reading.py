"""A stretch is read to its real end, though transactions are open in it."""

from __future__ import annotations

import threading
import time

import pytest

from runtime.kafka import topic_reader
from runtime.kafka.configuration import make_producer, transactional_configuration
from runtime.kafka.records import header, headers_of
from runtime.positions import OffsetRange, Partition, Position
from tests.runtime.kafka import eventually
from tests.stack.broker import Broker
from tests.stack.foreign import write_with_a_bad_header


def values(broker: Broker, readings: list[OffsetRange]) -> list[bytes | None]:
    return [message.value() for message in topic_reader.read(broker.bootstrap, readings)]


def test_a_whole_topic_is_read_and_no_more(broker: Broker) -> None:
    topic = broker.make_topic(partitions=2)
    assert values(broker, topic_reader.whole(broker.bootstrap, topic)) == []
    broker.write(topic, [b"%d" % number for number in range(50)], key=b"k")
    readings = topic_reader.whole(broker.bootstrap, topic)
    broker.write(topic, [b"later"], key=b"k")
    assert values(broker, readings) == [b"%d" % number for number in range(50)]
    (filled,) = [reading for reading in readings if reading.end]
    assert values(broker, [filled._replace(begin=10, end=12)]) == [b"10", b"11"]


@pytest.mark.parametrize("commits", [True, False])
def test_an_open_transaction_is_waited_for(broker: Broker, commits: bool) -> None:
    """Another worker's: to stop before it would miss what was committed behind it."""
    topic = broker.make_topic()
    other = make_producer(
        transactional_configuration(broker.bootstrap, transactional_id=broker.name("other"))
    )
    other.init_transactions(20)
    other.begin_transaction()
    other.produce(topic, b"of the other")
    assert other.flush(20) == 0
    broker.write(topic, [b"behind it"])
    found: list[bytes | None] = []
    whole = topic_reader.whole(broker.bootstrap, topic)
    thread = threading.Thread(target=lambda: found.extend(values(broker, whole)))
    thread.start()
    time.sleep(1)
    assert found == []
    assert thread.is_alive()
    if commits:
        other.commit_transaction(20)
    else:
        other.abort_transaction(20)
    thread.join(20)
    assert found == ([b"of the other"] if commits else []) + [b"behind it"]
    other.close()


def test_a_stretch_that_ends_with_an_aborted_transaction_ends(broker: Broker) -> None:
    topic = broker.make_topic()
    broker.write(topic, [b"first"])
    other = make_producer(
        transactional_configuration(broker.bootstrap, transactional_id=broker.name("other"))
    )
    other.init_transactions(20)
    other.begin_transaction()
    other.produce(topic, b"aborted")
    assert other.flush(20) == 0
    other.abort_transaction(20)
    assert values(broker, topic_reader.whole(broker.bootstrap, topic)) == [b"first"]
    other.close()


def test_a_stretch_that_never_ends_is_told(broker: Broker) -> None:
    topic = broker.make_topic()
    with pytest.raises(topic_reader.ReadingStuck, match="nothing read"):
        list(topic_reader.read(broker.bootstrap, [OffsetRange(topic, 0, 0, 5)], seconds_max=0.5))


def test_a_topic_that_is_not_there_is_told(broker: Broker) -> None:
    with pytest.raises(topic_reader.NoSuchTopic, match="make the topics first"):
        topic_reader.whole(broker.bootstrap, broker.name("nowhere"))


def test_a_follower_has_what_is_new(broker: Broker) -> None:
    topic = broker.make_topic()
    broker.write(topic, [b"old"])
    (whole,) = topic_reader.whole(broker.bootstrap, topic)
    reader = topic_reader.follow(broker.bootstrap, [Position(topic, 0, whole.end)])
    broker.write(topic, [b"new"])
    found: list[bytes | None] = []

    def came() -> bool:
        found.extend(message.value() for message in topic_reader.news(reader))
        return found == [b"new"]

    eventually(came)
    reader.close()


def test_headers_whose_names_are_no_text_are_none_however_often_they_are_asked_for(
    broker: Broker,
) -> None:
    topic = broker.make_topic()
    broker.write(topic, [b"sound"] * 2_000)
    write_with_a_bad_header(broker.bootstrap, topic, b"value", key=b"key")
    whole = topic_reader.whole(broker.bootstrap, topic)
    *others, message = topic_reader.read(broker.bootstrap, whole)
    # A call that was made often is made in another way, which looks for no exception.
    assert [headers_of(other) for other in others] == [[]] * 2_000
    assert headers_of(message) == []
    assert header(message, "before") is None
    assert headers_of(message) == []
    assert (message.key(), message.value()) == (b"key", b"value")


def test_what_can_be_seen_ends_before_the_marks_of_transactions(broker: Broker) -> None:
    topic = broker.make_topic(partitions=3)
    writer = make_producer(
        transactional_configuration(broker.bootstrap, transactional_id=broker.name("writer"))
    )
    writer.init_transactions(20)
    for value, commits in ((b"one", True), *[(b"in vain", False)] * 12):
        writer.begin_transaction()
        writer.produce(topic, value, partition=0)
        assert writer.flush(20) == 0
        if commits:
            writer.commit_transaction(20)
        else:
            writer.abort_transaction(20)
    broker.write(topic, [b"plain", b"plain"], partition=1)
    places = [Partition(topic, number) for number in range(3)]
    ends = topic_reader.visible_ends(broker.bootstrap, places)
    assert ends == {places[0]: 1, places[1]: 2, places[2]: 0}
    assert topic_reader.whole(broker.bootstrap, topic, [0])[0].end == 26
