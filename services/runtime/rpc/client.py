"""Channels to other services: TLS both ways, a deadline, retries, the trace passed on.

A channel is made for one service, not only for an address: the server must
hold that service's certificate. Calls that answer once get a deadline when the caller names
none; a stream may stay open. Only what the caller lists is retried, because only it knows what
may be done twice; connections come back by themselves in any case.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import grpc

from runtime.addresses import Address
from runtime.identity.credentials import Credentials
from runtime.identity.names import SERVICE, Name
from runtime.rpc.server import MESSAGE_BYTES_MAX
from runtime.tracing import TRACEPARENT, current_traceparent

DEADLINE_SECONDS = 10.0


def connect(
    service: str,
    address: Address,
    credentials: Credentials,
    *,
    repeatable: Sequence[str] = (),
    deadline_seconds: float = DEADLINE_SECONDS,
    waits: bool = True,
) -> grpc.aio.Channel:
    """A channel to `service` at `address`; use it as a context, or close it.

    `repeatable` are the methods, or whole services, that may be retried: such as
    `casino.settlement.v1.SettlementService/GetRound`. Calls wait for the connection, up to
    their deadline, instead of failing while the other side starts; but not where a person
    waits (`waits`): they fail as soon as it is known that no server is there.
    """
    return grpc.aio.secure_channel(
        str(address),
        credentials.client(),
        options=(
            ("grpc.ssl_target_name_override", Name(SERVICE, service).host),
            ("grpc.max_receive_message_length", MESSAGE_BYTES_MAX),
            ("grpc.max_send_message_length", MESSAGE_BYTES_MAX),
            ("grpc.keepalive_time_ms", 30_000),
            ("grpc.keepalive_timeout_ms", 10_000),
            ("grpc.keepalive_permit_without_calls", 1),
            # The default grows to two minutes: too long for a service that was restarted.
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 2_000),
            ("grpc.enable_retries", 1),
            ("grpc.service_config", json.dumps(service_config(repeatable))),
        ),
        interceptors=_interceptors(deadline_seconds, waits=waits),
    )


def service_config(repeatable: Sequence[str]) -> dict[str, Any]:
    """The retries as gRPC reads them.

    >>> service_config(["a.v1.A/Get"])["methodConfig"][0]["name"]
    [{'service': 'a.v1.A', 'method': 'Get'}]
    """
    if not repeatable:
        return {}
    names = []
    for full in repeatable:
        service, _, method = full.strip("/").partition("/")
        names.append({"service": service, "method": method} if method else {"service": service})
    policy = {
        "maxAttempts": 4,
        "initialBackoff": "0.05s",
        "maxBackoff": "1s",
        "backoffMultiplier": 3,
        "retryableStatusCodes": ["UNAVAILABLE"],
    }
    return {"methodConfig": [{"name": names, "retryPolicy": policy}]}


def _interceptors(deadline_seconds: float, *, waits: bool) -> list[grpc.aio.ClientInterceptor]:
    return [
        _UnaryUnary(deadline_seconds, waits=waits),
        _StreamUnary(deadline_seconds, waits=waits),
        _UnaryStream(None, waits=waits),
        _StreamStream(None, waits=waits),
    ]


class _Prepared:
    """Adds to each call what it lacks: deadline, waiting for the connection, trace."""

    def __init__(self, deadline_seconds: float | None, *, waits: bool) -> None:
        self._deadline_seconds = deadline_seconds
        self._waits = waits

    def _prepare(self, details: Any) -> Any:
        metadata = grpc.aio.Metadata(*(details.metadata or ()))
        traceparent = current_traceparent()
        if traceparent and not metadata.get_all(TRACEPARENT):
            metadata.add(TRACEPARENT, traceparent)
        timeout = self._deadline_seconds if details.timeout is None else details.timeout
        # Without any limit no caller would learn that the other side is not there.
        waits = self._waits and timeout is not None
        waits = waits if details.wait_for_ready is None else details.wait_for_ready
        return details._replace(metadata=metadata, timeout=timeout, wait_for_ready=waits)


class _UnaryUnary(_Prepared, grpc.aio.UnaryUnaryClientInterceptor):
    async def intercept_unary_unary(
        self, continuation: Callable[..., Any], client_call_details: Any, request: Any
    ) -> Any:
        return await continuation(self._prepare(client_call_details), request)


class _StreamUnary(_Prepared, grpc.aio.StreamUnaryClientInterceptor):
    async def intercept_stream_unary(
        self, continuation: Callable[..., Any], client_call_details: Any, request_iterator: Any
    ) -> Any:
        return await continuation(self._prepare(client_call_details), request_iterator)


class _UnaryStream(_Prepared, grpc.aio.UnaryStreamClientInterceptor):
    async def intercept_unary_stream(
        self, continuation: Callable[..., Any], client_call_details: Any, request: Any
    ) -> Any:
        return await continuation(self._prepare(client_call_details), request)


class _StreamStream(_Prepared, grpc.aio.StreamStreamClientInterceptor):
    async def intercept_stream_stream(
        self, continuation: Callable[..., Any], client_call_details: Any, request_iterator: Any
    ) -> Any:
        return await continuation(self._prepare(client_call_details), request_iterator)
