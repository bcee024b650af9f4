"""Keeps a reader whose store is Kafka itself from reading another log than before.

Everything that reads waits for `wait` first. A part compares again while the service runs, and
readers check `rejected` between batches. A service that rejects its log stays up and is not ready:
an orchestrator that restarted it would change nothing, and an operator finds the reason in its log
and its health. It goes on by itself when the log is back or its loss is accepted.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

from confluent_kafka import KafkaException

from runtime import logs
from runtime.kafka.brokers import Bootstrap
from runtime.kafka.log_identity import (
    LOOK_SECONDS,
    LogFinder,
    LogMark,
    LogRejected,
    TopicLog,
    TopicReader,
    check_log,
)
from runtime.kafka.log_marks import MarkWriter, Reject, read_marks
from runtime.kafka.topic_reader import NoSuchTopic, ReadingStuck
from runtime.positions import Partition, Position
from runtime.process import ServicePart, Stop

NOTE_SECONDS: Final = 30.0
"""How often positions of topics are stored."""
_log = logs.logger(__name__)


class LogGuard:
    """Of one service. `report` is given the reason for which it is not ready."""

    def __init__(
        self,
        bootstrap: Bootstrap,
        reader: TopicReader,
        *,
        topics: Sequence[str],
        marks_topic: str,
        report: Callable[[str], None],
        expiring: Collection[str] = (),
        reject: Reject = lambda *_: None,
    ) -> None:
        """`reject` receives messages that are no marks; one of all readers of the marks is
        enough."""
        self._bootstrap = bootstrap
        self._reject = reject
        self._reader = reader
        self._topics = tuple(topics)
        self._marks_topic = marks_topic
        self._report = report
        self._expiring = frozenset(expiring)
        self._finder = LogFinder(bootstrap)
        self._writer = MarkWriter(bootstrap, marks_topic, reader.name)
        self._lock = threading.RLock()
        self._ids: dict[str, str] = {}
        """Of the topics that are read; empty until they are accepted."""
        self._positions: dict[Partition, int] = {}
        self._written: dict[Partition, int] = {}
        self._write_due = 0.0
        self.rejected: LogRejected | None = None

    def part(self) -> ServicePart:
        return ServicePart("log guard", self.run)

    def wait(self, stop: Stop) -> bool:
        """Blocks until every topic is the one that was read before; False at the stop."""
        while not stop.requested:
            if self._is_open():
                return True
            stop.sleep(LOOK_SECONDS)
        return False

    def note(self, positions: Iterable[Position]) -> None:
        """From any thread: so far topics are read. It never waits for the brokers."""
        ids, noted = self._ids, self._positions
        for position in positions:
            if position.topic in ids:
                noted[position.place] = max(noted.get(position.place, 0), position.offset)

    def check(self, positions: Iterable[Position] = ()) -> None:
        """Raises `LogRejected` if a topic was replaced, or ends before a position."""
        with self._lock:
            if self.rejected is not None:
                raise self.rejected
            self.note(positions)
            self._compare()

    def run(self, stop: Stop) -> None:
        while not stop.sleep(LOOK_SECONDS):
            with self._lock:
                if not self._ids:
                    continue  # the waiting part retries
                try:
                    self._compare()
                    if time.monotonic() >= self._write_due:
                        self._write()
                except LogRejected:
                    pass  # reported; readers check `rejected`
                except KafkaException as failed:
                    _log.warning("logs not compared", reason=str(failed))
        with self._lock:
            try:
                self._write()
            except KafkaException as failed:  # the position is a lower bound all the same
                _log.warning("positions not written down", reason=str(failed))

    def _is_open(self) -> bool:
        with self._lock:
            if self._ids:
                return True
            try:
                self._open()
            except LogRejected as rejected:
                self._note_rejection(rejected)
            except (KafkaException, NoSuchTopic, ReadingStuck) as failed:
                self._report(str(failed))
            return bool(self._ids)

    def _open(self) -> None:
        """Compares stored marks, and stores marks that are new."""
        marks = {
            read_mark.mark.topic: read_mark.mark
            for read_mark in read_marks(self._bootstrap, self._marks_topic, self._reject)
            if read_mark.reader == self._reader.name
        }
        found = self._finder.find(self._topics)
        logs_found: dict[str, TopicLog] = {}
        for topic in self._topics:
            mark, log = marks.get(topic, LogMark(topic, "", {})), found[topic]
            check_log(self._reader, mark, log, expiring=self._expiring)
            if log is None:
                raise NoSuchTopic(topic)
            logs_found[topic] = log
        self._positions = {
            Partition(topic, partition): offset
            for topic, mark in marks.items()
            if topic in logs_found
            for partition, offset in mark.positions.items()
        }
        fresh = [
            LogMark(topic, log.topic_id, {0: 0})
            for topic, log in logs_found.items()
            if topic not in marks
        ]
        self._writer.write(fresh)
        self._written = dict(self._positions)
        self._write_due = time.monotonic() + NOTE_SECONDS
        self._ids = {topic: log.topic_id for topic, log in logs_found.items()}
        self.rejected = None

    def _compare(self) -> None:
        found = self._finder.find(self._topics)
        for mark in self._marks(dict(self._positions)):
            try:
                check_log(self._reader, mark, found[mark.topic], expiring=self._expiring)
            except LogRejected as rejected:
                self._note_rejection(rejected)
                raise

    def _marks(self, positions: dict[Partition, int]) -> list[LogMark]:
        by_topic: dict[str, dict[int, int]] = {topic: {} for topic in self._ids}
        for place, offset in positions.items():
            by_topic[place.topic][place.partition] = offset
        return [LogMark(topic, self._ids[topic], of) for topic, of in by_topic.items()]

    def _write(self) -> None:
        if self._ids:
            news = dict(dict(self._positions).items() - self._written.items())
            self._writer.write(self._marks(news))
            self._written.update(news)
        self._write_due = time.monotonic() + NOTE_SECONDS

    def _note_rejection(self, rejected: LogRejected) -> None:
        if str(self.rejected) != str(rejected):
            _log.error("log rejected", topic=rejected.topic, reason=str(rejected))
        try:
            self._write()  # a log that is too short must stay so for the next check
        except KafkaException as failed:
            _log.warning("positions not written down", reason=str(failed))
        self._ids = {}
        self._positions = {}
        self.rejected = rejected
        self._report(str(rejected))
