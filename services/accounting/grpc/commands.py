"""Commands: validated, appended to the log, posted when read back, and then answered.

An advisory lock of the database lets one command run at a time over all instances. A command is
validated against a ledger that holds all earlier ones, so that two contradictory commands cannot
both be appended. The lock belongs to a transaction and is free as soon as its holder is gone.
Posting validates again, against the topic alone: that result counts.

A command that has begun is finished even if the caller disconnects. A command that is rejected
before it is appended is kept in `dead-letters`, from which the ledger lists it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, TypeVar
from uuid import uuid4

import psycopg
from psycopg import Connection

from accounting.config import Settings
from accounting.domain.entry import LogPosition, entry_id
from accounting.grpc.command_handler import CommandHandler, Event
from accounting.grpc.errors import (
    AlreadyEntered,
    Busy,
    CommandRejected,
    EntryUnacknowledged,
    InvalidCommand,
    LedgerBehind,
    PostingPending,
    PostingRejected,
    rejection_of,
)
from accounting.kafka.ledger_projection import CONSUMER
from accounting.postgres.entry_lookup import read_entry, read_rejection
from bookkeeping.errors import NotBookable
from casino.accounting.v1.ledger_pb2 import Entry
from runtime import logs
from runtime.database.connection import session
from runtime.database.query import in_plain_words
from runtime.kafka.end_offsets import EndOffsets
from runtime.kafka.producer import AcknowledgedProducer, NotWritten
from runtime.kafka.records import Headers, Output
from runtime.metrics import Metrics
from runtime.positions import Partition
from wire import headers, topics

SERVICE: Final = "accounting"
LOOK_SECONDS: Final = 0.02
BYTES_MAX: Final = 900_000
"""The largest fact: brokers accept a mebibyte, with headers and framing."""
ENTERED: Final = (topics.CAGE_EVENTS, topics.PROMOTION_EVENTS)
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('accounting commands', 0))"
_POSITIONS: Final = """
SELECT topic, partition, next_offset FROM consumed_positions
WHERE consumer = %s AND topic = ANY(%s)
"""
_log = logs.logger(__name__)
E = TypeVar("E", bound=Event)
T = TypeVar("T")


def now() -> int:
    """The current time, in microseconds since 1970."""
    return time.time_ns() // 1000


@dataclass(frozen=True, slots=True)
class Submitter:
    """The author of a command, and the peer that called for them."""

    author: str
    peer: str


@dataclass(frozen=True, slots=True)
class PostedEvent:
    """A posted event, with its entry and remarks."""

    event: Any
    entry: Entry | None
    remarks: tuple[str, ...]


class Commands:
    def __init__(
        self,
        settings: Settings,
        producer: AcknowledgedProducer,
        ends: EndOffsets,
        metrics: Metrics,
        *,
        clock: Callable[[], int] = now,
    ) -> None:
        self._address = session(
            settings.database_url.get_secret_value(),
            service=SERVICE,
            statement_seconds_max=settings.database_statement_seconds_max,
            lock_seconds_max=settings.command_seconds_max,
        )
        self._prefix = settings.topic_prefix
        self.seconds_max = settings.command_seconds_max
        self._producer = producer
        self._ends = ends
        self.clock = clock
        self._local_lock = asyncio.Lock()
        self._connection: Connection[Any] | None = None
        self._under_way: set[asyncio.Task[Any]] = set()
        self._count = metrics.counter("commands", "Facts entered.", ["topic", "answer"])

    # Methods for callers -----------------------------------------------------------------

    async def enter(self, handler: CommandHandler[E], submitted: E, by: Submitter) -> PostedEvent:
        """Enter one fact; raises `CommandRejected` if it is not entered."""
        (answer,) = await self.enter_all(handler, [submitted], by)
        if isinstance(answer, CommandRejected):
            raise answer
        return answer

    async def enter_all(
        self, handler: CommandHandler[E], submitted: Sequence[E], by: Submitter
    ) -> list[PostedEvent | CommandRejected]:
        """Enter independent facts under one lock; return an answer for each."""

        async def run() -> list[PostedEvent | CommandRejected]:
            async with self.lock() as locked:
                return await locked.enter(handler, submitted, by)

        return await self.finish(run())

    async def examine(
        self, handler: CommandHandler[E], submitted: Sequence[E], by: Submitter
    ) -> list[Any]:
        """Validate without entering: return the events as they would be appended, or rejections."""

        async def run() -> list[Any]:
            async with self.lock() as locked:
                return list(await locked.examine(handler, submitted, by))

        return await self.finish(run())

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Run to the end, even if the caller disconnects."""
        task = asyncio.ensure_future(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return await asyncio.shield(task)

    # The lock -------------------------------------------------------------------------

    @asynccontextmanager
    async def lock(self) -> AsyncIterator[CommandLock]:
        """Hold the lock of all commands, with all earlier entries posted."""
        try:
            async with asyncio.timeout(self.seconds_max):
                await self._local_lock.acquire()
        except TimeoutError:
            raise Busy(self.seconds_max) from None
        try:
            with in_plain_words():
                connection = await asyncio.to_thread(self._begin)
            try:
                await self._catch_up(connection)
                yield CommandLock(self, connection)
            finally:
                await asyncio.to_thread(_end, connection)
        finally:
            self._local_lock.release()

    def _begin(self) -> Connection[Any]:
        """Take the lock in the session of the last command, or in a new one if that has ended."""
        try:
            if self._connection is not None and not self._connection.closed:
                try:
                    self._connection.execute(_LOCK)
                    return self._connection
                except psycopg.errors.LockNotAvailable:
                    raise
                except psycopg.OperationalError:
                    self._connection.close()
            self._connection = psycopg.connect(self._address)
            self._connection.execute(_LOCK)
        except psycopg.errors.LockNotAvailable:
            _end(self._connection)
            raise Busy(self.seconds_max) from None
        return self._connection

    async def _catch_up(self, connection: Connection[Any]) -> None:
        ends = await self._ends.of(ENTERED)
        with in_plain_words():
            lag = await asyncio.to_thread(self.wait, connection, ends)
        if lag:
            raise LedgerBehind(lag, self.seconds_max)

    def wait(self, connection: Connection[Any], ends: dict[Partition, int]) -> int:
        """Wait until the ledger has read up to `ends`; return the lag that remains."""
        names = [self._prefix + name for name in ENTERED]
        deadline = time.monotonic() + self.seconds_max
        while True:
            read = {
                Partition(topic.removeprefix(self._prefix), partition): offset
                for topic, partition, offset in connection.execute(_POSITIONS, [CONSUMER, names])
            }
            lag: int = sum(max(end - read.get(place, 0), 0) for place, end in ends.items())
            if not lag or time.monotonic() > deadline:
                return lag
            time.sleep(LOOK_SECONDS)

    # The log --------------------------------------------------------------------------

    async def append(self, topic: str, events: Sequence[Event]) -> list[LogPosition]:
        """Append events in their order; return once the brokers have acknowledged them."""
        outputs = [
            Output(self._prefix + topic, event.SerializeToString(deterministic=True), partition=0)
            for event in events
        ]
        try:
            positions = await self._producer.send(outputs)
        except NotWritten as failed:
            raise EntryUnacknowledged(
                [event.event_id for event in events], failed.error.str()
            ) from None
        return [LogPosition(topic, position.partition, position.offset) for position in positions]

    async def publish(self, topic: str, key: bytes, value: bytes, event_id: str) -> None:
        try:
            await self._producer.send([Output(self._prefix + topic, value, key)])
        except NotWritten as failed:
            raise EntryUnacknowledged([event_id], failed.error.str()) from None

    async def record_rejection(
        self, topic: str, value: bytes, rejection: CommandRejected, by: Submitter, table: str = ""
    ) -> None:
        """Record a rejected command in `dead-letters`."""
        self.count(topic, rejection.code)
        known: Headers = [
            (headers.CODE, rejection.code.encode()),
            (headers.REASON, _cut(rejection.reason)),
            (headers.TABLE, _cut(table)),
            (headers.PEER, _cut(by.peer)),
            (headers.AUTHOR, _cut(by.author)),
            (headers.SOURCE_TOPIC, (self._prefix + topic).encode()),
            (headers.LENGTH, b"%d" % len(value)),
            (headers.DIGEST, sha256(value).hexdigest().encode()),
        ]
        dead_letter = Output(
            self._prefix + topics.DEAD_LETTERS, value[:BYTES_MAX], _cut(table), headers=known
        )
        try:
            await self._producer.send([dead_letter])
        except NotWritten as failed:
            # The caller gets the rejection either way.
            _log.error("rejection not recorded", code=rejection.code, reason=failed.error.str())

    def count(self, topic: str, answer: str) -> None:
        self._count.labels(topic, answer).inc()


class CommandLock:
    """Enters events while it holds the lock of all commands."""

    def __init__(self, commands: Commands, connection: Connection[Any]) -> None:
        self._commands = commands
        self.connection = connection

    async def enter(
        self, handler: CommandHandler[E], submitted: Sequence[E], by: Submitter
    ) -> list[PostedEvent | CommandRejected]:
        answers = await self.examine(handler, submitted, by)
        for event, answer in zip(submitted, answers, strict=True):
            if isinstance(answer, CommandRejected):
                value = event.SerializeToString(deterministic=True)
                await self._commands.record_rejection(
                    handler.topic, value, answer, by, handler.table_of(event)
                )
        fresh = [answer.event for answer in answers if isinstance(answer, NewEvent)]
        sources = iter(await self.append(handler.topic, fresh))
        placed = [
            (answer, next(sources) if isinstance(answer, NewEvent) else None) for answer in answers
        ]

        def read_back() -> list[PostedEvent | CommandRejected]:
            return [
                answer
                if isinstance(answer, CommandRejected)
                else self._outcome(handler, answer, source)
                for answer, source in placed
            ]

        try:
            return await asyncio.to_thread(read_back)
        except psycopg.Error as failed:
            _log.warning("database unavailable", reason=" ".join(str(failed).split()))
            raise PostingPending(submitted[0].event_id, self._commands.seconds_max) from None

    async def examine(
        self, handler: CommandHandler[E], submitted: Sequence[E], by: Submitter
    ) -> list[NewEvent | RecordedEvent | CommandRejected]:
        with in_plain_words():
            return await asyncio.to_thread(
                lambda: [self._examine(handler, message, by) for message in submitted]
            )

    async def append(self, topic: str, events: Sequence[Event]) -> list[LogPosition]:
        """Append events; return once the ledger has read all of them back."""
        if not events:
            return []
        sources = await self._commands.append(topic, events)
        last = sources[-1]
        ends = {Partition(last.topic, last.partition): last.offset + 1}
        seconds_max = self._commands.seconds_max
        try:
            lag = await asyncio.to_thread(self._commands.wait, self.connection, ends)
        except psycopg.Error as failed:
            _log.warning("database unavailable", reason=" ".join(str(failed).split()))
            lag = 1
        if lag:
            self._commands.count(topic, "not posted yet")
            raise PostingPending(events[0].event_id, seconds_max)
        return sources

    def _examine(
        self, handler: CommandHandler[E], submitted: E, by: Submitter
    ) -> NewEvent | RecordedEvent | CommandRejected:
        """Validate one event: the event to append, the one already in the log, or a rejection."""
        try:
            handler.read(submitted)
            if submitted.event_id and (before := handler.find(self.connection, submitted.event_id)):
                if handler.is_same(self.connection, submitted, before):
                    return RecordedEvent(before)
                raise AlreadyEntered(
                    "duplicate",
                    f"Event {submitted.event_id} was entered before, with different content.",
                )
            event = handler.complete(self.connection, submitted, by.author, self._commands.clock())
            event.event_id = event.event_id or str(uuid4())
            if event.ByteSize() > BYTES_MAX:
                raise InvalidCommand("too_many", f"Invalid event: larger than {BYTES_MAX:,} bytes.")
            handler.check(self.connection, event, self._commands.clock())
        except CommandRejected as rejection:
            return rejection
        except (PostingRejected, NotBookable) as rejection:
            return rejection_of(rejection.code, str(rejection))
        return NewEvent(event)

    def _outcome(
        self,
        handler: CommandHandler[E],
        answer: NewEvent | RecordedEvent,
        source: LogPosition | None,
    ) -> PostedEvent | CommandRejected:
        event = answer.event
        if source is not None and (found := read_rejection(self.connection, source)):
            self._commands.count(handler.topic, found[0])
            return rejection_of(*found)
        self._commands.count(handler.topic, "posted" if source is not None else "known")
        entry = read_entry(
            self.connection, event.gaming_day, entry_id(handler.entries, event.event_id)
        )
        return PostedEvent(event, entry, tuple(handler.remarks(self.connection, event)))


@dataclass(frozen=True, slots=True)
class NewEvent:
    """A valid event to append."""

    event: Any


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """An event already in the log."""

    event: Any


def _end(connection: Connection[Any] | None) -> None:
    """Release the lock. If the session has ended, so has the lock."""
    try:
        if connection is not None:
            connection.rollback()
    except psycopg.OperationalError as gone:
        _log.warning("session ended", reason=" ".join(str(gone).split()))


def _cut(text: str) -> bytes:
    """Encode as much of a text as a header holds."""
    return text.encode()[: headers.BYTES_MAX].decode("utf-8", "ignore").encode()
