"""What an agent is given, worked on as it comes; a message is done when what it changed is kept.

What messages tell is written at once, and what is remembered of them for many together: to keep
takes a transaction of each partition. A message that is waiting when partitions move belongs to
somebody else afterwards: it is dropped, and its new owner reads it again. Before that what is
under way is brought to its end.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Final, cast

import faust
from faust.types import Message

from surveillance.kafka.transport import Consumer

Tell = Callable[[Sequence[Message]], Awaitable[None]]
"""Works on messages; what they tell may still be on its way when it returns."""
Keep = Callable[[Callable[[], bool]], Awaitable[None]]
"""Returns when all that was told is written. Then it writes what only the owner of the messages may
write, if they are still ours, which the argument tells."""
AT_ONCE_MAX: Final = 50
"""Messages that are told together: what is urgent among the next ones waits for them."""
WAITING_MAX: Final = 200
"""Messages that were read and not worked on yet."""
FULL: Final = 50
"""So many of them: what is urgent among the next waits for all of them."""
KEPT_MESSAGES_MAX: Final = 2_000
"""So that it takes seconds at most: partitions that are to move wait for it."""
KEPT_SECONDS_MAX: Final = 1.0
"""Published again after a crash."""
BEHIND_SECONDS_MAX: Final = 4.0
"""The same while messages wait: what changes often is stored less often."""


class Inbox:
    """Of one agent. Messages of a partition are done in order."""

    def __init__(self, app: faust.App, topic: str, tell: Tell, keep: Keep) -> None:
        app.agent(app.topic(topic, key_type=bytes, value_type=bytes), name=topic)(self.fill)
        self._app = app
        self._tell = tell
        self._keep = keep
        self._waiting: asyncio.Queue[Message] = asyncio.Queue(WAITING_MAX)
        self._told: list[Message] = []
        """Not kept yet."""
        self._keep_at = 0.0
        self._idle = asyncio.Event()
        self._idle.set()

    async def fill(self, stream: Any) -> None:
        """The agent."""
        async for event in stream.noack().events():
            await self._waiting.put(event.message)

    async def empty(self) -> None:
        """Works until it is cancelled."""
        try:
            while True:
                await self._go_on()
        finally:
            self._idle.set()

    async def _go_on(self) -> None:
        some = await self._take()
        if self._told and not self._are_ours():
            await self._end()
        ours = [each for each in some if self.owns(each)]
        if ours:
            await self._work(ours)
        if self._told and self._is_due():
            await self._end()

    def _is_due(self) -> bool:
        """Whether it is time to keep what was told."""
        late = time.monotonic() - self._keep_at
        is_behind = not self._waiting.empty()
        return len(self._told) >= KEPT_MESSAGES_MAX or late >= (
            BEHIND_SECONDS_MAX - KEPT_SECONDS_MAX if is_behind else 0.0
        )

    @property
    def is_full(self) -> bool:
        """Whether so many messages wait that more should not be made for it."""
        return self._waiting.qsize() >= FULL

    async def quiet(self) -> None:
        """Until nothing is under way."""
        await self._idle.wait()

    def owns(self, message: Message) -> bool:
        """Whether the partition is still ours, as it was when the message was read."""
        app = self._app
        return app.flow_control.is_active() and message.generation_id == app.consumer_generation_id

    async def _take(self) -> list[Message]:
        """What waits, or comes before it is time to keep what was told."""
        some: list[Message] = []
        with suppress(TimeoutError):
            async with asyncio.timeout(
                max(0.0, self._keep_at - time.monotonic()) if self._told else None
            ):
                some.append(await self._waiting.get())
        while some and len(some) < AT_ONCE_MAX and not self._waiting.empty():
            some.append(self._waiting.get_nowait())
        return some

    async def _work(self, messages: Sequence[Message]) -> None:
        if not self._told:
            self._idle.clear()
            self._keep_at = time.monotonic() + KEPT_SECONDS_MAX
        self._told += messages
        await self._tell(messages)

    async def _end(self) -> None:
        await self._keep(self._are_ours)
        if self._are_ours():
            for message in self._told:
                cast(Consumer, self._app.consumer).finish(message)
        self._told.clear()
        self._idle.set()

    def _are_ours(self) -> bool:
        return bool(self._told) and self.owns(self._told[-1])
