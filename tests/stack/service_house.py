"""A service as a process of its own, on the run's real servers, and those who call it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import grpc
import psycopg
from grpc_health.v1 import health_pb2
from psycopg import conninfo
from pydantic import SecretStr

from provisioning.kafka.topics import Topic, ensure_topics
from runtime.addresses import Address
from runtime.database.connection import DatabaseSettings
from runtime.database.migrations import migrate, migrations_of
from runtime.database.roles import application_role, migrating_role, prepare_service
from runtime.identity.authority import open_authority
from runtime.identity.credentials import Credentials
from runtime.identity.names import Name
from runtime.identity.tokens import PUBLIC_KEY, open_token_issuer
from runtime.rpc.access import bearer
from runtime.rpc.client import connect
from tests.stack.broker import Broker
from tests.stack.databases import Database
from tests.stack.ports import own_port
from wire import topics

SECONDS_MAX = 60.0
PARTITIONS = 3
_PASSWORD = "house"

Rows = dict[str, list[tuple[Any, ...]]]


def urls_of(service: str, administrator: str) -> tuple[str, str]:
    """Of the service's application role and of its migrating role."""
    made = [
        conninfo.make_conninfo(administrator, user=role, password=_PASSWORD)
        for role in (application_role(service), migrating_role(service))
    ]
    return made[0], made[1]


def prepare_schema(service: str, database: Database) -> None:
    """Roles, schema and tables: for a template."""
    prepare_service(
        database.url, service, migrating_password=_PASSWORD, application_password=_PASSWORD
    )
    application, migration = urls_of(service, database.url)
    settings = DatabaseSettings.model_validate(
        {"database_url": SecretStr(application), "database_migration_url": SecretStr(migration)}
    )
    migrate(service, settings, migrations_of(service))


def eventually(holds: Callable[[], bool], seconds_max: float = SECONDS_MAX) -> None:
    deadline = time.monotonic() + seconds_max
    while not holds():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.05)


class ServiceHouse:
    """Topics, a database, and the process of one service over them.

    `sizes` are the topics with their partitions; `environment` is added to the settings.
    """

    def __init__(
        self,
        service: str,
        folder: Path,
        broker: Broker,
        database: Database,
        *,
        sizes: Mapping[str, int],
        environment: Mapping[str, str],
    ) -> None:
        self.service = service
        self.folder = folder
        self.broker = broker
        self.prefix = broker.prefix
        self.database = database
        self.environment = dict(environment)
        self.process: subprocess.Popen[bytes] | None = None
        self.address = Address("127.0.0.1", 0)
        made = [Topic(self.topic(n), size, self._configuration(n)) for n, size in sizes.items()]
        broker._made += ensure_topics(broker.admin, made).created

    stamped_by_writer: frozenset[str] = frozenset()
    """Topics in which a test says itself when a message was written."""

    def _configuration(self, name: str) -> dict[str, str]:
        by_writer = {"message.timestamp.type": "CreateTime"}
        return topics.configuration(name) | (by_writer if name in self.stamped_by_writer else {})

    def topic(self, name: str) -> str:
        return self.prefix + name

    # The process ----------------------------------------------------------------------

    def start(self, *, wait: bool = True, may_migrate: bool = True) -> None:
        ports = [own_port() for _ in range(3)]
        names = ("RPC_ADDRESS", "METRICS_ADDRESS", "HEALTH_ADDRESS")
        self.address = Address("127.0.0.1", ports[0])
        self.metrics = f"127.0.0.1:{ports[1]}"
        self.health = f"127.0.0.1:{ports[2]}"
        application, migration = urls_of(self.service, self.database.url)
        open_authority(self.folder / "authority")
        open_token_issuer(self.folder / "authority", issuer="console")
        settings = {
            **{name: f"127.0.0.1:{port}" for name, port in zip(names, ports, strict=True)},
            "PATH": os.environ["PATH"],
            "KAFKA_BOOTSTRAP": self.broker.bootstrap,
            "TOPIC_PREFIX": self.prefix,
            "DATABASE_URL": application,
            **({"DATABASE_MIGRATION_URL": migration} if may_migrate else {}),
            "IDENTITY_FOLDER": str(self.folder / self.service),
            "AUTHORITY_FOLDER": str(self.folder / "authority"),
            "PEOPLE_KEY": str(self.folder / "authority" / PUBLIC_KEY),
            "LOG_LEVEL": "info",
            **self.environment,
        }
        with self._log_file.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", self.service], env=settings, stderr=log
            )
        if wait:
            eventually(self.is_ready)

    def is_ready(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, (self.process.returncode, self.log)
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
        return self._log_file.read_text("utf-8")

    @property
    def _log_file(self) -> Path:
        return self.folder / f"{self.service}.log"

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
    async def channel(self, kind: str, name: str) -> AsyncIterator[grpc.aio.Channel]:
        async with connect(
            self.service, self.address, self.credentials(kind, name), deadline_seconds=SECONDS_MAX
        ) as channel:
            yield channel

    def token(self, *roles: str, subject: str = "ada") -> tuple[str, str]:
        """With which the console calls for a person."""
        issuer = open_token_issuer(self.folder / "authority", issuer="console")
        return bearer(issuer.issue(subject, frozenset(roles), now=datetime.now(UTC)))

    def rows_of(self, *tables: str) -> Rows:
        """All rows of these tables, sorted: the same whenever they came."""
        with psycopg.connect(self.database.url) as connection:
            return {
                name: sorted(
                    map(tuple, connection.execute(f"SELECT * FROM {self.service}.{name}".encode())),
                    key=repr,
                )
                for name in tables
            }
