"""What happens is told to every open page: one watch of a service, shared by all who look.

A feed follows a service while somebody looks, and numbers what comes. A page that lost its
connection names the last number it has, and is told what came since, or, where that is too long
ago, to load its list anew. A page that cannot keep up is told the same, instead of growing here.
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
"""How much of what came is kept for those who come back."""
WAITING_MAX: Final = 1_000
"""How much may wait for one page."""
AGAIN_SECONDS: Final = 1.0
BEGUN, RELOAD, LOST, BACK = "begun", "reload", "lost", "back"
_log = logs.logger(__name__)


@dataclass(frozen=True, slots=True)
class FeedEvent:
    """One thing that came; `event` is its kind for the page."""

    id: str
    event: str
    data: str


FeedItem = tuple[str, str]
"""What a follower yields: the kind, and what the page is given."""
KEEP_ALIVE: Final[FeedItem] = ("", "")
"""Nothing has come, and the connection stands."""
Follow = Callable[[], AsyncIterator[FeedItem]]


class SharedFeed:
    """One watch, and all the pages that look at it."""

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
        """All that comes from now on, after what came since `last_id`."""
        queue: asyncio.Queue[FeedEvent | None] = asyncio.Queue(WAITING_MAX)
        missed = self._since(last_id)
        self._pages.add(queue)
        if self._task is None:
            self._task = asyncio.create_task(self._keep_following(), name=f"feed {self._name}")
        try:
            # Named from the first moment: who loses the connection at once knows where to go on.
            yield FeedEvent(self._id() if not missed else last_id, BEGUN, "")
            for each in missed:
                yield each
            if self._is_lost:
                yield FeedEvent(self._id(), LOST, "")
            while (told := await queue.get()) is not None:
                yield told
        finally:
            self._pages.discard(queue)
            if not self._pages and self._task is not None:
                self._task.cancel()
                self._task = None

    def end(self) -> None:
        """Lets every page go: it comes back to whoever serves then."""
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
        return [told for at, told in self._kept if at > int(number)]

    def _id(self) -> str:
        return f"{self._run}-{self._number}"

    def _publish(self, event: str, data: str) -> None:
        self._number += 1
        told = FeedEvent(self._id(), event, data)
        self._kept.append((self._number, told))
        for queue in self._pages:
            if queue.full():  # it cannot keep up: let it begin anew instead
                _replace_waiting(queue, FeedEvent(self._id(), RELOAD, ""))
            else:
                queue.put_nowait(told)

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
            await asyncio.sleep(AGAIN_SECONDS)


def _replace_waiting(queue: asyncio.Queue[FeedEvent | None], what: FeedEvent | None) -> None:
    """In place of all that waits."""
    while not queue.empty():
        queue.get_nowait()
    queue.put_nowait(what)
