"""An OpenTelemetry collector on loopback, which keeps the spans that it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

import grpc
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2_grpc import (
    TraceServiceServicer,
    add_TraceServiceServicer_to_server,
)


class Exported(NamedTuple):
    """A span as it came, with its ids in hexadecimal."""

    service: str
    name: str
    trace_id: str
    span_id: str
    parent_id: str
    """Empty for the first of a trace."""
    links: frozenset[str]
    """The ids of the spans it is linked to."""
    messages: int
    """How many its batch had."""


class Collector(TraceServiceServicer):
    def __init__(self, address: str) -> None:
        self.environment = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://{address}",
            "OTEL_BSP_SCHEDULE_DELAY": "50",
        }
        """What a service is started with that exports to this one."""
        self._spans: list[Exported] = []

    def Export(  # noqa: N802
        self, request: ExportTraceServiceRequest, context: Any
    ) -> ExportTraceServiceResponse:
        del context
        for group in request.resource_spans:
            (service,) = (
                attribute.value.string_value
                for attribute in group.resource.attributes
                if attribute.key == "service.name"
            )
            for scope in group.scope_spans:
                self._spans += [_exported(service, span) for span in scope.spans]
        return ExportTraceServiceResponse()

    def spans(self, service: str, name: str) -> list[Exported]:
        """Those of a service whose name ends so."""
        found = list(self._spans)
        return [span for span in found if span.service == service and span.name.endswith(name)]


def _exported(service: str, span: Any) -> Exported:
    counts = [
        attribute.value.int_value
        for attribute in span.attributes
        if attribute.key == "messaging.batch.message_count"
    ]
    return Exported(
        service,
        span.name,
        span.trace_id.hex(),
        span.span_id.hex(),
        span.parent_span_id.hex(),
        frozenset(link.span_id.hex() for link in span.links),
        sum(counts),
    )


@contextmanager
def collecting() -> Iterator[Collector]:
    server = grpc.server(ThreadPoolExecutor(2))
    port = server.add_insecure_port("127.0.0.1:0")
    collector = Collector(f"127.0.0.1:{port}")
    add_TraceServiceServicer_to_server(collector, server)  # type: ignore[no-untyped-call]
    server.start()
    try:
        yield collector
    finally:
        server.stop(grace=None).wait()
