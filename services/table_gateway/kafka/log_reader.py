"""The head of each table, its last event, read from the log itself.

The log is the only source. Reading all of it at each start would take longer every year, and
reading back from the end finds a silent table late and a new one never; so a checkpoint of each
partition is written regularly (`table-heads`, compacted): every table's last event, and the offset
where reading resumes. A checkpoint that is old, or written by another gateway, or missing, costs
time and never correctness: the events after it are read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from confluent_kafka import Consumer, KafkaException, Message
from google.protobuf.message import DecodeError

from casino.gateway.v1.checkpoint_pb2 import PartitionCheckpoint, TableHead
from runtime import logs
from runtime.kafka.brokers import Bootstrap
from runtime.kafka.configuration import Configuration, consumer_configuration
from runtime.kafka.log_guard import LogGuard
from runtime.kafka.partitioner import partition_of
from runtime.kafka.records import Headers, Output, header, offset_of, place_of
from runtime.kafka.topic_reader import NoSuchTopic, ReadingStuck, partitions_of, read_with, unread
from runtime.positions import OffsetRange, Partition, Position
from table_gateway.domain.stream import TableStream, advance
from table_gateway.grpc.errors import LogUnreadable
from wire import NotAnEvent, decode_event
from wire.chain import digest
from wire.dead_letters import UNREADABLE
from wire.dead_letters import dead_letter as encode_rejected
from wire.headers import DIGEST

SILENCE_SECONDS_MAX = 10.0
"""How long the brokers may send no message before the call fails."""
_log = logs.logger(__name__)


def reader_configuration(bootstrap: Bootstrap) -> Configuration:
    """Settings of a consumer that assigns itself partitions, and belongs to no group."""
    return {
        **consumer_configuration(bootstrap, group="table_gateway"),
        "enable.partition.eof": True,
        "fetch.wait.max.ms": 10,  # it reads to the end, where there is nothing to wait for
        # A gateway's memory is for what its tables send.
        "queued.max.messages.kbytes": 8 * 1024,
    }


@dataclass(slots=True)
class _PartitionHeads:
    """The heads of the tables of one partition, up to an offset."""

    next_offset: int = 0
    streams: dict[str, TableStream] = field(default_factory=dict)
    checkpoint_offset: int = 0


class LogReader:
    """Blocks; to be called from one thread at a time. `guard` knows which log was read before."""

    def __init__(
        self,
        make_consumer: Callable[[], Consumer],
        guard: LogGuard,
        *,
        events_topic: str,
        table_heads_topic: str,
        dead_letters_topic: str,
    ) -> None:
        self._make_consumer = make_consumer
        self._guard = guard
        self._events_topic = events_topic
        self._table_heads_topic = table_heads_topic
        self._dead_letters_topic = dead_letters_topic
        self._damaged: dict[bytes, tuple[Message, str]] = {}
        """By key: checkpoints that were damaged or are not ours, and why they do not count."""
        self._consumer: Consumer | None = None
        self._read: list[_PartitionHeads] = []

    def catch_up(self, tables: Iterable[str] | None = None) -> None:
        """Read the partitions of these tables, or all, up to where they end now."""
        try:
            consumer = self._opened()
            every = range(len(self._read))
            numbers = every if tables is None else {self._partition(table) for table in tables}
            for message in _read(consumer, self._unread(consumer, numbers)):
                self._take_event(message)
            self._guard.note(
                Position(self._events_topic, number, read.next_offset)
                for number, read in enumerate(self._read)
            )
        except (KafkaException, NoSuchTopic, ReadingStuck) as failed:
            raise LogUnreadable(str(failed)) from failed

    def stream(self, table: str) -> TableStream:
        """As of the last `catch_up`."""
        return self._read[self._partition(table)].streams.get(table) or TableStream(table)

    def positions(self) -> dict[Partition, int] | None:
        """The next offset of each partition, for any thread; None before the first was read."""
        read = self._read
        if not read:
            return None
        return {
            Partition(self._events_topic, number): part.next_offset
            for number, part in enumerate(read)
        }

    def checkpoints(self, *, offsets_min: int = 1) -> list[Output]:
        """A checkpoint of each partition that was read by `offsets_min` since its last one."""
        written = list(self._replace_damaged())
        for number, read in enumerate(self._read):
            if read.next_offset - read.checkpoint_offset >= offsets_min:
                read.checkpoint_offset = read.next_offset
                record = _checkpoint(number, read).SerializeToString(deterministic=True)
                written.append(_head(self._table_heads_topic, number, record))
        return written

    def _replace_damaged(self) -> Iterator[Output]:
        """Make dead letters of damaged checkpoints; ours are written again, others deleted."""
        damaged, self._damaged = self._damaged, {}
        for key, (message, reason) in damaged.items():
            topic, partition = place_of(message)
            kept = encode_rejected(
                topic=topic, partition=partition, offset=offset_of(message),
                key=key, value=message.value(), code=UNREADABLE, reason=reason,
            )  # fmt: skip
            yield Output(self._dead_letters_topic, kept.value, kept.key, headers=kept.headers)
            yield Output(topic, None, key, partition)

    def forget(self) -> None:
        """Forget all heads: they are of a log that is rejected."""
        self._read = []

    def close(self) -> None:
        if self._consumer is not None:
            self._consumer.close()

    def _partition(self, table: str) -> int:
        return partition_of(table.encode(), len(self._read))

    def _opened(self) -> Consumer:
        if self._consumer is None:
            self._consumer = self._make_consumer()
        if not self._read:
            self._read = self._load_checkpoints(self._consumer)
        return self._consumer

    def _load_checkpoints(self, consumer: Consumer) -> list[_PartitionHeads]:
        """The heads of each partition by its checkpoint; without one, its beginning."""
        found = [_PartitionHeads() for _ in range(partitions_of(consumer, self._events_topic))]
        numbers = range(partitions_of(consumer, self._table_heads_topic))
        for message in _read(
            consumer, [unread(consumer, self._table_heads_topic, number) for number in numbers]
        ):
            key = message.key() or b""
            self._damaged.pop(key, None)
            if reason := _take_checkpoint(message, found):
                _log.error("checkpoint damaged", key=key, reason=reason)
                self._damaged[key] = message, reason
        for number, heads in enumerate(found):
            if b"%d" % number in self._damaged:
                heads.checkpoint_offset = -1  # to be written again
        return found

    def _unread(self, consumer: Consumer, numbers: Iterable[int]) -> list[OffsetRange]:
        stretches = []
        for number in numbers:
            begin = self._read[number].next_offset
            stretch = unread(consumer, self._events_topic, number, begin)
            if begin > stretch.end:
                self._guard.check([Position(self._events_topic, number, begin)])
                raise LogUnreadable(f"partition {number} ends before offset {begin}")
            stretches.append(stretch)
        return stretches

    def _take_event(self, message: Message) -> None:
        read = self._read[place_of(message).partition]
        read.next_offset = offset_of(message) + 1
        try:
            event = decode_event(message.value() or b"")
        except NotAnEvent:  # settlement reports it
            return
        except Exception:
            _log.error("event skipped", offset=message.offset(), exc_info=True)
            return
        if message.key() != event.table.encode():
            return  # the key names the stream, as for settlement: this event is in another one
        stream = read.streams.get(event.table) or TableStream(event.table)
        read.streams[event.table] = advance(stream, event)


def _read(consumer: Consumer, stretches: list[OffsetRange]) -> Iterator[Message]:
    return read_with(consumer, stretches, seconds_max=SILENCE_SECONDS_MAX)


def _take_checkpoint(message: Message, into: list[_PartitionHeads]) -> str:
    """Apply a checkpoint, or return why it does not count. A record that was cut off may still
    parse: its digest shows that."""
    value = message.value()
    if value is None:
        return ""  # deleted
    try:
        found = PartitionCheckpoint.FromString(value)
    except DecodeError:
        return "not a PartitionCheckpoint, or truncated"
    if found.partition >= len(into) or message.key() != b"%d" % found.partition:
        return "the key does not match the partition"
    stated = header(message, DIGEST)
    if stated is None:
        return ""  # of an earlier version: it saves no time
    if stated != digest(value).hex().encode():
        return "the digest does not match the bytes"
    if into[found.partition].next_offset < found.next_offset:
        streams = {
            head.table_id: TableStream.at(head.table_id, head.seq, head.hash)
            for head in found.heads
        }
        into[found.partition] = _PartitionHeads(found.next_offset, streams, found.next_offset)
    return ""


def _head(topic: str, number: int, record: bytes) -> Output:
    known: Headers = [(DIGEST, digest(record).hex().encode())]
    return Output(topic, record, b"%d" % number, headers=known)


def _checkpoint(number: int, read: _PartitionHeads) -> PartitionCheckpoint:
    heads = [
        TableHead(table_id=table, seq=stream.seq, hash=stream.digest)
        for table, stream in sorted(read.streams.items())
    ]
    return PartitionCheckpoint(partition=number, next_offset=read.next_offset, heads=heads)
