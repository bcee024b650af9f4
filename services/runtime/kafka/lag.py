"""Lag of each reader of a service: metrics, and the numbers of status pages.

Measured once a second in a thread of its own, with clients of its own (`runtime.kafka.backlog`):
a reader that hangs cannot hide it. Every instance of a service reports all of its readers, and a
service may report those of another one, so these metrics do not carry the name of the service
that exports them. Take the maximum over instances, never the sum.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from confluent_kafka import KafkaException
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from runtime import logs
from runtime.kafka.backlog import Backlog, UnreadMessages
from runtime.kafka.brokers import Bootstrap
from runtime.kafka.configuration import LogThrottle
from runtime.kafka.errors import ConsumerLost, error_of
from runtime.kafka.topic_reader import NoSuchTopic
from runtime.metrics import Metrics
from runtime.positions import Partition
from runtime.process import ServicePart, Stop

MEASURE_SECONDS: Final = 1.0
LABELS: Final = ("service", "reader", "topic", "partition")
Positions = Callable[[Backlog, Sequence[Partition]], Mapping[Partition, int] | None]
"""The next offset of these partitions, those that were ever read; None while not known."""
_log = logs.logger(__name__)


@dataclass(frozen=True, slots=True)
class LagReader:
    """Something that reads topics to their end, and goes on as they grow."""

    service: str
    name: str
    topics: tuple[str, ...]
    positions: Positions


def group_reader(service: str, name: str, *, group: str, topics: Iterable[str]) -> LagReader:
    """A reader whose positions are the offsets that its consumer group has committed."""
    return LagReader(
        service, name, tuple(topics), lambda backlog, places: backlog.committed(group, places)
    )


@dataclass(frozen=True, slots=True)
class TopicLag:
    """What one reader has not read of one topic."""

    service: str
    reader: str
    topic: str
    unread: int
    oldest_at: float | None
    """When the oldest unread message was appended, in seconds since 1970."""

    def seconds(self, now: float) -> float:
        """How long the oldest unread message has waited."""
        return 0.0 if self.oldest_at is None else max(now - self.oldest_at, 0.0)


@dataclass(frozen=True, slots=True)
class Measurement:
    """The last measurement. It stands while the brokers do not answer, and `error` has the
    reason."""

    unread: Mapping[tuple[LagReader, Partition], UnreadMessages | None]
    measured_at: float = 0.0
    error: str = "not measured yet"

    def by_topic(self, readers: Sequence[LagReader]) -> list[TopicLag]:
        found = []
        for reader in readers:
            for topic in reader.topics:
                parts = [
                    unread
                    for (of, place), unread in self.unread.items()
                    if of is reader and place.topic == topic
                ]
                if parts:
                    some = [unread for unread in parts if unread is not None]
                    count = sum(unread.messages for unread in some)
                    oldest = min((unread.oldest_at for unread in some), default=None)
                    found.append(TopicLag(reader.service, reader.name, topic, count, oldest))
        return found


class LagMonitor(Collector):
    """Measures `readers`; results may be read from any thread."""

    def __init__(
        self,
        bootstrap: Bootstrap,
        metrics: Metrics,
        readers: Sequence[LagReader],
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.readers = tuple(readers)
        self._bootstrap = bootstrap
        self._clock = clock
        self._lock = threading.Lock()
        self._last = Measurement({})
        self._backlog: Backlog | None = None
        self._seldom = LogThrottle()
        metrics.registry.register(self)

    @property
    def last(self) -> Measurement:
        with self._lock:
            return self._last

    def by_topic(self) -> list[TopicLag]:
        return self.last.by_topic(self.readers)

    def seconds_behind(self, service: str) -> float | None:
        """Of the reader of `service` that is furthest behind; None while it cannot be known."""
        if self.last.error:
            return None
        now = self._clock()
        return max(
            (lag.seconds(now) for lag in self.by_topic() if lag.service == service), default=0.0
        )

    def part(self) -> ServicePart:
        return ServicePart("lag", self._run)

    def _run(self, stop: Stop) -> None:
        try:
            while not stop.requested:
                self.measure()
                stop.sleep(MEASURE_SECONDS)
        finally:
            self._forget()

    def measure(self) -> Measurement:
        """Once, now; in one thread at a time."""
        try:
            unread, missing = self._measured()
            found = Measurement(unread, self._clock(), missing)
        except (KafkaException, ConsumerLost) as failed:
            reason = error_of(failed).str() if isinstance(failed, KafkaException) else str(failed)
            # A client may believe in leaders that are none any more: the next one queries again.
            self._forget()
            if self._seldom.is_time_for("lag"):
                _log.warning("lag not measured", reason=reason)
            known = self.last
            found = Measurement(known.unread, known.measured_at, reason)
        with self._lock:
            self._last = found
        return found

    def _measured(self) -> tuple[dict[tuple[LagReader, Partition], UnreadMessages | None], str]:
        """The unread messages, and the readers that cannot be measured, with the reason."""
        if self._backlog is None:
            self._backlog = Backlog(self._bootstrap)
        found: dict[tuple[LagReader, Partition], UnreadMessages | None] = {}
        missing = ""
        for reader in self.readers:
            try:
                places = self._backlog.places(reader.topics)
            except NoSuchTopic as absent:
                missing = str(absent)
                continue
            known = reader.positions(self._backlog, places)
            if known is not None:
                positions = {place: max(known.get(place, 0), 0) for place in places}
                unread = self._backlog.measure(reader, positions)
                found |= {(reader, place): unread[place] for place in places}
        return found, missing

    def _forget(self) -> None:
        backlog, self._backlog = self._backlog, None
        if backlog is not None:
            backlog.close()

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Without a measurement: the registry reads the names only."""
        return iter(_families())

    def collect(self) -> Iterator[GaugeMetricFamily]:
        messages, seconds, measured_at = _families()
        last, now = self.last, self._clock()
        for (reader, place), unread in last.unread.items():
            labels = [reader.service, reader.name, place.topic, str(place.partition)]
            messages.add_metric(labels, 0 if unread is None else unread.messages)
            waited = 0.0 if unread is None else max(now - unread.oldest_at, 0.0)
            seconds.add_metric(labels, waited)
        measured_at.add_metric([], last.measured_at)
        yield from (messages, seconds, measured_at)


def _families() -> tuple[GaugeMetricFamily, GaugeMetricFamily, GaugeMetricFamily]:
    return (
        GaugeMetricFamily("reader_unread_messages", "Messages not read yet.", labels=LABELS),
        GaugeMetricFamily(
            "reader_oldest_unread_seconds",
            "Seconds since the oldest unread message was appended; 0: everything is read.",
            labels=LABELS,
        ),
        GaugeMetricFamily(
            "reader_lag_measured_timestamp_seconds", "When lag was last measured; 0: not yet."
        ),
    )
