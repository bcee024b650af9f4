"""A service as a stack starts it: with ports, an identity and a database of its own.

It is ready when it says so by `grpc.health.v1`, as a cluster's probe would ask.
"""

from __future__ import annotations

import os
import secrets
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal
from urllib.parse import quote, urlsplit, urlunsplit

import grpc
import msgspec
import psycopg
from grpc_health.v1 import health_pb2, health_pb2_grpc

from deploy.compile_engine import is_current
from deploy.stack.errors import DatabaseRejected
from deploy.stack.identity import Identities
from deploy.stack.ports import LOOPBACK, choose
from deploy.stack.process import ProcessId, Record, start, tail
from deploy.stack.services import Service
from deploy.stack.settings import Settings
from deploy.stack.state import State
from runtime.database.roles import application_role, migrating_role, prepare_service

COMPILED = Path("build/compiled").absolute()
"""The compiled engine, which services run on where `make compiled` has built it."""
READY = "ready"
REJECTS = "rejects the log of"
"""In the reason of a service that found another log than the one it has read."""
RPC, HEALTH, METRICS = USES = ("rpc", "health", "metrics")
"""What a service listens for, in the order of its ports."""
OURS_ALONE = {"DATABASE_URL", "DATABASE_MIGRATION_URL"}
"""What a service is not to inherit: the administrator's address is for nobody but the stack."""

Addresses = Callable[[State], Mapping[str, str]]
"""What runs already: KAFKA_BOOTSTRAP, the administrator's DATABASE_URL, services' addresses."""


class Readiness(msgspec.Struct):
    """What a service logs when it becomes ready or ceases to be."""

    event: Literal["ready", "not ready"]
    unmet: dict[str, str] = {}


class ServiceProcess:
    """One worker of a service."""

    given = False
    stop_signal = signal.SIGTERM

    def __init__(
        self, service: Service, worker: int, settings: Settings, addresses: Addresses
    ) -> None:
        self.service = service
        self.worker = worker
        self.settings = settings
        self.name = f"{service.name}-{worker}" if service.several else service.name
        self.log: Path = settings.folder / "log" / f"{self.name}.log"
        self._addresses = addresses

    def listens(self, use: str, state: State) -> str:
        return f"{LOOPBACK}:{state.ports.get(port_name(self.name, use), 0)}"

    def address(self, state: State) -> str:
        return self.listens(RPC if self.service.answers else HEALTH, state)

    def prepare(self, state: State) -> None:
        self._choose_ports(state)
        if self.service.database:
            self._prepare_database(state)

    def spawn(self, state: State, record: Record) -> ProcessId:
        return start(
            [sys.executable, *self.service.command],
            log=self.log,
            record=record,
            directory=Path.cwd(),
            environment=self.environment(state),
        )

    def is_ready(self, state: State) -> bool:
        return is_serving(self.listens(HEALTH, state))

    def rejection(self) -> str | None:
        """As the end of its log says: another log than the one it has read (`runtime.kafka`)."""
        for line in reversed(tail(self.log).splitlines()):
            try:
                said = msgspec.json.decode(line, type=Readiness)
            except msgspec.DecodeError:  # another event, or none
                continue
            reasons = [reason for reason in said.unmet.values() if REJECTS in reason]
            return reasons[0] if reasons else None
        return None

    def can_try_again(self, tail: str) -> bool:
        """A port that was free a moment ago may be somebody's now; then another will do."""
        return "Address already in use" in tail or "Failed to bind to address" in tail

    def environment(self, state: State) -> dict[str, str]:
        """What the stack knows, over what is inherited: LOG_LEVEL and the like can be set."""
        identities = Identities(self.settings.folder)
        addresses = self._addresses(state)
        known = {
            **{name: text for name, text in addresses.items() if name not in OURS_ALONE},
            "TOPIC_PREFIX": self.settings.topic_prefix,
            "WORKER_NAME": str(self.worker),
            "RPC_ADDRESS": self.listens(RPC, state),
            "WEB_ADDRESS": self.listens(RPC, state),
            "HEALTH_ADDRESS": self.listens(HEALTH, state),
            "METRICS_ADDRESS": self.listens(METRICS, state),
            **identities.environment_of_service(self.service.name),
        }
        if self.service.database:
            known |= {
                "DATABASE_URL": self._database_url(application_role(self.service.name), state),
                "DATABASE_MIGRATION_URL": self._database_url(
                    migrating_role(self.service.name), state
                ),
            }
        if is_current(COMPILED):
            known["PYTHONPATH"] = os.pathsep.join(
                filter(None, [str(COMPILED), os.environ.get("PYTHONPATH")])
            )
        inherited = {name: text for name, text in os.environ.items() if name not in OURS_ALONE}
        return {**inherited, **known, **self.service.environment}

    def _choose_ports(self, state: State) -> None:
        base = self.settings.services_port
        names = [port_name(self.name, use) for use in USES]
        before = {name: state.ports.pop(name, None) for name in names}
        for place, name in enumerate(names):
            state.ports[name] = choose(
                wanted=base and base + self.service.ports + 10 * self.worker + place,
                remembered=before[name],
                setting="STACK_SERVICES_PORT",
                avoid=set(state.ports.values()),  # also those of services that are not up yet
            )

    def _prepare_database(self, state: State) -> None:
        roles = (migrating_role(self.service.name), application_role(self.service.name))
        for role in roles:
            state.passwords.setdefault(role, secrets.token_urlsafe(24))
        url = self._addresses(state)["DATABASE_URL"]
        try:
            prepare_service(
                url,
                self.service.name,
                migrating_password=state.passwords[roles[0]],
                application_password=state.passwords[roles[1]],
            )
        except psycopg.Error as error:
            raise DatabaseRejected(self.service.name, " ".join(str(error).split())) from error

    def _database_url(self, role: str, state: State) -> str:
        return as_role(self._addresses(state)["DATABASE_URL"], role, state.passwords[role])


def port_name(process: str, use: str) -> str:
    """The name of a port in the stack's state."""
    return f"{process}.{use}"


def as_role(url: str, role: str, password: str) -> str:
    """The same database for another role.

    >>> as_role("postgresql://admin:secret@db:5432/casino?sslmode=require", "reader", "a/b")
    'postgresql://reader:a%2Fb@db:5432/casino?sslmode=require'
    """
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{role}:{quote(password, safe='')}@{host}"))


def is_serving(address: str, *, service: str = READY, seconds_max: float = 1.0) -> bool:
    """Whether the service says that it can do its work; silence is no."""
    with grpc.insecure_channel(address) as channel:
        check = health_pb2_grpc.HealthStub(channel).Check  # type: ignore[attr-defined]
        try:
            answer = check(health_pb2.HealthCheckRequest(service=service), timeout=seconds_max)
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
