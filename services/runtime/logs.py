"""Logs are lines of JSON on stderr, one event each; on a terminal they are for the eye.

A line has `time`, `level`, `event`, `service`, `logger`, and `trace_id` within a trace; further
fields are what the caller names. What libraries log by the standard library takes the same
way. The event is a constant text, so that it can be searched; what varies is a field.

    log = logs.logger(__name__)
    log.info("round settled", table="BJ-07", round="R-204")
"""

from __future__ import annotations

import logging
import sys
from typing import IO, Any

import structlog
from structlog.types import EventDict, Processor, WrappedLogger

from runtime.tracing import current_trace_id

LEVELS = ("debug", "info", "warning", "error")


def logger(name: str) -> structlog.stdlib.BoundLogger:
    """A logger for a module; it may be made before `configure`."""
    found: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return found


def configure(service: str, *, level: str = "info", stream: IO[str] | None = None) -> None:
    """Sends every log of the process, ours and the libraries', to `stream` (stderr)."""
    stream = sys.stderr if stream is None else stream
    shared = _shared_processors(service)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,  # a test configures more than once
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *_last_processors(for_the_eye=stream.isatty()),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.captureWarnings(True)


def _shared_processors(service: str) -> list[Processor]:
    def add_service_and_trace(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
        event["service"] = service
        if trace_id := current_trace_id():
            event.setdefault("trace_id", trace_id)
        return event

    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
        structlog.processors.StackInfoRenderer(),
        add_service_and_trace,
    ]


def _last_processors(*, for_the_eye: bool) -> list[Processor]:
    if for_the_eye:
        return [structlog.dev.ConsoleRenderer(timestamp_key="time")]
    return [
        structlog.processors.format_exc_info,
        structlog.processors.JSONRenderer(default=_plain),
    ]


def _plain(value: Any) -> Any:
    """What JSON does not know, as text: a log line is never lost for a strange field."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
