"""A stretch of a topic from end to end, outside any group: for state that is rebuilt.

The end is the broker's real one, open transactions included: what a transaction of another
worker still holds back is waited for. To stop where a committed reader can see at the moment
would miss messages committed after it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition

from runtime.kafka.brokers import Bootstrap
from runtime.kafka.configuration import consumer_configuration, make_consumer
from runtime.kafka.errors import check_consumed, error_of
from runtime.kafka.records import offset_of, place_of
from runtime.positions import OffsetRange, Partition, Position

SECONDS_MAX = 60.0
"""Without any progress. A transaction that hangs is ended by the broker sooner than that."""
_ANSWER_SECONDS = 10.0
_WAIT_SECONDS = 0.1
_NO_LEADER_YET = {KafkaError.NOT_LEADER_FOR_PARTITION, KafkaError.LEADER_NOT_AVAILABLE}
"""A partition that changes its leader has one again in a moment."""
_TAIL = 8
"""Messages from the end in which the last that can be seen is looked for first."""
_BATCH = 100
"""Messages taken at once: small, since each may be as large as a message can be."""


class ReadingStuck(Exception):
    """Nothing came for too long, though the stretch is not over."""

    def __init__(self, places: Sequence[Partition], seconds: float) -> None:
        self.places = tuple(places)
        named = ", ".join(f"{topic} {partition}" for topic, partition in places)
        super().__init__(f"nothing read of {named} for {seconds:g} s")


class NoSuchTopic(LookupError):
    """The brokers do not know the topic."""

    def __init__(self, topic: str) -> None:
        self.topic = topic
        super().__init__(f"there is no topic {topic!r}: make the topics first")


def open_reader(bootstrap: Bootstrap, *, read_uncommitted: bool = False) -> Consumer:
    """A consumer that joins no group; the caller closes it."""
    configuration = consumer_configuration(
        bootstrap, group="readers", read_uncommitted=read_uncommitted
    )
    return make_consumer(configuration | {"enable.partition.eof": True})


def whole(
    bootstrap: Bootstrap, topic: str, partitions: Sequence[int] | None = None
) -> list[OffsetRange]:
    """All that is in these partitions by now, or in all of them."""
    reader = open_reader(bootstrap, read_uncommitted=True)
    try:
        if partitions is None:
            partitions = range(partitions_of(reader, topic))
        return [unread(reader, topic, partition) for partition in partitions]
    finally:
        reader.close()


def unread(reader: Consumer, topic: str, partition: int, begin: int = 0) -> OffsetRange:
    """What a partition has by now from `begin` on; empty, where it ends before that."""
    place = TopicPartition(topic, partition)
    until = time.monotonic() + _ANSWER_SECONDS
    while True:
        try:
            low, high = reader.get_watermark_offsets(place, timeout=_ANSWER_SECONDS)
        except KafkaException as failed:
            if error_of(failed).code() not in _NO_LEADER_YET or time.monotonic() > until:
                raise
            time.sleep(_WAIT_SECONDS)
        else:
            return OffsetRange(topic, partition, max(begin, low), high)


def partitions_of(reader: Consumer, topic: str) -> int:
    found = reader.list_topics(topic, timeout=_ANSWER_SECONDS).topics[topic]
    if found.error is not None or not found.partitions:
        raise NoSuchTopic(topic)
    return len(found.partitions)


def count_partitions(bootstrap: Bootstrap, topic: str) -> int:
    """The same of the brokers themselves, for callers without a reader."""
    reader = open_reader(bootstrap)
    try:
        return partitions_of(reader, topic)
    finally:
        reader.close()


def read(
    bootstrap: Bootstrap, readings: Sequence[OffsetRange], *, seconds_max: float = SECONDS_MAX
) -> Iterator[Message]:
    """Every committed message of the stretches, in order for each partition."""
    if not any(map(_is_some, readings)):
        return
    reader = open_reader(bootstrap)
    try:
        yield from read_with(reader, readings, seconds_max=seconds_max)
    finally:
        reader.close()


def read_with(
    reader: Consumer, readings: Sequence[OffsetRange], *, seconds_max: float = SECONDS_MAX
) -> Iterator[Message]:
    """The same with a reader that is there, and is left without any partition at the end."""
    left = {
        Partition(reading.topic, reading.partition): reading
        for reading in readings
        if _is_some(reading)
    }
    if not left:
        return
    reader.assign([TopicPartition(*place, reading.begin) for place, reading in left.items()])
    try:
        until = time.monotonic() + seconds_max
        while left:
            taken = _taken(reader)
            if taken:
                until = time.monotonic() + seconds_max
            elif time.monotonic() > until:
                raise ReadingStuck(tuple(left), seconds_max)
            for message in taken:
                if _is_within(message, left):
                    yield message
    finally:
        reader.unassign()


def visible_ends(
    bootstrap: Bootstrap, places: Sequence[Partition], *, seconds_max: float = SECONDS_MAX
) -> dict[Partition, int]:
    """Behind the last message that is committed: marks of transactions are given to no reader."""
    topics = {
        tail.topic: [place.partition for place in places if place.topic == tail.topic]
        for tail in places
    }
    left = [reading for topic, of in topics.items() for reading in whole(bootstrap, topic, of)]
    reader = open_reader(bootstrap)
    try:
        ends: dict[Partition, int] = {}
        tail = _TAIL
        while left:
            tails = [
                reading._replace(begin=max(reading.begin, reading.end - tail)) for reading in left
            ]
            for message in read_with(reader, tails, seconds_max=seconds_max):
                ends[place_of(message)] = offset_of(message) + 1
            for reading, last in zip(left, tails, strict=True):
                if last.begin == reading.begin:  # nothing further back
                    ends.setdefault(Partition(reading.topic, reading.partition), 0)
            left = [
                reading
                for reading in left
                if Partition(reading.topic, reading.partition) not in ends
            ]
            tail *= _TAIL
        return ends
    finally:
        reader.close()


def follow(bootstrap: Bootstrap, positions: Sequence[Position]) -> Consumer:
    """A reader that goes on from these positions; poll it for new messages at any time."""
    reader = open_reader(bootstrap)
    reader.assign([TopicPartition(*position) for position in positions])
    return reader


def news(reader: Consumer) -> list[Message]:
    """What a follower has by now, without waiting."""
    found = []
    for message in reader.consume(_BATCH, 0):
        error = message.error()
        if error is None:
            found.append(message)
        else:
            check_consumed(error)
    return found


def _is_some(reading: OffsetRange) -> bool:
    return reading.begin < reading.end


def _taken(reader: Consumer) -> list[Message]:
    """All available messages. Requesting a whole batch at once would wait until there is one."""
    first = reader.poll(_WAIT_SECONDS)
    return [] if first is None else [first, *reader.consume(_BATCH, 0)]


def _is_within(message: Message, left: dict[Partition, OffsetRange]) -> bool:
    """Whether the message belongs to its stretch; strikes out the stretches that are over.

    What an earlier assignment of the same reader had queued is neither a message nor the end
    of this one.
    """
    error = message.error()
    if error is not None and error.code() != KafkaError._PARTITION_EOF:
        check_consumed(error)
        if not error.retriable():
            raise KafkaException(error)
        return False
    place, offset = place_of(message), offset_of(message)
    stretch = left.get(place)
    if stretch is None:
        return False
    following = offset if error is not None else offset + 1
    if following >= stretch.end:
        del left[place]
    return error is None and stretch.begin <= offset < stretch.end
