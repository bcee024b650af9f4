"""Sends what the journal has, until the gateway has acknowledged all of it.

One batch is under way at a time: whatever is told in the meantime goes with the next, so that
a slow gateway makes batches larger and not the client. Nothing is sent that is not on disk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final

import grpc

from blackjack.facts import CERTAIN, Fact
from casino.gateway.v1 import gateway_pb2 as pb
from casino.gateway.v1.gateway_pb2_grpc import TableGatewayServiceStub
from table_client.backoff import Backoff
from table_client.errors import JournalBehind, LogBehind, Rejected, Replaced
from table_client.journal import Journal

EVENT_OVERHEAD_BYTES: Final = 512
"""What the gateway counts for an event besides its bytes."""

MEND_FIRST: Final = {
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.UNIMPLEMENTED,
}
"""Trying again does not help; anything else may be better in a moment."""


class Reporter:
    """Reports for the journal's table; `open_channel` gives the channel to use for the next try.

    `run` goes on until it is cancelled. It raises a `ClientError`, or the status of a call that
    will never succeed: the journal is then as it was, and nothing in it is lost.
    """

    def __init__(
        self,
        journal: Journal,
        open_channel: Callable[[], grpc.aio.Channel],
        *,
        backoff: Backoff,
    ) -> None:
        self._journal = journal
        self._open_channel = open_channel
        self._backoff = backoff
        self._resume_after = 0
        self._told = asyncio.Event()
        self._progress = asyncio.Condition()

    def tell(self, fact: Fact, *, at: int, device: str = "", confidence: int = CERTAIN) -> int:
        """The number of the event; it is on disk before it is sent."""
        seq = self._journal.append(fact, at=at, device=device, confidence=confidence)
        self._told.set()
        return seq

    def tell_frame(self, seq: int, frame: bytes) -> None:
        """The same for an event that somebody else has numbered, chained and serialised."""
        self._journal.keep(seq, frame)
        self._told.set()

    async def acknowledged(self, seq: int) -> None:
        """Waits until the log has this event, while `run` runs."""
        async with self._progress:
            await self._progress.wait_for(lambda: self._journal.acknowledged_seq >= seq)

    async def run(self) -> None:
        while True:
            try:
                await self._report()
            except grpc.aio.AioRpcError as failed:
                if failed.code() is grpc.StatusCode.ABORTED:
                    raise Replaced(self._journal.table) from failed
                if failed.code() in MEND_FIRST:
                    raise
            except asyncio.InvalidStateError:
                pass  # written to a call that had just ended
            await asyncio.sleep(self._backoff.next_seconds())

    async def _report(self) -> None:
        stub: Any = TableGatewayServiceStub(self._open_channel())
        call = stub.Report()
        try:
            weight_max = await self._begin(call)
            self._backoff.reset()
            ended = asyncio.ensure_future(call.code())
            try:
                while not ended.done():
                    await self._send(call, weight_max)
                    told = asyncio.ensure_future(self._told.wait())
                    await asyncio.wait({told, ended}, return_when=asyncio.FIRST_COMPLETED)
                    told.cancel()
                await _answer(call)  # raises why it ended
            finally:
                ended.cancel()
        finally:
            call.cancel()

    async def _begin(self, call: Any) -> int:
        """Says hello; gives how much a batch may weigh."""
        journal = self._journal
        hello = pb.Hello(
            table_id=journal.table,
            last_seq=journal.last_seq,
            acknowledged_seq=journal.acknowledged_seq,
        )
        await call.write(pb.ReportRequest(hello=hello))
        welcome = (await _answer(call)).welcome
        seq = welcome.resume_after
        if seq and journal.is_new:
            journal.adopt(seq, welcome.hash)
        if seq < journal.base_seq:
            raise LogBehind(log_seq=seq, journal_seq=journal.base_seq)
        if seq > journal.last_seq:
            raise JournalBehind(log_seq=seq, journal_seq=journal.last_seq)
        self._resume_after = seq
        await self._acknowledge(seq)
        return welcome.batch_bytes_max

    async def _send(self, call: Any, weight_max: int) -> None:
        """Everything that the journal has by now."""
        self._told.clear()
        while batch := self._next_batch(weight_max):
            self._journal.sync()
            await call.write(pb.ReportRequest(batch=batch))
            refused = []
            while (answer := await _answer(call)).HasField("refused"):
                refused.append(answer.refused)
            self._check(refused)
            self._resume_after = answer.acknowledged.through_seq
            await self._acknowledge(self._resume_after)

    def _next_batch(self, weight_max: int) -> pb.Batch | None:
        """What is sent next; nothing, when everything was."""
        events = self._journal.after(
            self._resume_after, weight_max=weight_max, overhead=EVENT_OVERHEAD_BYTES
        )
        return pb.Batch(events=events) if events else None

    def _check(self, refused: Sequence[pb.Refused]) -> None:
        """Of a batch nothing may be refused: the next event can never be taken then."""
        for each in refused:
            raise rejected(each)

    async def _acknowledge(self, seq: int) -> None:
        self._journal.acknowledge(seq)
        async with self._progress:
            self._progress.notify_all()


def rejected(refused: pb.Refused) -> Rejected:
    return Rejected(seq=refused.seq, code=word_of(refused), reason=refused.reason)


def word_of(refused: pb.Refused) -> str:
    """The code as the dead letters write it."""
    return pb.RefusalCode.Name(refused.code).removeprefix("REFUSAL_CODE_").lower()


async def _answer(call: Any) -> pb.ReportResponse:
    answer = await call.read()
    if answer is grpc.aio.EOF:  # it ended without an error: a gateway that stops
        raise asyncio.InvalidStateError("the call has ended")
    response: pb.ReportResponse = answer
    return response
