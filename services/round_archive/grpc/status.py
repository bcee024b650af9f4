"""The state of the log, of settlement and of the index, each from its own source."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition
from confluent_kafka.admin import AdminClient, OffsetSpec

from casino.settlement.v1.service_pb2 import (
    GetStatusRequest,
    GetStatusResponse,
    KindCount,
    QuarantinedTable,
)
from round_archive.grpc.finding_queries import MASKED
from round_archive.kafka.index_projection import READ
from round_archive.postgres.index_writer import CONSUMER
from round_archive.postgres.round_filters import time_of
from runtime import logs
from runtime.database.query import Database
from runtime.database.rebuild import count_unread, is_rebuilding, read_offsets
from runtime.kafka.brokers import Bootstrap, reaching
from runtime.kafka.configuration import consumer_configuration, make_consumer
from runtime.kafka.errors import error_of
from runtime.kafka.records import header
from runtime.kafka.topic_reader import NoSuchTopic, partitions_of
from runtime.positions import Partition
from runtime.query_errors import KafkaUnavailable
from wire import headers, topics
from wire.vocabulary import write_time

SETTLEMENT: Final = "settlement"
"""The consumer group of settlement, after the prefix of topics."""
_SECONDS_MAX: Final = 5.0
_EARLIEST: Final[OffsetSpec] = OffsetSpec.earliest()  # type: ignore[no-untyped-call]
_LATEST: Final[OffsetSpec] = OffsetSpec.latest()  # type: ignore[no-untyped-call]
INDEXED: Final = (topics.SETTLED_ROUNDS, topics.FINDINGS, topics.DEAD_LETTERS)
"""The topics of the index; table-events only adds definitions to it."""
_AWAY: Final = {KafkaError._TIMED_OUT, KafkaError._TRANSPORT, KafkaError._ALL_BROKERS_DOWN}
_log = logs.logger(__name__)

_COUNTS: Final = """
SELECT what, count(*) AS tables, sum(count)::bigint AS count FROM counts GROUP BY what
"""
_KINDS: Final = """
SELECT kind, min(level) AS level, count(*) AS count FROM findings f
WHERE at >= %s AND withdrawal IS NULL {more} GROUP BY kind ORDER BY min(level), kind
"""
_QUARANTINED: Final = """
WITH withheld AS (
    SELECT table_id, at, substring(source from '[0-9]+$')::bigint AS event
    FROM dead_letters WHERE code = 'quarantined'
), settled AS (
    SELECT table_id, greatest(
        (SELECT max(source_offset) FROM round_versions r WHERE r.table_id = t.table_id),
        (SELECT max(source_offset) FROM findings f WHERE f.table_id = t.table_id)
    ) AS event
    FROM (SELECT DISTINCT table_id FROM withheld) t
)
SELECT table_id, min(withheld.at) AS since FROM withheld JOIN settled USING (table_id)
WHERE withheld.event > coalesce(settled.event, -1)
  AND NOT EXISTS (
      SELECT FROM withheld other
      WHERE other.table_id = withheld.table_id AND other.event = settled.event
  )
GROUP BY table_id ORDER BY table_id
"""
"""Tables with quarantined events after the last settled one. Once a quarantine is lifted its events
are settled: then one of them is among the settled events."""


@dataclass(frozen=True, slots=True)
class LogState:
    """The ends of the topics, the lag of settlement, and the last event in the log."""

    ends: dict[Partition, int]
    events: int
    settlement_lag: int
    last_event_at: int
    last_event_table: str


class ArchiveStatus:
    def __init__(self, database: Database, bootstrap: Bootstrap, prefix: str) -> None:
        self._database = database
        self._bootstrap = bootstrap
        self._prefix = prefix
        self._admin: AdminClient | None = None
        self._one_at_a_time = threading.Lock()
        self._consumer: Consumer | None = None

    async def get(self, request: GetStatusRequest, *, with_masked: bool) -> GetStatusResponse:
        """`with_masked`: whether findings that are masked are counted."""
        if request.HasField("since"):
            since = time_of("since", request.since)
        else:
            today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
            since = int(today.timestamp()) * 1_000_000
        # The index first: messages that arrive meanwhile make the lag too large, never negative.
        positions = await self.positions()
        counts = {row["what"]: row for row in await self._database.fetch(_COUNTS)}
        more = "" if with_masked else f"AND NOT {MASKED}"
        kinds = await self._database.fetch(_KINDS.format(more=more), [since])
        quarantined = await self._database.fetch(_QUARANTINED)
        log = await self.log()
        none: dict[str, Any] = {"tables": 0, "count": 0}
        return GetStatusResponse(
            events=log.events,
            settlement_lag=log.settlement_lag,
            index_lag=count_unread(
                positions,
                {
                    at: end
                    for at, end in log.ends.items()
                    if at.topic.removeprefix(self._prefix) in INDEXED
                },
            ),
            last_event_at=write_time(log.last_event_at),
            last_event_table=log.last_event_table,
            tables=counts.get("rounds", none)["tables"],
            rounds=counts.get("rounds", none)["count"],
            findings=[
                KindCount(kind=row["kind"], level=row["level"], count=row["count"]) for row in kinds
            ],
            dead_letters=counts.get("dead letters", none)["count"],
            rebuilding=await is_rebuilding(self._database, positions),
            quarantined=[
                QuarantinedTable(table_id=row["table_id"], since=write_time(row["since"]))
                for row in quarantined
            ],
        )

    async def positions(self) -> dict[Partition, int]:
        """The next offset of each partition of the index."""
        return await read_offsets(self._database, CONSUMER)

    async def log(self) -> LogState:
        try:
            return await asyncio.to_thread(self._log_state)
        except KafkaException as failed:
            raise KafkaUnavailable(error_of(failed).str()) from None
        except NoSuchTopic as missing:
            raise KafkaUnavailable(str(missing)) from None

    def _log_state(self) -> LogState:
        """After a failure, try once more with new clients: the old ones may know former leaders
        only, and every broker would reject them from then on. Not if no broker answers."""
        with self._one_at_a_time:
            for is_last in (False, True):
                try:
                    return self._query(*self._clients())
                except KafkaException as failed:
                    self._forget()
                    error = error_of(failed)
                    if is_last or error.code() in _AWAY:
                        raise
                    _log.warning("query repeated with new clients", reason=error.str())
            raise AssertionError("the last attempt answers or raises")

    def _clients(self) -> tuple[AdminClient, Consumer]:
        if self._admin is None or self._consumer is None:
            self._admin = AdminClient({**reaching(self._bootstrap), "log_level": 2})
            self._consumer = self._open()
        return self._admin, self._consumer

    def _forget(self) -> None:
        consumer, self._admin, self._consumer = self._consumer, None, None
        if consumer is not None:
            consumer.close()

    def _query(self, admin: AdminClient, consumer: Consumer) -> LogState:
        places = [
            TopicPartition(name, number)
            for name in (self._prefix + topic for topic in READ)
            for number in range(partitions_of(consumer, name))
        ]
        events = [at for at in places if at.topic == self._prefix + topics.TABLE_EVENTS]
        begins = _offsets(admin, events, _EARLIEST)
        ends = _offsets(admin, places, _LATEST)
        committed = consumer.committed(events, timeout=_SECONDS_MAX)
        settled = {Partition(at.topic, at.partition): at.offset for at in committed}
        at, table = _last_event(consumer, {place: ends[place] for place in begins})
        return LogState(
            ends=ends,
            events=sum(ends[place] - begin for place, begin in begins.items()),
            settlement_lag=sum(
                max(ends[place] - max(settled[place], begin), 0) for place, begin in begins.items()
            ),
            last_event_at=at,
            last_event_table=table,
        )

    def _open(self) -> Consumer:
        # In settlement's group by name only: it never joins it, and commits nothing.
        configuration = consumer_configuration(
            self._bootstrap, group=self._prefix + SETTLEMENT, read_uncommitted=True
        )
        return make_consumer({**configuration, "queued.min.messages": 1, "fetch.wait.max.ms": 1})


def _offsets(
    admin: AdminClient, places: list[TopicPartition], spec: OffsetSpec
) -> dict[Partition, int]:
    """The offsets of all partitions with one request to each broker."""
    requests = admin.list_offsets(dict.fromkeys(places, spec), request_timeout=_SECONDS_MAX)
    return {
        Partition(place.topic, place.partition): request.result().offset
        for place, request in requests.items()
    }


def _last_event(consumer: Consumer, ends: dict[Partition, int]) -> tuple[int, str]:
    """Ingest time and table of the latest event: the last one of some partition."""
    left = {place: end - 1 for place, end in ends.items() if end}
    latest = (0, "")
    consumer.assign([TopicPartition(*place, offset) for place, offset in left.items()])
    while left:
        messages = consumer.consume(1, 1.0)
        if not messages:
            break  # the status does not wait for a slow broker
        for message in messages:
            left.pop(Partition(message.topic() or "", message.partition() or 0), None)
            if message.error() is None:
                ingested = headers.read_ingested_at(header(message, headers.INGESTED_AT))
                at = ingested or max(message.timestamp()[1], 0) * 1000
                latest = max(latest, (at, (message.key() or b"").decode("utf-8", "replace")))
    consumer.unassign()
    return latest
