"""Our own services: started after the servers, in the order of the table, each when the one
before it is ready. Ready is what `grpc.health.v1` says, as a cluster's probe would ask."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from deploy.stack.process import ProcessId, start
from deploy.stack.settings import Settings
from deploy.stack.state import State


@dataclass(frozen=True, slots=True)
class Service:
    """One row of the table."""

    name: str
    arguments: tuple[str, ...]
    """What Python is asked to run, such as ("-m", "settlement")."""
    address: str
    """host:port at which it answers calls, health checks among them."""
    environment: Mapping[str, str] = field(default_factory=dict)
    open_channel: Callable[[str], grpc.Channel] = grpc.insecure_channel
    """How to call it; with mutual TLS, a channel that has the certificates."""


SERVICES: tuple[Service, ...] = ()
"""Every service of the stack, in the order of readiness; a later one may call an earlier one."""


class ServiceProcess:
    """A service as a stack starts it: with the addresses of the servers in its environment."""

    given = False
    stop_signal = signal.SIGTERM

    def __init__(
        self, service: Service, settings: Settings, addresses: Callable[[State], Mapping[str, str]]
    ) -> None:
        self.service = service
        self.name = service.name
        self.log: Path = settings.folder / "log" / f"{service.name}.log"
        self._addresses = addresses

    def address(self, state: State) -> str:
        del state
        return self.service.address

    def prepare(self, state: State) -> None:
        """Services prepare themselves."""

    def spawn(self, state: State) -> ProcessId:
        environment = {**os.environ, **self._addresses(state), **self.service.environment}
        return start(
            [sys.executable, *self.service.arguments],
            log=self.log,
            directory=Path.cwd(),
            environment=environment,
        )

    def is_ready(self, state: State) -> bool:
        del state
        return is_serving(self.service.address, self.service.open_channel)

    def can_try_again(self, tail: str) -> bool:
        """A service that ended by itself is wrong, and is not hidden by trying again."""
        del tail
        return False


def is_serving(
    address: str,
    open_channel: Callable[[str], grpc.Channel] = grpc.insecure_channel,
    seconds_max: float = 1.0,
) -> bool:
    """What the service says of itself as a whole; silence is no."""
    with open_channel(address) as channel:
        check = health_pb2_grpc.HealthStub(channel).Check  # type: ignore[attr-defined]
        try:
            answer = check(health_pb2.HealthCheckRequest(), timeout=seconds_max)
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
