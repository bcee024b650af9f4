"""The events of one round, read from table-events, at the offsets that the index knows.

The headers of a settled round state which event caused it, so the index knows where each round of a
table ended. The events of a round are between the end of an earlier round and the event that caused
the requested version; late ones are there too, because their version came after them. Earlier
rounds that were themselves settled late may have ended in the middle of this one: if its first
event is not in the range, the range begins further back.
"""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition
from google.protobuf.message import DecodeError

from casino.table.v1.event_pb2 import TableEvent
from round_archive.grpc.errors import EventsMissing
from runtime.database.query import Database, Row
from runtime.kafka.brokers import Bootstrap
from runtime.kafka.configuration import consumer_configuration, make_consumer
from runtime.kafka.errors import ConsumerLost, check_consumed, error_of
from runtime.kafka.records import header, offset_of
from runtime.query_errors import KafkaUnavailable
from runtime.tracing import TRACEPARENT
from wire import headers, topics

ROUNDS_BACK: Final = (2, 16, 256)
"""How many rounds back the range begins, tried in turn; then the beginning of the partition."""
_BATCH: Final = 10_000
_WAIT_SECONDS_MAX: Final = 5.0

_ENDS_BEFORE: Final = """
SELECT min(source_offset) AS begin, count(*) AS rounds FROM (
    SELECT source_offset FROM rounds
    WHERE table_id = %(table_id)s AND opening_seq < %(opening_seq)s
        AND source_partition = %(source_partition)s
    ORDER BY opening_seq DESC LIMIT %(back)s
) before
"""


class LoggedEvent(NamedTuple):
    """An event of a table as the log has it."""

    partition: int
    offset: int
    value: bytes
    ingested_at: int
    """Microseconds since 1970; 0 where it passed no gateway."""
    waited_us: int
    """How long it had been at its controller when it was sent."""
    traceparent: str
    """The value of its header; empty without one."""


class RoundEventReader:
    """Reads ranges of table-events; each of its threads keeps a consumer, which is fast."""

    def __init__(self, bootstrap: Bootstrap, *, prefix: str = "", readers_max: int = 4) -> None:
        self._bootstrap = bootstrap
        self._topic = prefix + topics.TABLE_EVENTS
        self._threads = ThreadPoolExecutor(readers_max, thread_name_prefix="log")
        self._own = threading.local()

    async def read(self, table: str, partition: int, begin: int, last: int) -> list[LoggedEvent]:
        """The events under the key of a table from offset `begin` to `last`, both included."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(
                self._threads, self._read, table.encode(), partition, begin, last
            )
        except KafkaException as failed:
            raise KafkaUnavailable(error_of(failed).str()) from None
        except ConsumerLost as failed:
            raise KafkaUnavailable(str(failed)) from None

    def _read(self, key: bytes, partition: int, begin: int, last: int) -> list[LoggedEvent]:
        consumer = self._consumer()
        found: list[LoggedEvent] = []
        consumer.assign([TopicPartition(self._topic, partition, begin)])
        try:
            at = begin
            while at <= last:
                messages = consumer.consume(min(last + 1 - at, _BATCH), _WAIT_SECONDS_MAX)
                if not messages:
                    raise KafkaException(KafkaError(KafkaError._TIMED_OUT))
                for message in messages:
                    error = message.error()
                    if error is not None:
                        if error.code() == KafkaError._PARTITION_EOF:
                            return found
                        check_consumed(error)
                        continue
                    at = offset_of(message) + 1
                    if at <= last + 1 and message.key() == key:
                        ingested = headers.read_ingested_at(header(message, headers.INGESTED_AT))
                        waited = headers.read_waited_us(header(message, headers.WAITED_US))
                        trace = (header(message, TRACEPARENT) or b"").decode("ascii", "replace")
                        value = message.value() or b""
                        found.append(LoggedEvent(partition, at - 1, value, ingested, waited, trace))
            return found
        finally:
            consumer.unassign()

    def _consumer(self) -> Consumer:
        if not hasattr(self._own, "consumer"):
            configuration = consumer_configuration(self._bootstrap, group="replays")
            # Behind a range at the end of the log the brokers would wait for more messages, and
            # delay the next range.
            hasty = {"fetch.wait.max.ms": 1, "enable.partition.eof": True}
            self._own.consumer = make_consumer({**configuration, **hasty})
        found: Consumer = self._own.consumer
        return found


async def read_round(
    log: RoundEventReader, database: Database, found: Row, versions: list[Row], version: int
) -> list[LoggedEvent]:
    """All events of the table in the range of a round, in the order of the log.

    `found` is the round's row, `versions` all of its versions: the range ends with the event that
    caused `version`. Events of neighboring rounds are among them.
    """
    sources = [
        (row["source_partition"], row["source_offset"])
        for row in versions
        if row["version"] <= version and row["counts"] and row["source_offset"] is not None
    ]
    if not sources:
        raise EventsMissing(found["round"], "the place of its events is not known")
    partition, last = max(sources, key=lambda source: source[1])
    values = {**found, "source_partition": partition}
    for back in (*ROUNDS_BACK, None):
        begin, whole = 0, True
        if back is not None:
            (row,) = await database.fetch(_ENDS_BEFORE, {**values, "back": back})
            if row["rounds"] == back:
                begin, whole = min(row["begin"], last), False
        events = await log.read(found["table_id"], partition, begin, last)
        if whole or any(_seq(event.value) == found["first_seq"] for event in events):
            break
    else:  # pragma: no cover - the last attempt is whole
        events = []
    if not any(_seq(event.value) == found["first_seq"] for event in events):
        raise EventsMissing(found["round"], f"event {found['first_seq']} is not in the log")
    return events


def _seq(value: bytes) -> int:
    try:
        return TableEvent.FromString(value).table_seq
    except DecodeError:
        return 0
