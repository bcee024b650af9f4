"""Topics into a database: one instance at a time, each message once, whatever is killed.

The holder of an advisory lock of the database reads all partitions; the others wait for it. The
lock is that of a session, so it is free as soon as its holder's connection is gone, and a holder
without a connection cannot write. The changes of a batch and its positions are one transaction,
so that a batch is in the database whole or not at all; a position that is not where we left it
means that the tables were emptied, and we begin again at its positions.

A message on which the projection fails is found by halving its batch, and is rejected alone: kept
as a dead letter with the reason, and noted by the projection in the transaction that moves on.

The ids of the topics are kept beside the positions: another log than the one that was read is
rejected, at the start and while reading, until it is back or the tables are rebuilt
(`runtime.kafka.log_identity`).
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Protocol

import psycopg
from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition
from psycopg import Connection

from runtime import logs
from runtime.database.connection import DatabaseSettings, session
from runtime.database.errors import PositionConflict
from runtime.database.positions import read_positions
from runtime.database.read_logs import note_ids, read_marks
from runtime.database.readiness import ReadOnlyDatabase, StoreReadiness
from runtime.health import Health
from runtime.kafka.batching import take_batch
from runtime.kafka.brokers import Bootstrap
from runtime.kafka.errors import check_consumed
from runtime.kafka.lag import LagReader
from runtime.kafka.log_identity import (
    LOOK_SECONDS,
    LogFinder,
    LogRejected,
    TopicReader,
    check_log,
)
from runtime.kafka.partitioner import partition_of
from runtime.kafka.records import batch_span, offset_of, place_of
from runtime.kafka.rejections import Rejections
from runtime.kafka.topic_reader import NoSuchTopic, open_reader
from runtime.metrics import Metrics
from runtime.positions import OffsetRange, Partition
from runtime.process import ServicePart, Stop

KAFKA: Final = "kafka"

_IDLE_SECONDS: Final = 0.1
_LINGER_SECONDS: Final = 0.005
_AGAIN_SECONDS: Final = 1.0
_COMPARED_SECONDS_MAX: Final = 0.2
"""Messages are taken in if the logs were compared so recently; to do it for each batch is dear. No
topic is deleted, created again and read from in less."""
MISPLACED: Final = "misplaced"
REASON_MAX: Final = 1_000
"""Characters of why a message is rejected: an error may quote any length of it."""
NO_FAULT_OF_A_MESSAGE: Final = (
    PositionConflict,
    KafkaException,
    MemoryError,
    psycopg.OperationalError,
    psycopg.InterfaceError,
    psycopg.InternalError,
    psycopg.ProgrammingError,
    psycopg.NotSupportedError,
)
"""Another process has the tables, the servers, or tables of another version: to go on without the
message would lose it."""
_home: Final = lru_cache(maxsize=10_000)(partition_of)
_log = logs.logger(__name__)


class Projection(Protocol):
    """What a service makes of the messages of its topics."""

    def take(
        self,
        connection: Connection[Any],
        messages: Sequence[Message],
        readings: Sequence[OffsetRange],
    ) -> None:
        """All of it in one transaction, together with `advance_sync` for each reading.

        Messages are in order for each partition. `PositionConflict`: nothing of it is kept.
        """

    def reject(
        self,
        connection: Connection[Any],
        message: Message,
        reason: str,
        readings: Sequence[OffsetRange],
    ) -> None:
        """Note, in the same way, that `take` failed on this message alone."""


class Projector:
    """Runs in a thread of its own until it is stopped; it survives both servers."""

    def __init__(
        self,
        bootstrap: Bootstrap,
        database: DatabaseSettings,
        health: Health,
        store: StoreReadiness,
        metrics: Metrics,
        projection: Projection,
        *,
        service: str,
        consumer: str,
        topics: Sequence[str],
        rejections: Rejections,
        code: str,
        keyed: Mapping[str, bool],
        accept: str,
        expiring: Collection[str] = (),
        batch_messages_max: int = 2_000,
    ) -> None:
        """`consumer` is the name under which the positions are kept, and of the lock.

        `code` is that of a rejected message. `keyed` are the topics in which a message counts only
        in the partition of its key, and whether it is this service that rejects others.

        `accept` describes how the tables are rebuilt from other logs and the cost of it. Topics
        that are `expiring` lose their oldest messages, and reading goes on behind them.
        """
        self._bootstrap = bootstrap
        self._address = session(
            database.database_url.get_secret_value(),
            service=service,
            statement_seconds_max=database.database_statement_seconds_max,
        )
        self._health = health
        self._store = store
        self._service = service
        self._projection = projection
        self._consumer = consumer
        self._lock = f"{service} {consumer}"
        self._topics = tuple(topics)
        self._reader = TopicReader(service, accept)
        self._expiring = frozenset(expiring)
        self._finder = LogFinder(bootstrap)
        self._batch_messages_max = batch_messages_max
        self._rejections = rejections
        self._code = code
        self._keyed = keyed
        self._partitions: dict[str, int] = {}
        self._rejected = metrics.counter("rejected", "Messages not processed.", ["topic"])
        self._misplaced = metrics.counter(
            "misplaced", "Messages outside the partition of their key, left out.", ["topic"]
        )
        self._written = metrics.gauge(
            "last_write_timestamp_seconds", "When messages were last taken in; 0: not yet."
        )
        self._positions: Mapping[Partition, int] | None = None
        """Positions up to which the database has everything; None until they are loaded."""
        self._unwritten = False
        """Whether a batch was read and could not be written."""
        self._is_leading = False
        self._leads = metrics.gauge("indexing", "Whether this instance takes messages in.")

    def part(self) -> ServicePart:
        return ServicePart(self._consumer, self.run)

    @property
    def leads(self) -> bool:
        """Whether this instance is the one that reads."""
        return self._is_leading

    def reader(self) -> LagReader:
        """For the lag: known also while another instance reads, and while the database hangs."""
        return LagReader(self._service, self._consumer, self._topics, lambda *_: self._positions)

    def run(self, stop: Stop) -> None:
        while not stop.requested:
            try:
                with psycopg.connect(self._address, autocommit=True) as connection:
                    _check_writable(connection)
                    self._lead(connection, stop)
            except (
                psycopg.OperationalError,
                psycopg.errors.ReadOnlySqlTransaction,
                ReadOnlyDatabase,
            ) as failed:
                self._store.block(" ".join(str(failed).split()))
            except LogRejected as rejected:
                self._health.not_met(KAFKA, str(rejected))
            except (KafkaException, NoSuchTopic) as failed:
                self._health.not_met(KAFKA, str(failed))
            finally:
                self._lead_or_not(False)
            stop.sleep(_AGAIN_SECONDS)

    def _lead_or_not(self, leads: bool) -> None:
        self._is_leading = leads
        self._leads.set(leads)

    def _lead(self, connection: Connection[Any], stop: Stop) -> None:
        """Waits for its turn, then reads until the stop or until something fails."""
        while not self._try_lock(connection):
            self._health.met(KAFKA)  # the reader reports its own state
            self._unwritten = False  # that one writes it
            self._store.unblock()
            stored = read_positions(connection, self._consumer, self._topics)
            self._positions = {position.place: position.offset for position in stored}
            if stop.sleep(_AGAIN_SECONDS):
                return
        self._lead_or_not(True)
        consumer = open_reader(self._bootstrap)
        try:
            while not stop.requested:
                self._follow(connection, consumer, stop)
        finally:
            consumer.close()

    def _follow(self, connection: Connection[Any], consumer: Consumer, stop: Stop) -> None:
        """Reads from the database's positions; returns when they have moved."""
        positions = self._begin(connection, consumer)
        self._health.met(KAFKA)
        _log.info("reading", positions=len(positions))
        compared_at = time.monotonic()
        while not stop.requested:
            self._positions = dict(positions)
            taken = take_batch(
                consumer,
                messages_max=self._batch_messages_max,
                idle_seconds=_IDLE_SECONDS,
                linger_seconds=_LINGER_SECONDS,
            )
            seconds_max = _COMPARED_SECONDS_MAX if taken else LOOK_SECONDS
            if time.monotonic() - compared_at > seconds_max:
                self._compare(connection)
                compared_at = time.monotonic()
            if not taken:
                # While it is quiet, this notices a server that went away, and a rebuild.
                if self._are_moved(connection, positions):
                    _log.warning("beginning again at the positions of the database")
                    return
                if not self._unwritten:
                    self._store.unblock()
                continue
            try:
                self._take(connection, positions, taken)
            except PositionConflict as conflict:
                _log.warning(
                    "beginning again at the positions of the database", reason=str(conflict)
                )
                return

    def _are_moved(self, connection: Connection[Any], positions: dict[Partition, int]) -> bool:
        stored = read_positions(connection, self._consumer, self._topics)
        return any(positions.get(position.place) != position.offset for position in stored)

    def _begin(self, connection: Connection[Any], consumer: Consumer) -> dict[Partition, int]:
        marks = read_marks(connection, self._consumer, self._topics)
        positions: dict[Partition, int] = {}
        begins: list[TopicPartition] = []
        ids: dict[str, str] = {}
        for topic, log in self._finder.find(self._topics).items():
            check_log(self._reader, marks[topic], log, expiring=self._expiring)
            if log is None:
                raise NoSuchTopic(topic)
            ids[topic] = log.topic_id
            self._partitions[topic] = len(log.bounds)
            for partition, (begin, _) in log.bounds.items():
                position = marks[topic].positions.get(partition, 0)
                positions[Partition(topic, partition)] = position
                begins.append(TopicPartition(topic, partition, max(position, begin)))
        note_ids(connection, self._consumer, ids)
        if positions != self._positions:
            self._unwritten = False  # it was written after all, or is to be read again
        consumer.assign(begins)
        return positions

    def _compare(self, connection: Connection[Any]) -> None:
        """Raises `LogRejected` if a topic was replaced or truncated since it was begun."""
        try:
            found = self._finder.find(self._topics)
        except KafkaException as failed:  # the reader notices that, too
            _log.warning("logs not compared", reason=str(failed))
            return
        for topic, mark in read_marks(connection, self._consumer, self._topics).items():
            check_log(self._reader, mark, found[topic], expiring=self._expiring)

    def _take(
        self,
        connection: Connection[Any],
        positions: dict[Partition, int],
        taken: Sequence[Message],
    ) -> None:
        messages: list[Message] = []
        ends: dict[Partition, int] = {}
        for message in taken:
            place = place_of(message)
            error = message.error()
            if error is None:
                if self._is_in_place(message, place):
                    messages.append(message)
                ends[place] = offset_of(message) + 1
            elif error.code() == KafkaError._PARTITION_EOF:
                # Behind the last message lie marks of transactions, which no consumer receives.
                ends[place] = max(ends.get(place, 0), offset_of(message))
            else:
                check_consumed(error)
        with batch_span(messages):
            self._project(connection, positions, messages, ends)

    def _project(
        self,
        connection: Connection[Any],
        positions: dict[Partition, int],
        messages: Sequence[Message],
        ends: Mapping[Partition, int],
    ) -> None:
        """Takes these messages, up to these ends; where that fails, each half of them."""
        readings = [
            OffsetRange(*place, positions[place], end)
            for place, end in sorted(ends.items())
            if end > positions[place]
        ]
        if not readings:
            return
        self._unwritten = True
        try:
            self._projection.take(connection, messages, readings)
        except NO_FAULT_OF_A_MESSAGE:
            raise
        except Exception as failed:
            if not messages:
                raise
            if len(messages) > 1:
                half = len(messages) // 2
                first = messages[:half]
                behind = {place_of(message): offset_of(message) + 1 for message in first}
                self._project(connection, positions, first, behind)
                self._project(connection, positions, messages[half:], ends)
                return
            (message,) = messages
            reason = f"{type(failed).__name__}: {failed}".replace("\0", "\N{REPLACEMENT CHARACTER}")
            reason = " ".join(reason.split())[:REASON_MAX]
            self._rejections.write(message, code=self._code, reason=reason)
            self._projection.reject(connection, message, reason, readings)
            self._rejected.labels(place_of(message).topic).inc()
        self._unwritten = False
        self._store.unblock()
        self._written.set_to_current_time()
        positions.update(
            {Partition(reading.topic, reading.partition): reading.end for reading in readings}
        )

    def _is_in_place(self, message: Message, place: Partition) -> bool:
        rejects = self._keyed.get(place.topic)
        if rejects is None:
            return True
        key = message.key()
        home = _home(key, self._partitions[place.topic]) if key else -1
        if home == place.partition:
            return True
        self._misplaced.labels(place.topic).inc()
        if rejects:
            reason = f"it lies in partition {place.partition}, and its key leads to {home}"
            self._rejections.write(message, code=MISPLACED, reason=reason)
        return False

    def _try_lock(self, connection: Connection[Any]) -> bool:
        query = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))"
        row = connection.execute(query, [self._lock]).fetchone()
        return row is not None and bool(row[0])


def _check_writable(connection: Connection[Any]) -> None:
    """Before anything is read: otherwise we would be ready from one failed write to the next."""
    row = connection.execute("SHOW transaction_read_only").fetchone()
    if row is not None and row[0] == "on":
        raise ReadOnlyDatabase
