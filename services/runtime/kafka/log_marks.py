"""Marks of readers whose store is Kafka itself: a compacted topic, a record for each partition.

The key is reader, topic and partition, so that workers of one reader do not write over each other.
A position is a lower bound: it is written now and then, not with each batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import msgspec
from confluent_kafka import KafkaError, KafkaException, Message, Producer

from runtime.kafka import topic_reader
from runtime.kafka.brokers import Bootstrap
from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.log_identity import LogMark

FLUSH_SECONDS_MAX: Final = 10.0
Reject = Callable[[Message, str], None]
"""Takes a message that cannot be used, and the reason."""


class MarkRecord(msgspec.Struct, frozen=True):
    """JSON, for people who look into the topic."""

    reader: str
    topic: str
    partition: int
    topic_id: str
    next_offset: int

    @property
    def key(self) -> bytes:
        return f"{self.reader}/{self.topic}/{self.partition}".encode()


class StoredMark(NamedTuple):
    reader: str
    mark: LogMark


def read_marks(
    bootstrap: Bootstrap, marks_topic: str, reject: Reject = lambda *_: None
) -> list[StoredMark]:
    """What every reader remembers; raises `NoSuchTopic` where there is no such topic.

    A message that is no mark is rejected, and leaves the mark before it in force.
    """
    latest: dict[bytes, MarkRecord] = {}
    for message in topic_reader.read(bootstrap, topic_reader.whole(bootstrap, marks_topic)):
        key, value = message.key() or b"", message.value()
        if value is None:
            latest.pop(key, None)
            continue
        try:
            record = msgspec.json.decode(value, type=MarkRecord)
        except (msgspec.MsgspecError, UnicodeDecodeError) as failed:
            reject(message, f"not a mark of a reader: {failed}")
            continue
        if record.key == key:
            latest[key] = record
        else:
            reject(message, "a mark under the key of another")
    return list(_merged(latest.values()))


def _merged(records: Iterable[MarkRecord]) -> Iterable[StoredMark]:
    """One mark a reader and topic. Of records that name different ids, the latest counts."""
    found: dict[tuple[str, str], tuple[str, dict[int, int]]] = {}
    for record in records:
        known = found.get((record.reader, record.topic))
        positions = known[1] if known is not None and known[0] == record.topic_id else {}
        found[record.reader, record.topic] = (
            record.topic_id,
            {**positions, record.partition: record.next_offset},
        )
    for (reader, topic), (topic_id, positions) in found.items():
        yield StoredMark(reader, LogMark(topic, topic_id, positions))


class MarkWriter:
    """Writes the marks of one reader. Blocks; to be called from one thread at a time."""

    def __init__(self, bootstrap: Bootstrap, marks_topic: str, reader: str) -> None:
        self._bootstrap = bootstrap
        self._topic = marks_topic
        self._reader = reader
        self._producer: Producer | None = None

    def write(self, marks: Iterable[LogMark]) -> None:
        """Returns when the brokers have them, or raises `KafkaException`."""
        records = [
            MarkRecord(self._reader, mark.topic, partition, mark.topic_id, offset)
            for mark in marks
            for partition, offset in mark.positions.items()
        ]
        self._send((record.key, msgspec.json.encode(record)) for record in records)

    def forget(self) -> int:
        """Removes every mark of the reader; how many topics it had read."""
        marks = [
            read_mark.mark
            for read_mark in read_marks(self._bootstrap, self._topic)
            if read_mark.reader == self._reader
        ]
        self._send(
            (MarkRecord(self._reader, mark.topic, partition, "", 0).key, None)
            for mark in marks
            for partition in mark.positions
        )
        return len(marks)

    def _send(self, messages: Iterable[tuple[bytes, bytes | None]]) -> None:
        if self._producer is None:
            self._producer = make_producer(producer_configuration(self._bootstrap))
        failed: list[KafkaError] = []
        for key, value in messages:
            self._producer.produce(
                self._topic,
                value,
                key,
                on_delivery=lambda error, _: failed.append(error) if error else None,
            )
        if self._producer.flush(FLUSH_SECONDS_MAX):
            self._producer.purge()
            failed.append(KafkaError(KafkaError._TIMED_OUT))
        if failed:
            raise KafkaException(failed[0])
