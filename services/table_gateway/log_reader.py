"""How far each table is, read from the log itself.

The log is the only source. Reading all of it at each start would take longer every year, and
reading back from the end finds a silent table late and a new one never; so what was read is
written down now and then as one record for each partition (`table-tips`, compacted): every
table's last event, and the offset where reading goes on. A record that is old, or written
by another gateway, or missing, costs time and never truth: what came after it is read anew.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition
from google.protobuf.message import DecodeError

from casino.gateway.v1.checkpoint_pb2 import PartitionCheckpoint, TableTip
from runtime import logs
from runtime.kafka.configuration import Configuration, consumer_configuration
from runtime.kafka.errors import check_consumed
from runtime.kafka.partitioning import partition_of
from runtime.kafka.records import Output, offset_of, place_of
from table_gateway.domain.stream import Stream, advance
from table_gateway.errors import LogUnreadable
from wire import NotAnEvent, decode_event

SILENCE_SECONDS_MAX = 10.0
"""How long the brokers may say nothing before whoever asked is told."""
_log = logs.logger(__name__)


def reader_configuration(bootstrap: str) -> Configuration:
    """It reads partitions of its own choice, and belongs to no group."""
    return {
        **consumer_configuration(bootstrap, group="table_gateway"),
        "enable.partition.eof": True,
        "fetch.wait.max.ms": 10,  # it reads to the end, where there is nothing to wait for
    }


@dataclass(slots=True)
class _Read:
    """What was read of one partition."""

    next_offset: int = 0
    streams: dict[str, Stream] = field(default_factory=dict)
    checkpoint_offset: int = 0


class LogReader:
    """Blocks; to be called from one thread at a time."""

    def __init__(
        self, make_consumer: Callable[[], Consumer], *, events_topic: str, tips_topic: str
    ) -> None:
        self._make_consumer = make_consumer
        self._events_topic = events_topic
        self._tips_topic = tips_topic
        self._consumer: Consumer | None = None
        self._read: list[_Read] = []

    def catch_up(self, tables: Iterable[str] | None = None) -> None:
        """Reads the partitions of these tables, or all, up to where they end now."""
        try:
            consumer = self._opened()
            wanted = range(len(self._read))
            numbers = wanted if tables is None else {self._partition(table) for table in tables}
            self._read_to_end(consumer, self._events_topic, self._unread(consumer, numbers))
        except KafkaException as failed:
            raise LogUnreadable(str(failed)) from failed

    def stream(self, table: str) -> Stream:
        """As of the last `catch_up`."""
        return self._read[self._partition(table)].streams.get(table) or Stream(table)

    def checkpoints(self, *, offsets_min: int = 1) -> list[Output]:
        """A record for each partition of which so much was read since its last one."""
        written = []
        for number, read in enumerate(self._read):
            if read.next_offset - read.checkpoint_offset >= offsets_min:
                read.checkpoint_offset = read.next_offset
                record = _checkpoint(number, read).SerializeToString(deterministic=True)
                written.append(Output(self._tips_topic, record, b"%d" % number))
        return written

    def close(self) -> None:
        if self._consumer is not None:
            self._consumer.close()

    def _partition(self, table: str) -> int:
        return partition_of(table.encode(), len(self._read))

    def _opened(self) -> Consumer:
        if self._consumer is None:
            self._consumer = self._make_consumer()
        if not self._read:
            count = self._partitions(self._consumer, self._events_topic)
            self._read = [_Read() for _ in range(count)]
            try:
                tips = range(self._partitions(self._consumer, self._tips_topic))
                ends = {n: self._end(self._consumer, self._tips_topic, n) for n in tips}
                unread = {n: (low, high) for n, (low, high) in ends.items() if low < high}
                self._read_to_end(self._consumer, self._tips_topic, unread)
            except BaseException:
                self._read = []  # half of the checkpoints are no shortcut: begin again
                raise
        return self._consumer

    def _partitions(self, consumer: Consumer, topic: str) -> int:
        found = consumer.list_topics(topic, timeout=SILENCE_SECONDS_MAX).topics[topic]
        if found.error is not None or not found.partitions:
            raise LogUnreadable(f"there is no topic {topic}")
        return len(found.partitions)

    def _end(self, consumer: Consumer, topic: str, number: int) -> tuple[int, int]:
        marks = consumer.get_watermark_offsets(
            TopicPartition(topic, number), timeout=SILENCE_SECONDS_MAX
        )
        if marks is None:
            raise LogUnreadable(f"{topic}-{number} does not say where it ends")
        return marks

    def _unread(self, consumer: Consumer, numbers: Iterable[int]) -> dict[int, tuple[int, int]]:
        unread = {}
        for number in numbers:
            low, high = self._end(consumer, self._events_topic, number)
            if self._read[number].next_offset > high:
                _log.error("the log is shorter than it was", partition=number, end=high)
                self._read[number] = _Read()
            begin = max(self._read[number].next_offset, low)
            if begin < high:
                unread[number] = (begin, high)
        return unread

    def _read_to_end(
        self, consumer: Consumer, topic: str, unread: dict[int, tuple[int, int]]
    ) -> None:
        if not unread:
            return
        take = self._take_event if topic == self._events_topic else self._take_checkpoint
        left = {number: high for number, (_, high) in unread.items()}
        consumer.assign([TopicPartition(topic, n, begin) for n, (begin, _) in unread.items()])
        heard = time.monotonic()
        try:
            while left:
                for message in consumer.consume(5_000, 0.2):
                    heard = time.monotonic()
                    number = place_of(message).partition
                    if _is_end(message):
                        # One that was queued by an earlier assignment is no end of this one.
                        if offset_of(message) >= left.get(number, 0):
                            left.pop(number, None)
                        continue
                    take(message)
                    if offset_of(message) + 1 >= left.get(number, 0):
                        left.pop(number, None)
                if left and time.monotonic() - heard > SILENCE_SECONDS_MAX:
                    raise LogUnreadable(f"{topic}: the brokers say nothing")
        finally:
            consumer.unassign()

    def _take_event(self, message: Message) -> None:
        read = self._read[place_of(message).partition]
        read.next_offset = offset_of(message) + 1
        try:
            event = decode_event(message.value() or b"")
        except NotAnEvent:  # not ours to report: whoever reads the log does
            return
        stream = read.streams.get(event.table) or Stream(event.table)
        read.streams[event.table] = advance(stream, event)

    def _take_checkpoint(self, message: Message) -> None:
        try:
            found = PartitionCheckpoint.FromString(message.value() or b"")
        except DecodeError:
            return
        if found.partition >= len(self._read):
            return
        if self._read[found.partition].next_offset < found.next_offset:
            streams = {
                tip.table_id: Stream.at(tip.table_id, tip.seq, tip.hash) for tip in found.tips
            }
            self._read[found.partition] = _Read(found.next_offset, streams, found.next_offset)


def _checkpoint(number: int, read: _Read) -> PartitionCheckpoint:
    tips = [
        TableTip(table_id=table, seq=stream.seq, hash=stream.digest)
        for table, stream in sorted(read.streams.items())
    ]
    return PartitionCheckpoint(partition=number, next_offset=read.next_offset, tips=tips)


def _is_end(message: Message) -> bool:
    error = message.error()
    if error is None:
        return False
    if error.code() != KafkaError._PARTITION_EOF:
        check_consumed(error)
        raise LogUnreadable(error.str())
    return True
