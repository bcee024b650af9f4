"""What an agent is given, worked on in batches; a message is done when the work on it is.

A message that is waiting when partitions move belongs to somebody else afterwards: it is dropped,
and its new owner reads it again. Before that the one batch under way is brought to its end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final, cast

import faust
from faust.types import Message

from surveillance.transport import Consumer

Work = Callable[[Sequence[Message], Callable[[], bool]], Awaitable[None]]
"""Returns when all that the messages bring about is written. What only their owner may write is
written if they are still ours, which the second argument tells."""
BATCH_MESSAGES_MAX: Final = 200
"""So that a batch takes seconds at most: partitions that are to move wait for its end."""


class Inbox:
    """Of one agent. Messages of a partition are worked on in order, one batch at a time."""

    def __init__(self, app: faust.App, topic: str, work: Work) -> None:
        app.agent(app.topic(topic, key_type=bytes, value_type=bytes), name=topic)(self.fill)
        self._app = app
        self._work = work
        self._waiting: asyncio.Queue[Message] = asyncio.Queue(BATCH_MESSAGES_MAX)
        self._idle = asyncio.Event()
        self._idle.set()

    async def fill(self, stream: Any) -> None:
        """The agent."""
        async for event in stream.noack().events():
            await self._waiting.put(event.message)

    async def empty(self) -> None:
        """Works until it is cancelled."""
        while True:
            batch = [await self._waiting.get()]
            while len(batch) < BATCH_MESSAGES_MAX and not self._waiting.empty():
                batch.append(self._waiting.get_nowait())
            ours = [each for each in batch if self.owns(each)]
            if not ours:
                continue
            self._idle.clear()
            try:
                are_ours = partial(self.owns, ours[-1])
                await self._work(ours, are_ours)
                if are_ours():
                    for message in ours:
                        cast(Consumer, self._app.consumer).finish(message)
            finally:
                self._idle.set()

    async def quiet(self) -> None:
        """Until no batch is under way."""
        await self._idle.wait()

    def owns(self, message: Message) -> bool:
        """Whether the partition is still ours, as it was when the message was read."""
        app = self._app
        return app.flow_control.is_active() and message.generation_id == app.consumer_generation_id
