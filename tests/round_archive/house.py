"""An archive as a process, on the run's real servers, and what settlement says for it to read."""

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
from typing import Any

import grpc
import psycopg
from confluent_kafka import Producer
from grpc_health.v1 import health_pb2
from psycopg import conninfo
from pydantic import SecretStr

from blackjack.rule_set import FILED
from casino.settlement.v1.finding_pb2 import Finding, Withdrawal
from casino.settlement.v1.record_pb2 import SettlementRecord
from casino.settlement.v1.service_pb2 import GetStatusRequest
from casino.settlement.v1.service_pb2_grpc import SettlementServiceStub
from casino.settlement.v1.settled_round_pb2 import SettledRound
from provisioning.topics import Topic, ensure_topics
from runtime.addresses import Address
from runtime.database.connecting import DatabaseSettings
from runtime.database.migrations import migrate, migrations_of
from runtime.database.roles import application_role, migrating_role, prepare_service
from runtime.identity.credentials import Credentials
from runtime.identity.names import Name
from runtime.identity.tokens import open_token_issuer
from runtime.kafka.configuration import (
    make_producer,
    producer_configuration,
    transactional_configuration,
)
from runtime.kafka.partitioning import partition_of
from runtime.kafka.records import Headers, Output
from runtime.rpc.access import bearer
from runtime.rpc.client import connect
from settlement.settling import Input, Settling
from tests.stack.broker import Broker
from tests.stack.databases import Database
from wire import headers, topics

SERVICE = "round_archive"
PASSWORD = "archive"
SECONDS_MAX = 60.0
PARTITIONS = 3

Frame = tuple[str, bytes, int]
"""A table, the bytes of an event, and when the gateway received it."""


def urls(administrator: str) -> tuple[str, str]:
    """Of the application role and of the migrating role."""
    made = [
        conninfo.make_conninfo(administrator, user=role, password=PASSWORD)
        for role in (application_role(SERVICE), migrating_role(SERVICE))
    ]
    return made[0], made[1]


def prepare(database: Database) -> None:
    """Roles, schema and tables: for a template."""
    prepare_service(
        database.url, SERVICE, migrating_password=PASSWORD, application_password=PASSWORD
    )
    application, migration = urls(database.url)
    settings = DatabaseSettings.model_validate(
        {"database_url": SecretStr(application), "database_migration_url": SecretStr(migration)}
    )
    migrate(SERVICE, settings, migrations_of(SERVICE))


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
    """Topics, a database, and the archive's process over them."""

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
        sizes = dict.fromkeys(
            (topics.TABLE_EVENTS, topics.SETTLED_ROUNDS, topics.FINDINGS), PARTITIONS
        )
        sizes |= {topics.CATALOGUE: 1, topics.DEAD_LETTERS: 1}
        made = [Topic(self.topic(n), size, topics.configuration(n)) for n, size in sizes.items()]
        broker._made += ensure_topics(broker.admin, made).made

    def topic(self, name: str) -> str:
        return self.prefix + name

    # The process ----------------------------------------------------------------------

    def start(self, *, wait: bool = True) -> None:
        ports = [free_port() for _ in range(3)]
        names = ("RPC_ADDRESS", "METRICS_ADDRESS", "HEALTH_ADDRESS")
        self.address = Address("127.0.0.1", ports[0])
        self.health = f"127.0.0.1:{ports[2]}"
        self.metrics = f"127.0.0.1:{ports[1]}"
        application, migration = urls(self.database.url)
        settings = {
            **{name: f"127.0.0.1:{port}" for name, port in zip(names, ports, strict=True)},
            "PATH": os.environ["PATH"],
            "KAFKA_BOOTSTRAP": self.broker.bootstrap,
            "TOPIC_PREFIX": self.prefix,
            "DATABASE_URL": application,
            "DATABASE_MIGRATION_URL": migration,
            "IDENTITY_FOLDER": str(self.folder / "archive"),
            "AUTHORITY_FOLDER": str(self.folder / "authority"),
            "LOG_LEVEL": "info",
            **self.environment,
        }
        with (self.folder / "archive.log").open("ab") as log:
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
        return (self.folder / "archive.log").read_text("utf-8")

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
        async with connect(SERVICE, self.address, self.credentials(kind, name)) as channel:
            yield SettlementServiceStub(channel)

    def token(self, *roles: str) -> tuple[str, str]:
        """With which the console calls for a person."""
        issuer = open_token_issuer(self.folder / "authority", issuer="console")
        return bearer(issuer.issue("ada", frozenset(roles), now=datetime.now(UTC)))

    async def indexed(self) -> None:
        """Until the index has all that was said by now."""
        async with self.stub() as stub:
            deadline = time.monotonic() + SECONDS_MAX
            while (await stub.GetStatus(GetStatusRequest())).index_lag:
                assert time.monotonic() < deadline, "the index does not catch up"
                await asyncio.sleep(0.05)

    def dump(self) -> dict[str, list[tuple[Any, ...]]]:
        """All rows of the index, sorted: the same whenever they came."""
        tables = ("rounds", "round_versions", "findings", "dead_letters", "definitions", "counts")
        with psycopg.connect(self.database.url) as connection:
            return {
                name: sorted(
                    map(tuple, connection.execute(f"SELECT * FROM {SERVICE}.{name}".encode())),
                    key=repr,
                )
                for name in tables
            }

    # What settlement says -------------------------------------------------------------

    def settle(self, frames: Sequence[Frame]) -> None:
        """Events into the log, and what settlement's own code makes of them, in one transaction."""
        if self._settling is None:
            self._settling = Settling(FILED, refold_max=10**9, topic_of=self.topic)
            for partition in range(PARTITIONS):
                self._settling.open(partition)
        inputs = []
        for table, data, ingested_at in frames:
            partition = partition_of(table.encode(), PARTITIONS)
            known: Headers = [
                (headers.INGESTED_AT, headers.write_ingested_at(ingested_at)),
                ("traceparent", f"00-{len(data):032x}-{'1' * 16}-01"),
            ]
            inputs.append(Input(partition, self._ends[partition], table.encode(), data, known))
            self._ends[partition] += 1
        producer = make_producer(producer_configuration(self.broker.bootstrap))
        for each in inputs:
            _produce(
                producer,
                Output(
                    self.topic(topics.TABLE_EVENTS), each.value, each.key, each.partition,
                    each.headers,
                ),
            )  # fmt: skip
        assert producer.flush(SECONDS_MAX) == 0
        outputs = [
            each
            for each in self._settling.settle(inputs)
            if each.topic != self.topic(topics.TABLE_SNAPSHOTS)
        ]
        self.say(outputs)

    def say(self, outputs: Iterable[Output]) -> None:
        """As settlement does: in a transaction."""
        name = self.broker.name("settlement")
        producer = make_producer(
            transactional_configuration(self.broker.bootstrap, transactional_id=name)
        )
        producer.init_transactions(SECONDS_MAX)
        producer.begin_transaction()
        for output in outputs:
            _produce(producer, output)
        producer.commit_transaction(SECONDS_MAX)

    def say_round(self, said: SettledRound, *, offset: int | None = None) -> None:
        value = said.SerializeToString(deterministic=True)
        self.say([self._output(topics.SETTLED_ROUNDS, said.table_id, value, offset)])

    def say_finding(self, said: Finding | Withdrawal, *, offset: int | None = None) -> None:
        record = (
            SettlementRecord(finding=said)
            if isinstance(said, Finding)
            else SettlementRecord(withdrawal=said)
        )
        value = record.SerializeToString(deterministic=True)
        self.say([self._output(topics.FINDINGS, said.table_id, value, offset)])

    def _output(self, topic: str, table: str, value: bytes, offset: int | None) -> Output:
        known: Headers = []
        if offset is not None:
            partition = partition_of(table.encode(), PARTITIONS)
            known = [
                (headers.SOURCE_TOPIC, self.topic(topics.TABLE_EVENTS).encode()),
                (headers.SOURCE_PARTITION, b"%d" % partition),
                (headers.SOURCE_OFFSET, b"%d" % offset),
            ]
        return Output(self.topic(topic), value, table.encode(), headers=known)


def _produce(producer: Producer, output: Output) -> None:
    topic, value, key, partition, known = output
    producer.produce(topic, value, key, partition, headers=known)
    producer.poll(0)
