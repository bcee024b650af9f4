"""Lag of consumers, for the System page, and the warning on every page.

The alert desk reports whether surveillance is late. It is queried at most every few seconds,
however many pages are open; a stale response is not shown.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import grpc

from blackjack.display_names import words_of
from casino.operations.v1.readers_pb2 import ListReadersRequest, ListReadersResponse, Reader
from console.grpc.clients import ALERT_DESK, READER_SERVICES, ServiceClients
from console.web.display.labels import plural

FRESH_SECONDS: Final = 3.0
STALE_SECONDS: Final = 30.0
AWAY_SECONDS: Final = 2.0
"""Deadline of the call: a page waits for it."""


class LagWarning:
    """The warning on every page; empty while nothing is late."""

    def __init__(
        self, clients: ServiceClients, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clients = clients
        self._clock = clock
        self._text = ""
        self._queried_at = self._answered_at = -STALE_SECONDS
        self._lock = asyncio.Lock()

    async def text(self) -> str:
        async with self._lock:
            if self._clock() - self._queried_at >= FRESH_SECONDS:
                self._queried_at = self._clock()
                answer = await _query(self._clients, ALERT_DESK)
                if answer is not None:
                    self._answered_at = self._clock()
                    self._text = " ".join(
                        describe_delay(late.service, late.seconds_behind)
                        for late in answer.late_services
                    )
            return self._text if self._clock() - self._answered_at < STALE_SECONDS else ""


def describe_delay(service: str, seconds: float) -> str:
    """Write the warning for a service that is behind.

    >>> describe_delay("surveillance", 12.3)
    'Surveillance is 12 seconds behind. Alerts may be late.'
    """
    behind = plural(max(round(seconds), 1), "second")
    return f"{service.capitalize()} is {behind} behind. Alerts may be late."


@dataclass(frozen=True, slots=True)
class ReaderLag:
    """The lag of one reader in one topic."""

    service: str
    reader: str
    topic: str
    unread: int
    oldest: str
    """The age of the oldest unread message; empty if there is none."""


async def list_readers(clients: ServiceClients) -> tuple[list[ReaderLag], list[str]]:
    """List the readers of all services, and notices about services without a response."""
    answers = await asyncio.gather(*(_query(clients, name) for name in READER_SERVICES))
    lines: list[ReaderLag] = []
    unknown: list[str] = []
    for name, answer in zip(READER_SERVICES, answers, strict=True):
        if answer is None:
            unknown.append(f"{words_of(name)} is unavailable.")
            continue
        lines += map(_line, answer.readers)
        if answer.error:
            unknown.append(f"{words_of(name)}: {answer.error}")
    return lines, unknown


def _line(reader: Reader) -> ReaderLag:
    seconds = max(round(reader.oldest_unread_seconds), 1)
    oldest = plural(seconds, "second") if reader.unread_messages else ""
    service = words_of(reader.service)
    return ReaderLag(service, reader.reader, reader.topic, reader.unread_messages, oldest)


async def _query(clients: ServiceClients, service: str) -> ListReadersResponse | None:
    try:
        stub = clients.readers(service)
        return await stub.ListReaders(ListReadersRequest(), timeout=AWAY_SECONDS)
    except grpc.aio.AioRpcError:
        return None


def sort_by_lag(lines: Sequence[ReaderLag]) -> list[ReaderLag]:
    """Sort readers that are behind to the top, and keep the order of services otherwise."""
    return sorted(lines, key=lambda line: not line.unread)
