"""Tracing with OpenTelemetry: one trace follows a fact from its table to every consequence.

The context travels as a W3C `traceparent` in gRPC metadata and in Kafka headers. Where an OTLP
endpoint is set, calls and batches become spans that are exported to it. Elsewhere a trace is an id
in headers and logs, and a batch of messages costs nothing: there is never a span for one message.
A `traceparent` that cannot be read is not an error: a new trace begins there.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import Link, Span, SpanContext, SpanKind
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

TRACEPARENT: Final = "traceparent"
TRACEPARENT_BYTES_MAX: Final = 64
"""The form has 55; a later version of it may have more."""
LINKS_MAX: Final = 128
"""Traces that the span of one batch is linked to: the SDK keeps no more by default."""
FLUSH_SECONDS_MAX: Final = 5.0
"""How long a stopping process waits for a collector that does not answer."""

_propagator: Final = TraceContextTextMapPropagator()
_tracer: Final = trace.get_tracer("pitledger")
_exporting: TracerProvider | None = None
"""None where no span is exported."""


def configure(service: str, *, endpoint: str = "") -> None:
    """Begins to trace; with `endpoint`, spans are exported there over OTLP.

    The SDK reads the other `OTEL_*` variables itself: sampler, headers, certificate, limits.
    """
    # Loading the SDK takes longer than many a command of `pitctl` runs, which traces nothing.
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.sampling import ALWAYS_OFF

    global _exporting
    if not endpoint:
        # It still gives every trace its id, for logs and headers.
        trace.set_tracer_provider(TracerProvider(sampler=ALWAYS_OFF))
        return
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    _exporting = TracerProvider(resource=Resource.create({SERVICE_NAME: service}))
    _exporting.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint)))
    trace.set_tracer_provider(_exporting)


def flush() -> None:
    """Exports what has ended; the process is about to."""
    if _exporting is not None:
        thread = threading.Thread(target=_exporting.shutdown, name="tracing", daemon=True)
        thread.start()
        thread.join(FLUSH_SECONDS_MAX)


def current_trace_id() -> str:
    """The id of the trace we are in, in hexadecimal; empty outside of any."""
    return _trace_id(trace.get_current_span().get_span_context())


def trace_id_of(traceparent: str | bytes | None) -> str:
    """The id of the trace that a `traceparent` names; empty where it names none.

    >>> trace_id_of(b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
    '0af7651916cd43dd8448eb211c80319c'
    >>> trace_id_of("nonsense")
    ''
    """
    return _trace_id(_span_context(traceparent))


def current_traceparent() -> str:
    """Headers for consequences of the current span; empty outside of any."""
    carrier: dict[str, str] = {}
    _propagator.inject(carrier)
    return carrier.get(TRACEPARENT, "")


def trace_headers() -> list[tuple[str, bytes]]:
    """Headers for a Kafka message that is a consequence of the current span."""
    traceparent = current_traceparent()
    return [(TRACEPARENT, traceparent.encode())] if traceparent else []


@contextmanager
def server_span(method: str, metadata: Iterable[tuple[str, Any]] | None) -> Iterator[Span]:
    """A call being answered, in the trace of its caller or else in a new one."""
    traceparents = (value for name, value in metadata or () if name == TRACEPARENT)
    with _span(method, SpanKind.SERVER, _context(next(traceparents, None))) as span:
        yield span


@contextmanager
def new_trace(name: str) -> Iterator[Span]:
    """A span that begins a trace of its own, linked to the one around it."""
    around = trace.get_current_span().get_span_context()
    links = [Link(around)] if around.is_valid else []
    with _span(name, SpanKind.PRODUCER, Context(), links) as span:
        yield span


@contextmanager
def batch_span(
    topics: Iterable[str], count: int, traceparents: Iterable[str | bytes | None]
) -> Iterator[None]:
    """The processing of a batch of messages: a child of the span they came from if they share
    one, else linked to each. The traceparents are not read where nothing is exported."""
    if _exporting is None or not count:
        yield
        return
    causes = list(islice(_distinct(traceparents), LINKS_MAX))
    names = sorted(set(topics))
    context = Context()
    if len(causes) == 1:
        context = trace.set_span_in_context(trace.NonRecordingSpan(causes[0]), context)
    links = [Link(cause) for cause in causes]
    name = f"process {names[0]}" if len(names) == 1 else "process"
    with _span(name, SpanKind.CONSUMER, context, links) as span:
        span.set_attributes(
            {
                "messaging.system": "kafka",
                "messaging.operation.type": "process",
                "messaging.destination.name": ",".join(names),
                "messaging.batch.message_count": count,
            }
        )
        yield


@contextmanager
def _span(
    name: str, kind: SpanKind, context: Context, links: list[Link] | None = None
) -> Iterator[Span]:
    # The text of an exception may name a card that is not shown yet: it stays in our own logs.
    with _tracer.start_as_current_span(
        name, context, kind, links=links, record_exception=False, set_status_on_exception=False
    ) as span:
        yield span


def _distinct(traceparents: Iterable[str | bytes | None]) -> Iterator[SpanContext]:
    for traceparent in dict.fromkeys(traceparents):
        if (cause := _span_context(traceparent)).is_valid:
            yield cause


def _span_context(traceparent: str | bytes | None) -> SpanContext:
    return trace.get_current_span(_context(traceparent)).get_span_context()


def _context(traceparent: str | bytes | None) -> Context:
    if traceparent is None or len(traceparent) > TRACEPARENT_BYTES_MAX:
        return Context()
    if isinstance(traceparent, bytes):
        traceparent = traceparent.decode("ascii", "replace")
    return _propagator.extract({TRACEPARENT: traceparent}, Context())


def _trace_id(context: SpanContext) -> str:
    return trace.format_trace_id(context.trace_id) if context.is_valid else ""
