"""What a reader has not read yet, measured from outside of it: also while it is stuck.

A position below the end of a partition does not prove that something is unread: behind the last
message may lie markers of transactions and messages that were aborted, which no reader is given.
So the next message itself is looked at. That message also shows how long it has waited:
its timestamp is the broker's own, because our topics are stamped when a message is appended.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from confluent_kafka import (
    Consumer,
    IsolationLevel,
    KafkaError,
    KafkaException,
    Message,
    TopicPartition,
)
from confluent_kafka.admin import AdminClient, OffsetSpec

from runtime.kafka.brokers import Bootstrap, reaching
from runtime.kafka.configuration import consumer_configuration, make_consumer
from runtime.kafka.errors import check_consumed
from runtime.kafka.records import place_of
from runtime.kafka.topic_reader import NoSuchTopic
from runtime.positions import Partition

ANSWER_SECONDS_MAX: Final = 5.0
_WAIT_SECONDS: Final = 0.1
_LATEST: Final[OffsetSpec] = OffsetSpec.latest()  # type: ignore[no-untyped-call]


class UnreadMessages(NamedTuple):
    """Of one partition. `messages` counts the markers of transactions after the first message."""

    messages: int
    oldest_at: float
    """Seconds since 1970; when the first of them was appended."""


class _Next(NamedTuple):
    """The first message at or after `position`; None where there was none before `end`."""

    position: int
    end: int
    message: tuple[int, float] | None

    def holds(self, position: int, end: int) -> bool:
        """Whether this is still the answer. A log is only ever added to."""
        if self.message is not None:
            return self.position <= position <= self.message[0]
        return self.position <= position and end <= self.end

    def unread(self, end: int) -> UnreadMessages | None:
        return (
            None if self.message is None else UnreadMessages(end - self.message[0], self.message[1])
        )


class Backlog:
    """Queries the brokers; to be used in one thread. Reads only where a position or an end
    moved."""

    def __init__(self, bootstrap: Bootstrap) -> None:
        self._bootstrap = bootstrap
        self._members: dict[str, Consumer] = {}
        self._admin = AdminClient({**reaching(bootstrap), "log_level": 2})
        # One message is enough. More that comes with it is dropped.
        small = {"queued.min.messages": 1, "fetch.wait.max.ms": 10, "enable.partition.eof": True}
        configuration = consumer_configuration(bootstrap, group="backlog")
        self._consumer: Consumer = make_consumer({**configuration, **small})
        self._known: dict[Hashable, dict[Partition, _Next]] = {}
        self._sizes: dict[str, int] = {}

    def close(self) -> None:
        for consumer in (self._consumer, *self._members.values()):
            consumer.close()

    def places(self, topics: Iterable[str]) -> list[Partition]:
        return [Partition(topic, number) for topic in topics for number in range(self._size(topic))]

    def committed(self, group: str, places: Sequence[Partition]) -> dict[Partition, int]:
        """Positions of a consumer group, wherever it has committed any."""
        # By a consumer that never joins the group: the admin client's own question crashes the
        # process where a broker has no groups yet.
        if group not in self._members:
            # Stable offsets would be waited for: a transaction under way must not hide the lag.
            configuration = consumer_configuration(
                self._bootstrap, group=group, read_uncommitted=True
            )
            self._members[group] = make_consumer(configuration)
        found = self._members[group].committed(
            [TopicPartition(*place) for place in places], timeout=ANSWER_SECONDS_MAX
        )
        return {
            Partition(position.topic, position.partition): position.offset for position in found
        }

    def measure(
        self, reader: Hashable, positions: Mapping[Partition, int]
    ) -> dict[Partition, UnreadMessages | None]:
        """Unread messages of each partition from its position on; None where everything is read."""
        known = self._known.setdefault(reader, {})
        ends = self._ends(positions) if positions else {}
        behind = {place: at for place, at in positions.items() if at < ends[place]}
        unsure = {
            place: at
            for place, at in behind.items()
            if place not in known or not known[place].holds(at, ends[place])
        }
        known |= self._look(unsure, ends)
        return {
            place: known[place].unread(ends[place]) if place in behind else None
            for place in positions
        }

    def _ends(self, places: Iterable[Partition]) -> dict[Partition, int]:
        """End offsets for a reader of committed messages."""
        requests = self._admin.list_offsets(
            {TopicPartition(*place): _LATEST for place in places},
            isolation_level=IsolationLevel.READ_COMMITTED,
            request_timeout=ANSWER_SECONDS_MAX,
        )
        return {
            Partition(place.topic, place.partition): answer.result(ANSWER_SECONDS_MAX * 2).offset
            for place, answer in requests.items()
        }

    def _look(
        self, positions: Mapping[Partition, int], ends: Mapping[Partition, int]
    ) -> dict[Partition, _Next]:
        """The next message of each partition."""
        found: dict[Partition, _Next] = {}
        if not positions:
            return found
        self._consumer.assign([TopicPartition(*place, at) for place, at in positions.items()])
        try:
            until = time.monotonic() + ANSWER_SECONDS_MAX
            while len(found) < len(positions):
                message = self._consumer.poll(_WAIT_SECONDS)
                if message is not None and (place := place_of(message)) in positions:
                    found |= _next(message, place, positions[place], ends[place])
                if time.monotonic() > until:
                    raise KafkaException(KafkaError(KafkaError._TIMED_OUT))
        finally:
            self._consumer.unassign()
        return found

    def _size(self, topic: str) -> int:
        """Topics keep their number of partitions."""
        if topic not in self._sizes:
            found = self._admin.list_topics(topic, timeout=ANSWER_SECONDS_MAX).topics[topic]
            if found.error is not None or not found.partitions:
                raise NoSuchTopic(topic)
            self._sizes[topic] = len(found.partitions)
        return self._sizes[topic]


def _next(message: Message, place: Partition, position: int, end: int) -> dict[Partition, _Next]:
    """The offset and time of a message or of a partition's end; None where it is another
    partition."""
    error, offset = message.error(), message.offset()
    if error is None:
        if offset is None or offset < position:
            return {}  # queued by an earlier assignment
        return {place: _Next(position, end, (offset, max(message.timestamp()[1], 0) / 1_000))}
    if error.code() != KafkaError._PARTITION_EOF:
        check_consumed(error)
    # An end that lies further back is the one the consumer knew before more was written.
    elif offset is not None and offset >= end:
        return {place: _Next(position, offset, None)}
    return {}
