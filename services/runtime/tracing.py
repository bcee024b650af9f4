"""One trace id follows a fact from the device to whoever reads its consequence.

The form is the W3C `traceparent`, carried in Kafka headers and in gRPC metadata by ourselves.
Within a process it lives in a context variable, which tasks inherit; `logs` puts it on every
line. A traceparent that nobody can read is not an error: the trace starts anew there.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Self

HEADER = "traceparent"
_FORM = re.compile(r"(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?")

_current: ContextVar[Trace | None] = ContextVar("trace", default=None)


@dataclass(frozen=True, slots=True)
class Trace:
    """Where we are in a trace: its id, and the id of the step that caused this one.

    >>> trace = Trace.parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
    >>> trace.trace_id
    '0af7651916cd43dd8448eb211c80319c'
    >>> trace.next_step().trace_id == trace.trace_id
    True
    >>> Trace.parse("nonsense") is None
    True
    """

    trace_id: str
    step_id: str

    @classmethod
    def begin(cls) -> Self:
        return cls(secrets.token_hex(16), secrets.token_hex(8))

    @classmethod
    def parse(cls, text: str | bytes | None) -> Self | None:
        if isinstance(text, bytes):
            text = text.decode("ascii", "replace")
        found = _FORM.fullmatch(text or "")
        if found is None or not int(found[1], 16) or not int(found[2], 16):
            return None
        return cls(found[1], found[2])

    def next_step(self) -> Self:
        return replace(self, step_id=secrets.token_hex(8))

    @property
    def traceparent(self) -> str:
        return f"00-{self.trace_id}-{self.step_id}-01"


def current_trace() -> Trace | None:
    return _current.get()


@contextmanager
def trace_scope(trace: Trace) -> Iterator[Trace]:
    """Within it, `trace` is the current one, also in tasks that are started there."""
    token = _current.set(trace)
    try:
        yield trace
    finally:
        _current.reset(token)


def trace_of(pairs: Iterable[tuple[str, str | bytes | None]] | None) -> Trace | None:
    """The trace that Kafka headers or gRPC metadata carry."""
    for name, value in pairs or ():
        if name == HEADER:
            return Trace.parse(value)
    return None


def trace_or_begin(pairs: Iterable[tuple[str, str | bytes | None]] | None) -> Trace:
    """A step further in the trace that came along, or the first of a new one."""
    carried = trace_of(pairs)
    return Trace.begin() if carried is None else carried.next_step()


def kafka_trace_headers(trace: Trace | None = None) -> list[tuple[str, bytes]]:
    """Headers for a message that is a consequence of `trace`, or of the current one."""
    trace = trace or current_trace()
    return [] if trace is None else [(HEADER, trace.traceparent.encode())]


def rpc_trace_metadata(trace: Trace | None = None) -> list[tuple[str, str]]:
    """Metadata for a call made in `trace`, or in the current one."""
    trace = trace or current_trace()
    return [] if trace is None else [(HEADER, trace.traceparent)]
