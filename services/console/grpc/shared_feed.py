"""A live feed: one watch of a service, shared by all open pages.

A feed follows a service while pages are open, and numbers its events. A page that lost its
connection names the last number it has, and receives the events since, or, if these are no longer
kept, an instruction to reload. A page that cannot keep up reloads, too: its queue is
bounded.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Final

import grpc

from runtime import logs

KEPT: Final = 1_000
"""Events kept for pages that reconnect."""
WAITING_MAX: Final = 1_000
"""The most events queued for one page."""
RETRY_SECONDS: Final = 1.0
BEGUN, RELOAD, LOST, BACK = "begun", "reload", "lost", "back"
_log = logs.logger(__name__)


@dataclass(frozen=True, slots=True)
class FeedEvent:
    """An event of the feed; `event` is its name in the stream."""

    id: str
    event: str
    data: str


FeedItem = tuple[str, str]
"""The items of a follower: event name and data."""
KEEP_ALIVE: Final[FeedItem] = ("", "")
"""No event, but the connection is alive."""
Follow = Callable[[], AsyncIterator[FeedItem]]


class SharedFeed:
    """One watch, and the pages subscribed to it."""

    def __init__(self, name: str, follow: Follow) -> None:
        self._name = name
        self._follow = follow
        self._run = secrets.token_hex(4)
        self._number = 0
        self._kept: deque[tuple[int, FeedEvent]] = deque(maxlen=KEPT)
        self._pages: set[asyncio.Queue[FeedEvent | None]] = set()
        self._task: asyncio.Task[None] | None = None
        self._is_lost = False

    @property
    def pages(self) -> int:
        return len(self._pages)

    async def subscribe(self, last_id: str) -> AsyncIterator[FeedEvent]:
        """Yield the events since `last_id`, then all new ones."""
        queue: asyncio.Queue[FeedEvent | None] = asyncio.Queue(WAITING_MAX)
        missed = self._since(last_id)
        self._pages.add(queue)
        if self._task is None:
            self._task = asyncio.create_task(self._keep_following(), name=f"feed {self._name}")
        try:
            # The first event carries an id, so that a page can resume from the very beginning.
            yield FeedEvent(self._id() if not missed else last_id, BEGUN, "")
            for missed_event in missed:
                yield missed_event
            if self._is_lost:
                yield FeedEvent(self._id(), LOST, "")
            while (event := await queue.get()) is not None:
                yield event
        finally:
            self._pages.discard(queue)
            if not self._pages and self._task is not None:
                self._task.cancel()
                self._task = None

    def end(self) -> None:
        """End all subscriptions: the pages reconnect."""
        for queue in self._pages:
            _replace_waiting(queue, None)

    def _since(self, last_id: str) -> list[FeedEvent]:
        if not last_id:
            return []
        run, _, number = last_id.partition("-")
        first = self._kept[0][0] if self._kept else self._number + 1
        known = run == self._run and number.isdecimal() and int(number) + 1 >= first
        if not known:
            return [FeedEvent(self._id(), RELOAD, "")]
        return [event for at, event in self._kept if at > int(number)]

    def _id(self) -> str:
        return f"{self._run}-{self._number}"

    def _publish(self, event: str, data: str) -> None:
        self._number += 1
        published = FeedEvent(self._id(), event, data)
        self._kept.append((self._number, published))
        for queue in self._pages:
            if queue.full():  # the page cannot keep up: let it reload
                _replace_waiting(queue, FeedEvent(self._id(), RELOAD, ""))
            else:
                queue.put_nowait(published)

    async def _keep_following(self) -> None:
        while True:
            try:
                async for event, data in self._follow():
                    if self._is_lost:
                        self._is_lost = False
                        self._publish(BACK, "")
                    if event:
                        self._publish(event, data)
            except grpc.aio.AioRpcError as error:
                _log.warning("feed lost", feed=self._name, reason=error.details())
            except Exception:
                _log.error("feed failed", feed=self._name, exc_info=True)
            if not self._is_lost:
                self._is_lost = True
                self._publish(LOST, "")
            await asyncio.sleep(RETRY_SECONDS)


def _replace_waiting(queue: asyncio.Queue[FeedEvent | None], event: FeedEvent | None) -> None:
    """Replace the queued events by this one."""
    while not queue.empty():
        queue.get_nowait()
    queue.put_nowait(event)
