"""How far readers of topics are behind: for the System page, and the warning on every page.

The alert desk says whether surveillance is late. It is asked at most every few seconds, however
many pages are open; an answer that is too old to be true is not shown.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import grpc

from casino.operations.v1.readers_pb2 import ListReadersRequest, ListReadersResponse, Reader
from console.grpc.clients import ALERT_DESK, READER_SERVICES, ServiceClients
from console.web.display.labels import counted

FRESH_SECONDS: Final = 3.0
STALE_SECONDS: Final = 30.0
AWAY_SECONDS: Final = 2.0
"""How long a page waits for it."""


class LagWarning:
    """The words on every page; empty while nothing is late."""

    def __init__(
        self, clients: ServiceClients, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clients = clients
        self._clock = clock
        self._words = ""
        self._asked_at = self._answered_at = -STALE_SECONDS
        self._one_at_a_time = asyncio.Lock()

    async def words(self) -> str:
        async with self._one_at_a_time:
            if self._clock() - self._asked_at >= FRESH_SECONDS:
                self._asked_at = self._clock()
                answer = await _ask(self._clients, ALERT_DESK)
                if answer is not None:
                    self._answered_at = self._clock()
                    self._words = " ".join(
                        describe_delay(late.service, late.seconds_behind)
                        for late in answer.late_services
                    )
            return self._words if self._clock() - self._answered_at < STALE_SECONDS else ""


def describe_delay(service: str, seconds: float) -> str:
    """
    >>> describe_delay("surveillance", 12.3)
    'Surveillance is 12 seconds behind. Alerts may be late.'
    """
    behind = counted(max(round(seconds), 1), "second")
    return f"{service.capitalize()} is {behind} behind. Alerts may be late."


@dataclass(frozen=True, slots=True)
class ReaderLag:
    """One reader and one topic, or a service that did not answer."""

    service: str
    reader: str
    topic: str
    unread: int
    oldest: str
    """How long the oldest unread message has waited; empty where everything is read."""


async def list_readers(clients: ServiceClients) -> tuple[list[ReaderLag], list[str]]:
    """Every reader of every service, and what could not be found out, in words."""
    answers = await asyncio.gather(*(_ask(clients, name) for name in READER_SERVICES))
    lines: list[ReaderLag] = []
    unknown: list[str] = []
    for name, answer in zip(READER_SERVICES, answers, strict=True):
        if answer is None:
            unknown.append(f"{name.replace('_', ' ').capitalize()} does not answer.")
            continue
        lines += map(_line, answer.readers)
        if answer.error:
            unknown.append(f"{name.replace('_', ' ').capitalize()}: {answer.error}")
    return lines, unknown


def _line(reader: Reader) -> ReaderLag:
    seconds = max(round(reader.oldest_unread_seconds), 1)
    oldest = counted(seconds, "second") if reader.unread_messages else ""
    service = reader.service.replace("_", " ")
    return ReaderLag(service, reader.reader, reader.topic, reader.unread_messages, oldest)


async def _ask(clients: ServiceClients, service: str) -> ListReadersResponse | None:
    try:
        stub = clients.readers(service)
        return await stub.ListReaders(ListReadersRequest(), timeout=AWAY_SECONDS)
    except grpc.aio.AioRpcError:
        return None


def furthest(lines: Sequence[ReaderLag]) -> list[ReaderLag]:
    """Those that are behind first; the order of services otherwise."""
    return sorted(lines, key=lambda line: not line.unread)
