"""Accounting as a process, on the run's real servers, and what others say for it to read."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import grpc
import psycopg
from grpc_health.v1 import health_pb2

from accounting.rows import COLUMNS
from blackjack.facts import Event, Fact
from blackjack.rule_set import FILED
from casino.accounting.v1 import service_pb2 as pb
from casino.accounting.v1.cage_event_pb2 import CageEvent
from casino.accounting.v1.promotion_event_pb2 import PromotionEvent
from casino.accounting.v1.service_pb2_grpc import AccountingServiceStub
from casino.settlement.v1.settled_round_pb2 import SettledRound
from provisioning.topics import Topic, ensure_topics
from runtime.addresses import Address
from runtime.identity.authority import open_authority
from runtime.identity.credentials import Credentials
from runtime.identity.names import Name
from runtime.identity.tokens import PUBLIC_KEY, open_token_issuer
from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.partitioning import partition_of
from runtime.kafka.records import Headers, Output
from runtime.rpc.access import bearer
from runtime.rpc.client import connect
from settlement.settling import Input, Settling
from table_simulator.day import Day
from table_simulator.offices import cage_events, promotion_events
from tests.accounting.books import CALENDAR, SERVICE, urls
from tests.stack.broker import Broker
from tests.stack.databases import Database
from wire import headers, topics
from wire.events import encode_event

SECONDS_MAX = 60.0
PARTITIONS = 3

Frame = tuple[str, bytes, int]
"""A table, the bytes of an event, and when the gateway received it."""


def eventually(holds: Callable[[], bool], seconds_max: float = SECONDS_MAX) -> None:
    deadline = time.monotonic() + seconds_max
    while not holds():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.05)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class House:
    """Topics, a database, and the process of accounting over them."""

    def __init__(
        self, folder: Path, broker: Broker, database: Database, **environment: str
    ) -> None:
        self.folder = folder
        self.broker = broker
        self.prefix = broker.prefix
        self.database = database
        self.environment = environment
        self.process: subprocess.Popen[bytes] | None = None
        self.address = Address("127.0.0.1", 0)
        self._settling: Settling | None = None
        self._ends = dict.fromkeys(range(PARTITIONS), 0)
        self._seqs: dict[str, int] = {}
        sizes = dict.fromkeys(
            (topics.TABLE_EVENTS, topics.SETTLED_ROUNDS, topics.FINDINGS), PARTITIONS
        )
        sizes |= dict.fromkeys(
            (topics.CAGE_EVENTS, topics.PROMOTION_EVENTS, topics.CATALOGUE, topics.DEAD_LETTERS), 1
        )
        made = [Topic(self.topic(n), size, topics.configuration(n)) for n, size in sizes.items()]
        broker._made += ensure_topics(broker.admin, made).made
        self._producer = make_producer(producer_configuration(broker.bootstrap))

    def topic(self, name: str) -> str:
        return self.prefix + name

    # The process ----------------------------------------------------------------------

    def start(self, *, wait: bool = True, may_migrate: bool = True) -> None:
        ports = [free_port() for _ in range(3)]
        names = ("RPC_ADDRESS", "METRICS_ADDRESS", "HEALTH_ADDRESS")
        self.address = Address("127.0.0.1", ports[0])
        self.health = f"127.0.0.1:{ports[2]}"
        application, migration = urls(self.database.url)
        open_authority(self.folder / "authority")
        open_token_issuer(self.folder / "authority", issuer="console")
        settings = {
            **{name: f"127.0.0.1:{port}" for name, port in zip(names, ports, strict=True)},
            "PATH": os.environ["PATH"],
            "KAFKA_BOOTSTRAP": self.broker.bootstrap,
            "TOPIC_PREFIX": self.prefix,
            "DATABASE_URL": application,
            **({"DATABASE_MIGRATION_URL": migration} if may_migrate else {}),
            "IDENTITY_FOLDER": str(self.folder / "accounting"),
            "AUTHORITY_FOLDER": str(self.folder / "authority"),
            "PEOPLE_KEY": str(self.folder / "authority" / PUBLIC_KEY),
            "LOG_LEVEL": "info",
            **self.environment,
        }
        with (self.folder / "accounting.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", SERVICE], env=settings, stderr=log
            )
        if wait:
            eventually(self.is_ready)

    def is_ready(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log
        with grpc.insecure_channel(self.health) as channel:
            check = channel.unary_unary(
                "/grpc.health.v1.Health/Check",
                request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
                response_deserializer=health_pb2.HealthCheckResponse.FromString,
            )
            try:
                answer = check(health_pb2.HealthCheckRequest(service="ready"), timeout=1)
            except grpc.RpcError:
                return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)

    @property
    def log(self) -> str:
        return (self.folder / "accounting.log").read_text("utf-8")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def stop(self) -> int:
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(SECONDS_MAX)

    # Those who ask --------------------------------------------------------------------

    def credentials(self, kind: str = "operator", name: str = "test") -> Credentials:
        folder = self.folder / f"{kind}-{name}"
        return Credentials(Name(kind, name), folder, self.folder / "authority")

    @asynccontextmanager
    async def stub(self, kind: str = "operator", name: str = "test") -> AsyncIterator[Any]:
        async with connect(
            SERVICE, self.address, self.credentials(kind, name), deadline_seconds=SECONDS_MAX
        ) as channel:
            yield AccountingServiceStub(channel)

    def token(self, *roles: str, subject: str = "ada") -> tuple[str, str]:
        """With which the console calls for a person."""
        issuer = open_token_issuer(self.folder / "authority", issuer="console")
        return bearer(issuer.issue(subject, frozenset(roles), now=datetime.now(UTC)))

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
                return [each async for each in stub.Rebuild(pb.RebuildRequest())]

        return asyncio.run(run())

    def dump(self) -> dict[str, list[tuple[Any, ...]]]:
        """All rows of the ledger, sorted: the same whenever they came."""
        with psycopg.connect(self.database.url) as connection:
            return {
                name: sorted(
                    map(tuple, connection.execute(f"SELECT * FROM {SERVICE}.{name}".encode())),
                    key=repr,
                )
                for name in COLUMNS
            }

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
            self._settling = Settling(FILED, refold_max=10**9, topic_of=self.topic)
            for partition in range(PARTITIONS):
                self._settling.open(partition)
        inputs = []
        for table, data, ingested_at in frames:
            partition = partition_of(table.encode(), PARTITIONS)
            known: Headers = [(headers.INGESTED_AT, headers.write_ingested_at(ingested_at))]
            inputs.append(Input(partition, self._ends[partition], table.encode(), data, known))
            self._ends[partition] += 1
        events = self.topic(topics.TABLE_EVENTS)
        self.write(Output(events, i.value, i.key, i.partition, i.headers) for i in inputs)
        meant = {self.topic(topics.SETTLED_ROUNDS), self.topic(topics.FINDINGS)}
        self.write(each for each in self._settling.settle(inputs) if each.topic in meant)

    def play(self, day: Day, *, floor: str = "T") -> None:
        """A whole day, as if it had been entered by now: tables, cage and promotions desk."""
        desk = [
            dated(each, each.at.ToMicroseconds())
            for each in promotion_events(day.desk, floor=floor)
        ]
        self._append(topics.PROMOTION_EVENTS, desk)
        self.settle(
            [(f.stream, f.data, f.ingested_at) for f in day.frames if f.stream in day.tables]
        )
        cage = []
        for each in cage_events(day.cage, floor=floor):
            at = each.at.ToMicroseconds()
            if each.WhichOneof("fact") == "drop_counted":
                at -= 60 * 60 * 1_000_000
            cage.append(dated(each, at))
        self._append(topics.CAGE_EVENTS, cage)

    def _append(self, topic: str, events: Iterable[CageEvent | PromotionEvent]) -> None:
        self.write(Output(self.topic(topic), each.SerializeToString()) for each in events)

    def write(self, outputs: Iterable[Output]) -> None:
        for topic, value, key, partition, known in outputs:
            self._producer.produce(topic, value, key, partition, headers=known)
            self._producer.poll(0)
        assert self._producer.flush(SECONDS_MAX) == 0


E = TypeVar("E", CageEvent, PromotionEvent)


def dated(event: E, at: int) -> E:
    event.gaming_day = CALENDAR.day_of(at).isoformat()
    return event
