"""One session per table: the newest call for a table wins, and the one before it is ended.

A controller that lost its connection comes back long before the old one is found dead; it must not
wait for that. The batch that the older call has in progress is finished first, so that two never
write for one table at once, and the newer one gets the position of the log after it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol, TypeVar

from table_gateway.domain.stream import Accepted, EventDecision, TableStream
from table_gateway.grpc.errors import GatewayError, Superseded
from table_gateway.kafka.dead_letters import StoredDeadLetter
from table_gateway.kafka.ingest import BatchOutcome, EventIngest

T = TypeVar("T")
STALE_SECONDS_MAX: Final = 10.0
"""A leader that was replaced learns it within its session; the brokers' default is 9 s."""
AGAIN_SECONDS: Final = 0.2


class HeadSource(Protocol):
    async def query(self, table: str) -> TableStream: ...


class _TableSlot:
    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.session: Session | None = None
        self.arrived_at = 0
        """When the last event accepted here arrived at its controller, by the gateway's clock;
        0: not known."""


class Session:
    """A call that reports for a table, until it is ended."""

    def __init__(self, table: str, peer: str, slot: _TableSlot, ingest: EventIngest) -> None:
        self.stream = TableStream(table)
        self._peer = peer
        self._slot = slot
        self._ingest = ingest
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def end(self, reason: GatewayError) -> None:
        """End the call with this reason, at once or as soon as its batch is written."""
        if not self._ended.done():
            self._ended.set_exception(reason)
            self._ended.exception()  # mark it as retrieved: the call may have ended by itself

    async def begin(self, heads: HeadSource, acknowledged_seq: int = 0) -> None:
        """Begin where the log ends.

        A log that is missing acknowledged events is read again for a while: a leader that was
        paused and replaced does not know it yet, and answers for its old log.
        """
        await finish(self._begin(heads, acknowledged_seq))

    async def append(
        self, frames: Sequence[bytes], times: Sequence[int] = (), waits: Sequence[int] = ()
    ) -> BatchOutcome:
        """Write the batch, even if the call ends in the meantime."""
        return await finish(self._append(frames, times, waits))

    async def unless_ended(self, waiting: Awaitable[T]) -> T:
        """Return the awaited result, or raise the reason once this call is ended."""
        work: asyncio.Future[T] = asyncio.ensure_future(waiting)
        either: set[asyncio.Future[Any]] = {work, self._ended}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if self._ended.done():
                self._ended.result()
            return work.result()
        finally:
            work.cancel()

    async def _begin(self, heads: HeadSource, acknowledged_seq: int) -> None:
        clock = asyncio.get_running_loop().time
        until = clock() + STALE_SECONDS_MAX
        async with self._slot.lock:
            self._check()
            self.stream = await heads.query(self.stream.table)
            while self.stream.seq < acknowledged_seq and clock() < until:
                await asyncio.sleep(AGAIN_SECONDS)
                self._check()
                self.stream = await heads.query(self.stream.table)

    async def _append(
        self, frames: Sequence[bytes], times: Sequence[int], waits: Sequence[int]
    ) -> BatchOutcome:
        async with self._slot.lock:
            self._check()
            try:
                outcome = await self._ingest.append(
                    self.stream,
                    frames,
                    times,
                    waits,
                    peer=self._peer,
                    arrived_at=self._slot.arrived_at,
                )
            except BaseException:
                # It is unknown which events the brokers have: the next call reads the log.
                if self._slot.session is self:
                    self._slot.session = None
                raise
            self.stream = outcome.stream
            self._slot.arrived_at = outcome.arrived_at
            return outcome

    def _check(self) -> None:
        if self._ended.done():
            self._ended.result()
        if self._slot.session is not self:
            raise Superseded(self.stream.table)


async def finish(work: Coroutine[Any, Any, T]) -> T:
    """Finish the work even if the caller goes away: no table is left in the middle of a batch."""
    task = asyncio.create_task(work)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return await asyncio.shield(task)


class SessionRegistry:
    """Every table that has reported here, and its session."""

    def __init__(
        self, ingest: EventIngest, heads: HeadSource, *, count: Callable[[int], object]
    ) -> None:
        self._ingest = ingest
        self._heads = heads
        self._count = count
        self._slots: dict[str, _TableSlot] = {}
        self._sessions: set[Session] = set()
        self._closed: GatewayError | None = None

    @asynccontextmanager
    async def open_session(
        self, table: str, peer: str, *, acknowledged_seq: int = 0
    ) -> AsyncIterator[Session]:
        """A session from where the log ends, until another one begins or the call ends."""
        if self._closed is not None:
            raise self._closed
        slot = self._slots.setdefault(table, _TableSlot())
        session = Session(table, peer, slot, self._ingest)
        older, slot.session = slot.session, session
        if older is not None:
            older.end(Superseded(table))
        self._sessions.add(session)
        self._count(len(self._sessions))
        try:
            await session.begin(self._heads, acknowledged_seq)
            yield session
        finally:
            self._sessions.discard(session)
            self._count(len(self._sessions))
            if slot.session is session:
                slot.session = None

    async def retry(self, dead_letter: StoredDeadLetter, *, author: str) -> EventDecision:
        """Judge a dead letter again between two batches of its table's session, which goes on:
        this is no newer call of the table's."""
        if self._closed is not None:
            raise self._closed
        slot = self._slots.setdefault(dead_letter.table, _TableSlot())

        async def judge() -> EventDecision:
            async with slot.lock:
                stream = await self._heads.query(dead_letter.table)
                decision = await self._ingest.retry(stream, dead_letter, author=author)
                if isinstance(decision, Accepted) and slot.session is not None:
                    slot.session.stream = decision.stream
                return decision

        return await finish(judge())

    def close(self, reason: GatewayError) -> None:
        """End every call, and let no other begin."""
        self._closed = reason
        self.end_calls(reason)

    def end_calls(self, reason: GatewayError) -> None:
        """End every call; others may begin."""
        for session in tuple(self._sessions):
            session.end(reason)
