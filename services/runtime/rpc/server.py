"""One gRPC server a service: mutual TLS, health, reflection, limits, graceful stop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import grpc
from grpc_health.v1 import health, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from runtime import logs
from runtime.addresses import Address, AddressSetting
from runtime.health import Health
from runtime.identity.credentials import Credentials
from runtime.identity.tokens import TokenVerifier, read_token_verifier
from runtime.metrics import Metrics
from runtime.process import ServicePart, Stop
from runtime.rpc.access import Policy, controlling_access
from runtime.rpc.call_log import answering_errors, observing
from runtime.rpc.errors import StatusCodes
from runtime.rpc.interceptor import AroundEveryCall
from runtime.service import ServiceContext
from runtime.settings import Settings

MESSAGE_BYTES_MAX = 4 * 1024 * 1024
"""Both ways, unless a service receives less: a page of rounds must be below."""

_OPTIONS = (
    ("grpc.max_send_message_length", MESSAGE_BYTES_MAX),
    ("grpc.max_metadata_size", 16 * 1024),
    # Devices may be silent for long: ping them, and accept their pings.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    # A second process on the same port would take half of the calls, unnoticed.
    ("grpc.so_reuseport", 0),
    # The library would let the sender of each stream run megabytes ahead of the reader here, the
    # faster its line is: uncounted memory. So it is 64 KiB, and one message.
    ("grpc.http2.bdp_probe", 0),
)
_log = logs.logger(__name__)


class RpcSettings(Settings):
    """Where a service answers, and by which key it knows people."""

    rpc_address: AddressSetting = Address("127.0.0.1", 50051)
    """Where the service answers gRPC calls, over mutual TLS."""
    people_key: Path | None = None
    """The file with the public key by which tokens of people are checked; unset: none is taken."""
    rpc_concurrent_calls_max: int = 1000
    """Calls answered at the same time; more are rejected with RESOURCE_EXHAUSTED."""


@dataclass(frozen=True, slots=True)
class Servicer:
    """A servicer with the generated function that adds it, and its full name."""

    service: str
    add: Callable[[grpc.aio.Server], None]


@dataclass(frozen=True, slots=True)
class RpcServer:
    """Everything a server is made of."""

    address: Address
    credentials: Credentials
    metrics: Metrics
    health: Health
    servicers: Sequence[Servicer]
    policy: Policy
    codes: StatusCodes = field(default_factory=dict)
    verifier: TokenVerifier | None = None
    concurrent_calls_max: int = 1000
    message_bytes_max: int = MESSAGE_BYTES_MAX
    """A larger message is not even received: the call ends with RESOURCE_EXHAUSTED."""
    grace_seconds: float = 10.0
    """How long calls under way may go on once the stop is requested."""

    @classmethod
    def of(
        cls,
        settings: RpcSettings,
        service: ServiceContext,
        credentials: Credentials,
        servicers: Sequence[Servicer],
        *,
        policy: Policy,
        codes: StatusCodes,
        message_bytes_max: int = MESSAGE_BYTES_MAX,
    ) -> Self:
        """The server of a service, from its settings."""
        key = settings.people_key
        expiry = service.metrics.gauge(
            "certificate_expiry_timestamp_seconds", "Until when the certificate is good."
        )
        expiry.set_function(lambda: credentials.expires_at.timestamp())
        return cls(
            address=settings.rpc_address,
            credentials=credentials,
            metrics=service.metrics,
            health=service.health,
            servicers=servicers,
            policy=policy,
            codes=codes,
            verifier=None if key is None else read_token_verifier(key),
            concurrent_calls_max=settings.rpc_concurrent_calls_max,
            message_bytes_max=message_bytes_max,
            grace_seconds=service.stop_seconds_max / 2,
        )

    def part(self) -> ServicePart:
        return ServicePart("rpc", self._run)

    async def _run(self, stop: Stop) -> None:
        async with self.served():
            await stop.wait()

    @asynccontextmanager
    async def served(self) -> AsyncIterator[Address]:
        """Answers while open. Port 0 takes a free one."""
        server = grpc.aio.server(
            interceptors=[
                AroundEveryCall(
                    [
                        observing(self.metrics),
                        answering_errors(self.codes, domain=self.metrics.service),
                        controlling_access(self.policy, self.verifier),
                    ]
                )
            ],
            options=(*_OPTIONS, ("grpc.max_receive_message_length", self.message_bytes_max)),
            maximum_concurrent_rpcs=self.concurrent_calls_max,
        )
        for servicer in self.servicers:
            servicer.add(server)
        health_pb2_grpc.add_HealthServicer_to_server(self.health.servicer, server)
        names = [servicer.service for servicer in self.servicers]
        reflection.enable_server_reflection(
            [*names, health.SERVICE_NAME, reflection.SERVICE_NAME], server
        )
        port = server.add_secure_port(str(self.address), self.credentials.server())
        await server.start()
        at = Address(self.address.host, port)
        _log.info("answering", address=str(at), services=names)
        try:
            yield at
        finally:
            await server.stop(self.grace_seconds)
