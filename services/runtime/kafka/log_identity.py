"""Which log a reader has read, and whether that log is still there.

A topic that was deleted and created again has the same name and another id. A log that was
truncated, or restored from an older copy, ends before the last read position. Either way positions
point into a log that no longer exists: a reader that goes on skips messages or waits forever
while nothing looks wrong. So a reader stores the id of each topic and its position, and
compares both with what the brokers have.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final, TypeVar

from confluent_kafka import KafkaError, KafkaException, TopicCollection, TopicPartition
from confluent_kafka.admin import AdminClient, OffsetSpec

from runtime.kafka.brokers import Bootstrap, reaching
from runtime.kafka.errors import error_of

LOOK_SECONDS: Final = 2.0
"""How often a running reader compares."""
_SECONDS_MAX: Final = 3.0
"""Of one request: the caller blocks meanwhile."""
_LATE_SECONDS_MAX: Final = 5.0
T = TypeVar("T")
_AGAIN_SECONDS: Final = 0.1
_PASSING: Final = {
    KafkaError.NOT_LEADER_FOR_PARTITION,
    KafkaError.LEADER_NOT_AVAILABLE,
    KafkaError.UNKNOWN_TOPIC_OR_PART,
    KafkaError.UNKNOWN_LEADER_EPOCH,
    KafkaError.FENCED_LEADER_EPOCH,
}
"""Of a partition that is just being made, deleted or moved, or whose broker has just started."""
_EARLIEST: Final[OffsetSpec] = OffsetSpec.earliest()  # type: ignore[no-untyped-call]
_LATEST: Final[OffsetSpec] = OffsetSpec.latest()  # type: ignore[no-untyped-call]


@dataclass(frozen=True, slots=True)
class TopicLog:
    """A topic as the brokers have it."""

    topic_id: str
    bounds: Mapping[int, tuple[int, int]]
    """By partition: the first offset, and the one behind the last."""


@dataclass(frozen=True, slots=True)
class LogMark:
    """A topic as a reader remembers it."""

    topic: str
    topic_id: str
    """Empty: not recorded yet. The topic that is there is then taken for the one that was read."""
    positions: Mapping[int, int]
    """By partition: the next offset to be read."""


@dataclass(frozen=True, slots=True)
class TopicReader:
    """Who remembers, and what to do when its log is gone."""

    name: str
    accept: str
    """The command by which the reader accepts another log, and what that forgets."""


class LogRejected(Exception):
    """The log is not the one that was read. `str()` includes the remedy."""

    def __init__(self, reader: TopicReader, topic: str, problem: str) -> None:
        self.reader = reader.name
        self.topic = topic
        self.problem = problem
        super().__init__(
            f"{reader.name} rejects the log of {topic}: {problem}."
            " Restore the topic from a backup of Kafka. If its loss is accepted instead:"
            f" create it if it is missing (`python -m provisioning topics --accept-loss {topic}`),"
            f" then {reader.accept}."
        )


def find_problem(mark: LogMark, log: TopicLog | None, *, expires: bool = False) -> str | None:
    """The difference between `log` and `mark`, the log that was read; None if it is the same.

    A topic that `expires` loses its oldest messages, and a reader that was away goes on behind
    them; in any other every message that was not read must still be there.
    """
    known = f"topic id {mark.topic_id}" if mark.topic_id else "a topic"
    read = max(mark.positions.values(), default=0)
    if log is None:
        if not mark.topic_id and not read:
            return None
        return f"expected {known}, found no topic of that name"
    if mark.topic_id and mark.topic_id != log.topic_id:
        return (
            f"expected {known}, found topic id {log.topic_id}: the topic was deleted and created"
            " again"
        )
    for partition, position in sorted(mark.positions.items()):
        if not position:
            continue
        begin, end = log.bounds.get(partition, (0, 0))
        if position > end:
            return (
                f"partition {partition} was read up to offset {position} and ends at {end}: it was"
                " truncated, or restored from an older copy"
            )
        if position < begin and not expires:
            return (
                f"partition {partition} was read up to offset {position} and begins at {begin}:"
                " messages that were not read are deleted"
            )
    return None


def check_log(
    reader: TopicReader, mark: LogMark, log: TopicLog | None, *, expiring: Collection[str] = ()
) -> None:
    """Raises `LogRejected` unless `log` is the one that was read."""
    problem = find_problem(mark, log, expires=mark.topic in expiring)
    if problem is not None:
        raise LogRejected(reader, mark.topic, problem)


class LogFinder:
    """Fetches topics from the brokers. Blocks; to be called from one thread at a time."""

    def __init__(self, bootstrap: Bootstrap) -> None:
        self._bootstrap = bootstrap
        self._client: AdminClient | None = None

    def find(self, topics: Iterable[str]) -> dict[str, TopicLog | None]:
        """None for a topic that does not exist; `KafkaException` if the brokers do not answer."""
        if self._client is None:
            self._client = AdminClient({**reaching(self._bootstrap), "log_level": 2})
        try:
            return find_logs(self._client, topics)
        except KafkaException:
            self._client = None  # it may believe in leaders that are none any more
            raise


def find_logs(client: AdminClient, topics: Iterable[str]) -> dict[str, TopicLog | None]:
    """None for a topic that does not exist; `KafkaException` if the brokers do not answer."""
    names = sorted(set(topics))
    until = time.monotonic() + _SECONDS_MAX
    while names:
        try:
            return _find_logs(client, names)
        except KafkaException as failed:
            if error_of(failed).code() not in _PASSING or time.monotonic() > until:
                raise
            time.sleep(_AGAIN_SECONDS)
    return {}


def _find_logs(client: AdminClient, names: list[str]) -> dict[str, TopicLog | None]:
    requests = client.describe_topics(TopicCollection(names), request_timeout=_SECONDS_MAX)
    partitions: dict[str, list[int]] = {}
    ids: dict[str, str] = {}
    for name, answer in requests.items():
        try:
            found = _result(answer)
        except KafkaException as failed:
            if error_of(failed).code() != KafkaError.UNKNOWN_TOPIC_OR_PART:
                raise
            continue
        ids[name] = str(found.topic_id)
        partitions[name] = [partition.id for partition in found.partitions]
    places = [(name, number) for name, numbers in partitions.items() for number in numbers]
    begins, ends = _offsets(client, places, _EARLIEST), _offsets(client, places, _LATEST)
    return {
        name: TopicLog(
            ids[name],
            {number: (begins[name, number], ends[name, number]) for number in partitions[name]},
        )
        if name in ids
        else None
        for name in names
    }


def _offsets(
    client: AdminClient, places: Iterable[tuple[str, int]], which: OffsetSpec
) -> dict[tuple[str, int], int]:
    wanted = {TopicPartition(*place): which for place in places}
    if not wanted:
        return {}
    requests = client.list_offsets(wanted, request_timeout=_SECONDS_MAX)
    return {
        (place.topic, place.partition): _result(answer).offset for place, answer in requests.items()
    }


def _result(answer: Future[T]) -> T:
    """The library ends a request itself; a thread of its that is starved may do so late."""
    try:
        return answer.result(_SECONDS_MAX + _LATE_SECONDS_MAX)
    except TimeoutError:
        raise KafkaException(KafkaError(KafkaError._TIMED_OUT)) from None
