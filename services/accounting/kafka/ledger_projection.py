"""Projects the topics into the ledger, batch by batch.

The rows of a message depend on the message and on earlier ones of its partition, never on the
positions in other topics. So a rebuilt ledger has the same rows, in whatever order the topics are
read. Joins between topics (was the coupon issued, was the day closed by then) are made by queries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from hashlib import sha256
from typing import Any, Final, TypeVar

from confluent_kafka import Message
from psycopg import Connection

from accounting.domain.entry import LogPosition
from accounting.grpc.errors import PostingRejected
from accounting.kafka.cage_posting import CagePosting
from accounting.kafka.cash_posting import CashPosting
from accounting.kafka.decoder import (
    UNREADABLE,
    is_of_no_use,
    plain,
    read_cage_event,
    read_finding,
    read_promotion_event,
    read_round,
    read_table_event,
)
from accounting.kafka.event_posting import EventPosting
from accounting.kafka.finding_posting import finding_row
from accounting.kafka.promotion_posting import PromotionPosting
from accounting.kafka.round_posting import RoundMessage, RoundPosting
from accounting.postgres.batch_writer import BatchRows
from bookkeeping.errors import NotBookable
from casino.accounting.v1.cage_event_pb2 import CageEvent
from casino.accounting.v1.promotion_event_pb2 import PromotionEvent
from property_calendar.gaming_day import Calendar
from runtime import logs
from runtime.database.positions import advance_sync
from runtime.kafka.records import header, offset_of, place_of
from runtime.metrics import Metrics
from runtime.positions import OffsetRange, Partition
from wire import headers, topics
from wire.events import MEMBERS

CONSUMER: Final = "ledger"
READ: Final = (
    topics.SETTLED_ROUNDS, topics.TABLE_EVENTS, topics.CAGE_EVENTS, topics.PROMOTION_EVENTS,
    topics.FINDINGS, topics.DEAD_LETTERS,
)  # fmt: skip
ENTERED: Final = (topics.CAGE_EVENTS, topics.PROMOTION_EVENTS)
"""Topics of entries by people: a dead letter meant for one of them was rejected here."""
NOT_POSTED: Final = "not_posted"
"""The code of a message on which posting failed, by an error of this program."""
_REJECT: Final = """
INSERT INTO refusals (topic, partition, "offset", at, code, reason, author)
VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING
"""
_REJECTION: Final = (headers.CODE, headers.REASON, headers.AUTHOR)
Placed = list[tuple[LogPosition, Message]]
Rejected = Iterator[tuple[LogPosition, Message, PostingRejected]]
_log = logs.logger(__name__)
E = TypeVar("E", CageEvent, PromotionEvent)


class Ledger:
    """A projection (`runtime.projector`)."""

    def __init__(self, calendar: Calendar, metrics: Metrics, *, prefix: str = "") -> None:
        self._calendar = calendar
        self._prefix = prefix
        self._known: set[int] = set()
        self._opened: set[date] = set()
        self._ends: dict[Partition, int] = {}
        self._posted = metrics.counter("posted", "Messages posted to the ledger.", ["topic"])
        self._rejected = metrics.counter(
            "not_posted", "Messages rejected by posting.", ["topic", "code"]
        )

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(self._prefix + name for name in READ)

    @property
    def keyed(self) -> dict[str, bool]:
        """Topics whose messages in a wrong partition are rejected by another service."""
        names = (topics.SETTLED_ROUNDS, topics.TABLE_EVENTS, topics.FINDINGS)
        return {self._prefix + name: False for name in names}

    def reject(
        self,
        connection: Connection[Any],
        message: Message,
        reason: str,
        readings: Sequence[OffsetRange],
    ) -> None:
        self._forget()
        place = place_of(message)
        topic = place.topic.removeprefix(self._prefix)
        at = max(message.timestamp()[1], 0) * 1000
        row = (topic, place.partition, offset_of(message), at, NOT_POSTED, reason, "")
        with connection.transaction():
            connection.execute(_REJECT, row)
            for reading in readings:
                advance_sync(connection, CONSUMER, reading)

    def take(
        self,
        connection: Connection[Any],
        messages: Sequence[Message],
        readings: Sequence[OffsetRange],
    ) -> None:
        if any(self._ends.get(place_of_reading(reading)) != reading.begin for reading in readings):
            # Not the end of the last batch: another instance took over, or the tables were emptied.
            self._forget()
        batch = LedgerBatch(connection, self._calendar, self._prefix)
        for message in messages:
            place = place_of(message)
            topic = place.topic.removeprefix(self._prefix)
            batch.add(LogPosition(topic, place.partition, offset_of(message)), message)
        try:
            with connection.transaction():
                batch.post(self._note_rejection)
                self._open(connection, batch.rows)
                batch.rows.copy(connection)
                for reading in readings:
                    advance_sync(connection, CONSUMER, reading)
        except BaseException:
            # The rows of this transaction are rolled back.
            self._forget()
            raise
        self._ends |= {place_of_reading(reading): reading.end for reading in readings}
        for topic, taken in batch.sizes():
            self._posted.labels(topic).inc(taken)

    def _forget(self) -> None:
        self._known.clear()
        self._opened.clear()
        self._ends.clear()

    def _note_rejection(self, source: LogPosition, rejected: PostingRejected) -> None:
        self._rejected.labels(source.topic, rejected.code).inc()
        _log.error(
            "not posted",
            topic=source.topic,
            partition=source.partition,
            offset=source.offset,
            code=rejected.code,
            reason=rejected.reason,
        )

    def _open(self, connection: Connection[Any], rows: BatchRows) -> None:
        """Add accounts and partitions of days that are new."""
        if not self._known:
            self._known = {row[0] for row in connection.execute("SELECT id FROM accounts")}
        for row in list(rows.account_rows(self._known)):
            rows.add("accounts", row)
            self._known.add(row[0])
        if fresh := rows.days - self._opened:
            connection.execute("SELECT open_days(%s)", [sorted(fresh)])
            self._opened |= fresh


class LedgerBatch:
    """The messages of one transaction by topic, and the rows they add."""

    def __init__(self, connection: Connection[Any], calendar: Calendar, prefix: str = "") -> None:
        self.rows = BatchRows()
        self._connection = connection
        self._calendar = calendar
        self._meant = {(prefix + name).encode() for name in ENTERED}
        self._messages: dict[str, Placed] = {name: [] for name in READ}

    def add(self, source: LogPosition, message: Message) -> None:
        self._messages[source.topic].append((source, message))

    def sizes(self) -> Iterator[tuple[str, int]]:
        """The number of messages of each topic."""
        for topic, placed in self._messages.items():
            yield topic, len(placed)

    def post(self, note_rejection: Callable[[LogPosition, PostingRejected], None]) -> None:
        for topic, post in (
            (topics.SETTLED_ROUNDS, self._post_rounds),
            (topics.TABLE_EVENTS, self._post_cash),
            (topics.CAGE_EVENTS, self._post_cage),
            (topics.PROMOTION_EVENTS, self._post_desk),
            (topics.FINDINGS, self._post_findings),
        ):
            for source, message, rejected in post(self._messages[topic]):
                note_rejection(source, rejected)
                self._add_rejection(source, message, rejected)
        for source, message in self._messages[topics.DEAD_LETTERS]:
            if header(message, headers.SOURCE_TOPIC) in self._meant:
                words = (_text(message, name) for name in _REJECTION)
                self._add_rejection(source, message, PostingRejected(*words))

    def _add_rejection(
        self, source: LogPosition, message: Message, rejected: PostingRejected
    ) -> None:
        at = max(message.timestamp()[1], 0) * 1000
        place = (source.topic, source.partition, source.offset)
        self.rows.add("refusals", (*place, at, rejected.code, rejected.reason, rejected.author))

    def _post_rounds(self, messages: Placed) -> Rejected:
        posting = RoundPosting(self._connection, self._calendar, self.rows)
        rounds: list[RoundMessage] = []
        for source, message in messages:
            value = message.value() or b""
            try:
                round_ = read_round(value)
                check_key(message, round_.table)
                rounds.append(RoundMessage(round_, sha256(value).digest(), source))
            except PostingRejected as rejected:
                yield source, message, rejected
        for source, reason in posting.post(rounds):
            yield source, _message_of(source, messages), reason

    def _post_cash(self, messages: Placed) -> Rejected:
        posting = CashPosting(self._connection, self._calendar, self.rows)
        for source, message in messages:
            kind = headers.read_kind(header(message, headers.KIND))
            if is_of_no_use(kind, message.value() or b""):
                continue
            key = message.key() or b""
            ingested_at = headers.read_ingested_at(header(message, headers.INGESTED_AT))
            event = read_table_event(
                message.value() or b"",
                table=key.decode("utf-8", "replace"),
                ingested_at=ingested_at,
                waited_us=headers.read_waited_us(header(message, headers.WAITED_US)),
            )
            if event is not None:
                if kind not in {"", MEMBERS[type(event.fact)]}:
                    _log.warning("kind header ignored", kind=kind, offset=source.offset)
                posting.add(event, source)
        for source, reason in posting.post():
            yield source, _message_of(source, messages), reason

    def _post_cage(self, messages: Placed) -> Rejected:
        return self._post_entered(messages, read_cage_event, CagePosting)

    def _post_desk(self, messages: Placed) -> Rejected:
        return self._post_entered(messages, read_promotion_event, PromotionPosting)

    def _post_entered(
        self,
        messages: Placed,
        read: Callable[[bytes], E],
        posting: Callable[[Connection[Any], E], EventPosting],
    ) -> Rejected:
        for source, message in messages:
            value, author = message.value() or b"", ""
            try:
                event = read(value)
                author = plain(event.author)
                posting(self._connection, event).post(self.rows, value, source)
            except PostingRejected as rejected:
                yield source, message, rejected
            except NotBookable as wrong:
                yield source, message, PostingRejected(wrong.code, str(wrong), author)

    def _post_findings(self, messages: Placed) -> Rejected:
        for source, message in messages:
            try:
                found = read_finding(message.value() or b"")
                row = finding_row(found, source, self._calendar)
                check_key(message, row[0])
            except PostingRejected as rejected:
                yield source, message, rejected
            else:
                self.rows.add("findings", row)


def check_key(message: Message, table: str) -> None:
    """Raises `PostingRejected` unless the key is the table of the record."""
    key = message.key() or b""
    if plain(key.decode("utf-8", "replace")) != table:
        raise PostingRejected(UNREADABLE, f"table {table!r} differs from the message key")


def place_of_reading(reading: OffsetRange) -> Partition:
    return Partition(reading.topic, reading.partition)


def _text(message: Message, name: str) -> str:
    return (header(message, name) or b"").decode("utf-8", "replace").replace("\0", "�")


def _message_of(source: LogPosition, messages: Placed) -> Message:
    """Find the message at a position; a linear search, because rejections are rare."""
    return next(message for place, message in messages if place == source)
