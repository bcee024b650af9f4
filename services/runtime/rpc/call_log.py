"""Every call leaves one log line and its metrics, in the trace that came with it.

The names of the metrics are those of the gRPC ecosystem, so that dashboards exist already.
An unexpected error is logged here with its stack, and only its trace id goes out.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
from opentelemetry.trace import StatusCode
from prometheus_client import Counter, Gauge, Histogram

from runtime import logs
from runtime.metrics import SECONDS_BUCKETS, Metrics
from runtime.rpc.calls import Call
from runtime.rpc.errors import ErrorStatus, StatusCodes, answer_to
from runtime.rpc.interceptor import Around
from runtime.tracing import current_trace_id, server_span

QUIET = ("/grpc.health.", "/grpc.reflection.")
"""Called all the time, or by developers: logged at debug level."""

SERVER_ERRORS = frozenset(
    {
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.UNIMPLEMENTED,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DATA_LOSS,
    }
)
"""Statuses that make a span a failed one: the others are the caller's to correct."""
_BY_NUMBER = {code.value[0]: code for code in grpc.StatusCode}
_log = logs.logger(__name__)


def observing(metrics: Metrics) -> Around:
    """Trace, log line and metrics: the outermost."""
    labels = ("grpc_service", "grpc_method")
    registry = metrics.registry
    under_way = Gauge("grpc_server_under_way", "Calls being answered.", labels, registry=registry)
    handled = Counter(
        "grpc_server_handled", "Calls answered.", (*labels, "grpc_code"), registry=registry
    )
    seconds = Histogram(
        "grpc_server_handling_seconds",
        "How long answering took; for a stream, how long it was open.",
        labels,
        registry=registry,
        buckets=SECONDS_BUCKETS,
    )

    @asynccontextmanager
    async def observe(call: Call) -> AsyncIterator[None]:
        service, _, method = call.method.strip("/").rpartition("/")
        started = time.perf_counter()
        under_way.labels(service, method).inc()
        with server_span(call.method.strip("/"), call.metadata) as span:
            try:
                yield
            except asyncio.CancelledError:
                call.answered = grpc.StatusCode.CANCELLED
                raise
            finally:
                took = time.perf_counter() - started
                code = _code_of(call)
                under_way.labels(service, method).dec()
                handled.labels(service, method, code.name).inc()
                seconds.labels(service, method).observe(took)
                span.set_attribute("rpc.system", "grpc")
                span.set_attribute("rpc.grpc.status_code", code.value[0])
                if code in SERVER_ERRORS:
                    span.set_status(StatusCode.ERROR)
                _log_call(call, code, took)

    return observe


def answering_errors(codes: StatusCodes, *, domain: str) -> Around:
    """Errors become statuses by `errors`."""

    @asynccontextmanager
    async def answer(call: Call) -> AsyncIterator[None]:
        try:
            yield
        except grpc.aio.AbortError:  # the servicer has answered by itself
            raise
        except Exception as error:
            answered = answer_to(error, codes)
            if answered is None:
                _log.error("call failed", method=call.method, exc_info=True)
                answered = _fault_of_ours()
            call.answered = answered.code
            status = answered.status(domain=domain)
            await call.context.abort(status.code, status.details, status.trailing_metadata)

    return answer


def _fault_of_ours() -> ErrorStatus:
    trace_id = current_trace_id()
    message = f"an error of the service, logged under trace {trace_id}"
    return ErrorStatus(grpc.StatusCode.INTERNAL, message, "INTERNAL", {"trace": trace_id})


def _code_of(call: Call) -> grpc.StatusCode:
    if call.answered is not grpc.StatusCode.OK:
        return call.answered
    code: Any = call.context.code()  # a number, a StatusCode or nothing: gRPC gives any of them
    if isinstance(code, grpc.StatusCode):
        return code
    return _BY_NUMBER.get(code or 0, grpc.StatusCode.UNKNOWN)


def _log_call(call: Call, code: grpc.StatusCode, seconds: float) -> None:
    _log.log(
        10 if call.method.startswith(QUIET) else 20,
        "call",
        method=call.method,
        code=code.name,
        milliseconds=round(seconds * 1000, 3),
        peer=str(call.peer) if call.peer else call.context.peer(),
        **({"person": call.person.subject} if call.person else {}),
    )
