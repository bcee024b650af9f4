"""A stretch of a topic from end to end, outside any group: for state that is made anew.

The end is the broker's real one, open transactions included: what a transaction of another
worker still holds back is waited for. To stop where a committed reader can see at the moment
would miss what was committed behind it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition

from runtime.kafka.configuration import consumer_configuration, make_consumer
from runtime.kafka.errors import check_consumed
from runtime.kafka.records import offset_of, place_of
from runtime.positions import Partition, Position, Reading

SECONDS_MAX = 60.0
"""Without any progress. A transaction that hangs is ended by the broker sooner than that."""
_ANSWER_SECONDS = 10.0
_BATCH = 1_000


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


def open_reader(bootstrap: str, *, read_uncommitted: bool = False) -> Consumer:
    """A consumer that joins no group; whoever opens it closes it."""
    configuration = consumer_configuration(
        bootstrap, group="readers", read_uncommitted=read_uncommitted
    )
    return make_consumer(configuration | {"enable.partition.eof": True})


def whole(bootstrap: str, topic: str, partitions: Sequence[int] | None = None) -> list[Reading]:
    """All that is in these partitions by now, or in all of them."""
    reader = open_reader(bootstrap, read_uncommitted=True)
    try:
        if partitions is None:
            partitions = range(partitions_of(reader, topic))
        readings = []
        for partition in partitions:
            place = TopicPartition(topic, partition)
            begin, end = reader.get_watermark_offsets(place, timeout=_ANSWER_SECONDS)
            readings.append(Reading(topic, partition, begin, end))
        return readings
    finally:
        reader.close()


def partitions_of(reader: Consumer, topic: str) -> int:
    found = reader.list_topics(topic, timeout=_ANSWER_SECONDS).topics[topic]
    if found.error is not None or not found.partitions:
        raise NoSuchTopic(topic)
    return len(found.partitions)


def read(
    bootstrap: str, readings: Sequence[Reading], *, seconds_max: float = SECONDS_MAX
) -> Iterator[Message]:
    """Every committed message of the stretches, in order for each partition."""
    left = {Partition(each.topic, each.partition): each.end for each in readings if _is_some(each)}
    if not left:
        return
    reader = open_reader(bootstrap)
    try:
        reader.assign(
            [TopicPartition(each.topic, each.partition, each.begin)
             for each in readings if _is_some(each)]
        )  # fmt: skip
        until = time.monotonic() + seconds_max
        while left:
            taken = reader.consume(_BATCH, 0.1)
            if taken:
                until = time.monotonic() + seconds_max
            elif time.monotonic() > until:
                raise ReadingStuck(tuple(left), seconds_max)
            for message in taken:
                if _is_within(message, left):
                    yield message
    finally:
        reader.close()


def follow(bootstrap: str, positions: Sequence[Position]) -> Consumer:
    """A reader that goes on from these positions; ask it for what is new when it suits."""
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


def _is_some(reading: Reading) -> bool:
    return reading.begin < reading.end


def _is_within(message: Message, left: dict[Partition, int]) -> bool:
    """Whether the message belongs to its stretch; strikes out the stretches that are over."""
    error = message.error()
    if error is not None:
        if error.code() != KafkaError._PARTITION_EOF:
            check_consumed(error)
            if not error.retriable():
                raise KafkaException(error)
            return False
        if offset_of(message) >= left.get(place_of(message), 0):
            left.pop(place_of(message), None)
        return False
    place = place_of(message)
    end = left.get(place)
    if end is None:
        return False
    offset = offset_of(message)
    if offset + 1 >= end:
        del left[place]
    return offset < end
