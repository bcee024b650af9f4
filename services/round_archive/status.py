"""How things stand: the log, settlement and the index, each asked where it is known."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from confluent_kafka import Consumer, KafkaException, TopicPartition

from casino.settlement.v1.service_pb2 import GetStatusRequest, GetStatusResponse, KindCount
from round_archive.asking import Database
from round_archive.criteria import time_of
from round_archive.errors import KafkaAway
from round_archive.indexer import READ
from round_archive.store import CONSUMER
from runtime.kafka.configuration import consumer_configuration, make_consumer
from runtime.kafka.errors import error_of
from runtime.kafka.reading import NoSuchTopic, partitions_of
from runtime.kafka.records import header
from runtime.positions import Partition
from wire import headers, topics
from wire.vocabulary import write_time

SETTLEMENT: Final = "settlement"
"""The consumer group of settlement, after the prefix of topics."""
_SECONDS_MAX: Final = 5.0
SAID: Final = (topics.SETTLED_ROUNDS, topics.FINDINGS, topics.DEAD_LETTERS)
"""What the index is made of; table-events only adds definitions to it."""

_POSITIONS: Final = """
SELECT topic, partition, next_offset FROM consumed_positions WHERE consumer = %s
"""
_COUNTS: Final = """
SELECT what, count(*) AS tables, sum(count)::bigint AS count FROM counts GROUP BY what
"""
_KINDS: Final = """
SELECT kind, min(level) AS level, count(*) AS count FROM findings
WHERE at >= %s AND withdrawal IS NULL GROUP BY kind ORDER BY min(level), kind
"""
_REBUILD: Final = "SELECT topic, partition, end_offset FROM rebuilds"


@dataclass(frozen=True, slots=True)
class LogState:
    """Where the topics end, how far settlement is, and the last event there is."""

    ends: dict[Partition, int]
    events: int
    settlement_lag: int
    last_event_at: int
    last_event_table: str


class Status:
    def __init__(self, database: Database, bootstrap: str, prefix: str) -> None:
        self._database = database
        self._bootstrap = bootstrap
        self._prefix = prefix

    async def get(self, request: GetStatusRequest) -> GetStatusResponse:
        if request.HasField("since"):
            since = time_of("since", request.since)
        else:
            today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
            since = int(today.timestamp()) * 1_000_000
        # The index first: whatever comes meanwhile makes the lag too large and never negative.
        positions = await self.positions()
        counts = {row["what"]: row for row in await self._database.ask(_COUNTS)}
        kinds = await self._database.ask(_KINDS, [since])
        rebuild = await self._database.ask(_REBUILD)
        log = await self.log()
        none: dict[str, Any] = {"tables": 0, "count": 0}
        return GetStatusResponse(
            events=log.events,
            settlement_lag=log.settlement_lag,
            index_lag=sum(
                max(end - positions.get(place, 0), 0)
                for place, end in log.ends.items()
                if place.topic.removeprefix(self._prefix) in SAID
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
        )

    async def positions(self) -> dict[Partition, int]:
        """How far the index has read."""
        rows = await self._database.ask(_POSITIONS, [CONSUMER])
        return {Partition(row["topic"], row["partition"]): row["next_offset"] for row in rows}

    async def log(self) -> LogState:
        try:
            return await asyncio.to_thread(self._log)
        except KafkaException as failed:
            raise KafkaAway(error_of(failed).str()) from None
        except NoSuchTopic as missing:
            raise KafkaAway(str(missing)) from None

    def _log(self) -> LogState:
        group = self._prefix + SETTLEMENT
        # Of the group only by name: it never joins it, and commits nothing.
        configuration = consumer_configuration(self._bootstrap, group=group, read_uncommitted=True)
        consumer = make_consumer({**configuration, "queued.min.messages": 1})
        try:
            bounds: dict[Partition, tuple[int, int]] = {}
            for name in (self._prefix + each for each in READ):
                for number in range(partitions_of(consumer, name)):
                    place = TopicPartition(name, number)
                    bounds[Partition(name, number)] = consumer.get_watermark_offsets(
                        place, timeout=_SECONDS_MAX
                    )
            events = {
                place: bound
                for place, bound in bounds.items()
                if place.topic == self._prefix + topics.TABLE_EVENTS
            }
            committed = consumer.committed(
                [TopicPartition(*place) for place in events], timeout=_SECONDS_MAX
            )
            settled = {Partition(each.topic, each.partition): each.offset for each in committed}
            at, table = _last_event(consumer, {p: end for p, (_, end) in events.items()})
            return LogState(
                ends={place: end for place, (_, end) in bounds.items()},
                events=sum(end - begin for begin, end in events.values()),
                settlement_lag=sum(
                    max(end - max(settled[place], begin), 0)
                    for place, (begin, end) in events.items()
                ),
                last_event_at=at,
                last_event_table=table,
            )
        finally:
            consumer.close()


def _last_event(consumer: Consumer, ends: dict[Partition, int]) -> tuple[int, str]:
    """When the latest event came in, and of which table: the last of some partition."""
    left = {place: end - 1 for place, end in ends.items() if end}
    consumer.assign([TopicPartition(*place, offset) for place, offset in left.items()])
    latest = (0, "")
    while left:
        messages = consumer.consume(len(left), 1.0)
        if not messages:
            break  # what is not told soon is not told
        for message in messages:
            left.pop(Partition(message.topic() or "", message.partition() or 0), None)
            if message.error() is None:
                ingested = headers.read_ingested_at(header(message, headers.INGESTED_AT))
                at = ingested or max(message.timestamp()[1], 0) * 1000
                latest = max(latest, (at, (message.key() or b"").decode("utf-8", "replace")))
    return latest
