"""Accounting as a process, on the run's real servers, and what others say for it to read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import psycopg

from accounting.postgres.batch_writer import COLUMNS
from blackjack.facts import Event, Fact
from blackjack.rulebook.rule_set import FILED
from casino.accounting.v1 import service_pb2 as pb
from casino.accounting.v1.cage_event_pb2 import CageEvent
from casino.accounting.v1.promotion_event_pb2 import PromotionEvent
from casino.accounting.v1.service_pb2_grpc import AccountingServiceStub
from casino.settlement.v1.settled_round_pb2 import SettledRound
from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.partitioner import partition_of
from runtime.kafka.records import Headers, Output
from settlement.kafka.settler import InputMessage, Settler
from table_simulator.days.day import SimulatedDay
from table_simulator.grpc.office_entries import cage_events, promotion_events
from tests.accounting.books import CALENDAR, SERVICE
from tests.stack.broker import Broker
from tests.stack.databases import Database
from tests.stack.service_house import PARTITIONS, SECONDS_MAX, Rows, ServiceHouse, eventually
from wire import headers, topics
from wire.events import encode_event

Frame = tuple[str, bytes, int]
"""A table, the bytes of an event, and when the gateway received it."""


class House(ServiceHouse):
    """Topics, a database, and the process of accounting over them."""

    def __init__(
        self, folder: Path, broker: Broker, database: Database, **environment: str
    ) -> None:
        sizes = dict.fromkeys(
            (topics.TABLE_EVENTS, topics.SETTLED_ROUNDS, topics.FINDINGS), PARTITIONS
        )
        sizes |= dict.fromkeys(
            (topics.CAGE_EVENTS, topics.PROMOTION_EVENTS, topics.CATALOGUE, topics.DEAD_LETTERS), 1
        )
        super().__init__(SERVICE, folder, broker, database, sizes=sizes, environment=environment)
        self._settling: Settler | None = None
        self._ends = dict.fromkeys(range(PARTITIONS), 0)
        self._seqs: dict[str, int] = {}
        self._producer = make_producer(producer_configuration(broker.bootstrap))

    # Those who ask --------------------------------------------------------------------

    @asynccontextmanager
    async def stub(self, kind: str = "operator", name: str = "test") -> AsyncIterator[Any]:
        async with self.channel(kind, name) as channel:
            yield AccountingServiceStub(channel)

    def call(self, method: str, request: Any, *roles: str, subject: str = "ada") -> Any:
        """By an operator; with roles, by the console for a person who has them."""

        async def run() -> Any:
            kind, name = ("service", "console") if roles else ("operator", "test")
            metadata = (self.token(*roles, subject=subject),) if roles else ()
            async with self.stub(kind, name) as stub:
                return await getattr(stub, method)(request, metadata=metadata)

        return asyncio.run(run())

    def record(self, event: CageEvent, *roles: str, subject: str = "ada") -> pb.RecordResponse:
        answer: pb.RecordResponse = self.call(
            "Record", pb.RecordRequest(event=event), *roles, subject=subject
        )
        return answer

    def promote(self, event: PromotionEvent, *roles: str) -> pb.RecordPromotionResponse:
        answer: pb.RecordPromotionResponse = self.call(
            "RecordPromotion", pb.RecordPromotionRequest(event=event), *roles
        )
        return answer

    def caught_up(self) -> None:
        """Until the ledger has all that was said by now."""
        eventually(lambda: self.call("GetStatus", pb.GetStatusRequest()).lag == 0)

    def rebuild(self) -> list[pb.RebuildResponse]:
        async def run() -> list[pb.RebuildResponse]:
            async with self.stub() as stub:
                return [answer async for answer in stub.Rebuild(pb.RebuildRequest())]

        return asyncio.run(run())

    def dump(self) -> Rows:
        """The whole ledger."""
        return self.rows_of(*COLUMNS)

    def ask(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.database.url) as connection:
            connection.execute(f"SET search_path = {SERVICE}".encode())
            return connection.execute(query.encode(), values).fetchall()

    # What others say ------------------------------------------------------------------

    def report(self, table: str, at: int, *facts: Fact) -> None:
        """Facts of a table, a second after one another; settlement says nothing of them."""
        for fact in facts:
            seq = self._seqs[table] = self._seqs.get(table, 0) + 1
            event = Event(table, seq, at + (seq - 1) * 1_000_000, fact)
            known: Headers = [(headers.INGESTED_AT, headers.write_ingested_at(event.at))]
            self.write(
                [
                    Output(
                        self.topic(topics.TABLE_EVENTS),
                        encode_event(event),
                        table.encode(),
                        -1,
                        known,
                    )
                ]
            )

    def say_round(self, said: SettledRound) -> None:
        value = said.SerializeToString(deterministic=True)
        self.write([Output(self.topic(topics.SETTLED_ROUNDS), value, said.table_id.encode())])

    def settle(self, frames: Sequence[Frame]) -> None:
        """Events into the log, and what settlement's own code makes of them."""
        if self._settling is None:
            self._settling = Settler(FILED, refold_max=10**9, topic_of=self.topic)
            for partition in range(PARTITIONS):
                self._settling.open(partition)
        inputs = []
        for table, data, ingested_at in frames:
            partition = partition_of(table.encode(), PARTITIONS)
            known: Headers = [(headers.INGESTED_AT, headers.write_ingested_at(ingested_at))]
            inputs.append(
                InputMessage(partition, self._ends[partition], table.encode(), data, known)
            )
            self._ends[partition] += 1
        events = self.topic(topics.TABLE_EVENTS)
        self.write(Output(events, i.value, i.key, i.partition, i.headers) for i in inputs)
        meant = {self.topic(topics.SETTLED_ROUNDS), self.topic(topics.FINDINGS)}
        self.write(output for output in self._settling.settle(inputs) if output.topic in meant)

    def play(self, day: SimulatedDay, *, floor: str = "T") -> None:
        """A whole day, as if it had been entered by now: tables, cage and promotions desk."""
        desk = [
            dated(promotion_event, promotion_event.at.ToMicroseconds())
            for promotion_event in promotion_events(day.desk, floor=floor)
        ]
        self._append(topics.PROMOTION_EVENTS, desk)
        self.settle(
            [(f.stream, f.data, f.ingested_at) for f in day.frames if f.stream in day.tables]
        )
        cage = []
        for cage_event in cage_events(day.cage, floor=floor):
            at = cage_event.at.ToMicroseconds()
            if cage_event.WhichOneof("fact") == "drop_counted":
                at -= 60 * 60 * 1_000_000
            cage.append(dated(cage_event, at))
        self._append(topics.CAGE_EVENTS, cage)

    def _append(self, topic: str, events: Iterable[CageEvent | PromotionEvent]) -> None:
        self.write(Output(self.topic(topic), event.SerializeToString()) for event in events)

    def write(self, outputs: Iterable[Output]) -> None:
        for topic, value, key, partition, known in outputs:
            self._producer.produce(topic, value, key, partition, headers=known)
            self._producer.poll(0)
        assert self._producer.flush(SECONDS_MAX) == 0


E = TypeVar("E", CageEvent, PromotionEvent)


def dated(event: E, at: int) -> E:
    event.gaming_day = CALENDAR.day_of(at).isoformat()
    return event
