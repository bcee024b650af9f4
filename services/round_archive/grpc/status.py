"""How things stand: the log, settlement and the index, each asked where it is known."""

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
"""What the index is made of; table-events only adds definitions to it."""
_AWAY: Final = {KafkaError._TIMED_OUT, KafkaError._TRANSPORT, KafkaError._ALL_BROKERS_DOWN}
_log = logs.logger(__name__)

_POSITIONS: Final = """
SELECT topic, partition, next_offset FROM consumed_positions WHERE consumer = %s
"""
_COUNTS: Final = """
SELECT what, count(*) AS tables, sum(count)::bigint AS count FROM counts GROUP BY what
"""
_KINDS: Final = """
SELECT kind, min(level) AS level, count(*) AS count FROM findings f
WHERE at >= %s AND withdrawal IS NULL {more} GROUP BY kind ORDER BY min(level), kind
"""
_QUARANTINED: Final = """
WITH aside AS (
    SELECT table_id, at, substring(source from '[0-9]+$')::bigint AS event
    FROM dead_letters WHERE code = 'quarantined'
), settled AS (
    SELECT table_id, greatest(
        (SELECT max(source_offset) FROM round_versions r WHERE r.table_id = t.table_id),
        (SELECT max(source_offset) FROM findings f WHERE f.table_id = t.table_id)
    ) AS event
    FROM (SELECT DISTINCT table_id FROM aside) t
)
SELECT table_id, min(aside.at) AS since FROM aside JOIN settled USING (table_id)
WHERE aside.event > coalesce(settled.event, -1)
  AND NOT EXISTS (
      SELECT FROM aside other WHERE other.table_id = aside.table_id AND other.event = settled.event
  )
GROUP BY table_id ORDER BY table_id
"""
"""Tables with events set aside after all that was settled of them. What a quarantine withheld is
said once it is lifted: then an event that was set aside has been settled after all."""
_REBUILD: Final = "SELECT topic, partition, end_offset FROM rebuilds"


@dataclass(frozen=True, slots=True)
class LogState:
    """Where the topics end, how far settlement is, and the last event there is."""

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
        # The index first: whatever comes meanwhile makes the lag too large and never negative.
        positions = await self.positions()
        counts = {row["what"]: row for row in await self._database.ask(_COUNTS)}
        more = "" if with_masked else f"AND NOT {MASKED}"
        kinds = await self._database.ask(_KINDS.format(more=more), [since])
        rebuild = await self._database.ask(_REBUILD)
        quarantined = await self._database.ask(_QUARANTINED)
        log = await self.log()
        none: dict[str, Any] = {"tables": 0, "count": 0}
        return GetStatusResponse(
            events=log.events,
            settlement_lag=log.settlement_lag,
            index_lag=sum(
                max(end - positions.get(place, 0), 0)
                for place, end in log.ends.items()
                if place.topic.removeprefix(self._prefix) in INDEXED
            ),
            last_event_at=write_time(log.last_event_at),
            last_event_table=log.last_event_table,
            tables=counts.get("rounds", none)["tables"],
            rounds=counts.get("rounds", none)["count"],
            findings=[
                KindCount(kind=row["kind"], level=row["level"], count=row["count"]) for row in kinds
            ],
            dead_letters=counts.get("dead letters", none)["count"],
            rebuilding=any(
                positions.get(Partition(row["topic"], row["partition"]), 0) < row["end_offset"]
                for row in rebuild
            ),
            quarantined=[
                QuarantinedTable(table_id=row["table_id"], since=write_time(row["since"]))
                for row in quarantined
            ],
        )

    async def positions(self) -> dict[Partition, int]:
        """How far the index has read."""
        rows = await self._database.ask(_POSITIONS, [CONSUMER])
        return {Partition(row["topic"], row["partition"]): row["next_offset"] for row in rows}

    async def log(self) -> LogState:
        try:
            return await asyncio.to_thread(self._log_state)
        except KafkaException as failed:
            raise KafkaUnavailable(error_of(failed).str()) from None
        except NoSuchTopic as missing:
            raise KafkaUnavailable(str(missing)) from None

    def _log_state(self) -> LogState:
        """After a failure with new clients: the old ones may believe in leaders that are none any
        more, and every broker would refuse them from then on. At once, unless nobody answers."""
        with self._one_at_a_time:
            for is_last in (False, True):
                try:
                    return self._ask(*self._clients())
                except KafkaException as failed:
                    self._forget()
                    error = error_of(failed)
                    if is_last or error.code() in _AWAY:
                        raise
                    _log.warning("asking again with new clients", reason=error.str())
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

    def _ask(self, admin: AdminClient, consumer: Consumer) -> LogState:
        places = [
            TopicPartition(name, number)
            for name in (self._prefix + each for each in READ)
            for number in range(partitions_of(consumer, name))
        ]
        events = [each for each in places if each.topic == self._prefix + topics.TABLE_EVENTS]
        begins = _offsets(admin, events, _EARLIEST)
        ends = _offsets(admin, places, _LATEST)
        committed = consumer.committed(events, timeout=_SECONDS_MAX)
        settled = {Partition(each.topic, each.partition): each.offset for each in committed}
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
        # Of settlement's group by name only: it never joins it, and commits nothing.
        configuration = consumer_configuration(
            self._bootstrap, group=self._prefix + SETTLEMENT, read_uncommitted=True
        )
        return make_consumer({**configuration, "queued.min.messages": 1, "fetch.wait.max.ms": 1})


def _offsets(
    admin: AdminClient, places: list[TopicPartition], spec: OffsetSpec
) -> dict[Partition, int]:
    """All of them with one question to each broker."""
    asked = admin.list_offsets(dict.fromkeys(places, spec), request_timeout=_SECONDS_MAX)
    return {
        Partition(place.topic, place.partition): answer.result().offset
        for place, answer in asked.items()
    }


def _last_event(consumer: Consumer, ends: dict[Partition, int]) -> tuple[int, str]:
    """When the latest event came in, and of which table: the last of some partition."""
    left = {place: end - 1 for place, end in ends.items() if end}
    latest = (0, "")
    consumer.assign([TopicPartition(*place, offset) for place, offset in left.items()])
    while left:
        messages = consumer.consume(1, 1.0)
        if not messages:
            break  # what is not told soon is not told
        for message in messages:
            left.pop(Partition(message.topic() or "", message.partition() or 0), None)
            if message.error() is None:
                ingested = headers.read_ingested_at(header(message, headers.INGESTED_AT))
                at = ingested or max(message.timestamp()[1], 0) * 1000
                latest = max(latest, (at, (message.key() or b"").decode("utf-8", "replace")))
    consumer.unassign()
    return latest
