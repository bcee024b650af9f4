"""Sends what the journal has, until the gateway has acknowledged all of it.

One batch is under way at a time: whatever is told in the meantime goes with the next, so that
a slow gateway makes batches larger and not the client. Nothing is sent that is not on disk;
the disk is waited for in a thread, so that the tables of one process do not wait for each other.

An event that is refused does not hold up the table: it is set aside with its reason, whoever
runs the table is told, a gap is declared, and what came after it is sent late.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final

import grpc

from blackjack.facts import CERTAIN, Fact
from casino.gateway.v1 import gateway_pb2 as pb
from casino.gateway.v1.gateway_pb2_grpc import TableGatewayServiceStub
from runtime import logs
from table_client.backoff import Backoff
from table_client.errors import JournalBehind, LogBehind, Rejected, Replaced
from table_client.outbox import Journal
from table_client.rejected_events import SetAside
from wire.events import EVENT_BYTES_MAX

EVENT_OVERHEAD_BYTES: Final = 512
"""What the gateway counts for an event besides its bytes."""

WAIT_US_MIN: Final = 100_000
"""What is sent within this time of being told is sent at once, and nothing is said of it."""

MEND_FIRST: Final = {
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.UNIMPLEMENTED,
}
"""Trying again does not help; anything else may be better in a moment."""

FOR_PEOPLE: Final = {pb.REFUSAL_CODE_OUT_OF_ORDER, pb.REFUSAL_CODE_GAP_TOO_LARGE}
"""The numbers themselves are wrong: to declare one more gap would not mend them."""

_log = logs.logger(__name__)


def log_refused(refused: SetAside) -> None:
    _log.error(
        "event refused and set aside",
        table=refused.table,
        seq=refused.seq,
        code=refused.code,
        reason=refused.reason,
    )


class Reporter:
    """Reports for the journal's table; `open_channel` gives the channel to use for the next try.

    `run` goes on until it is cancelled. It raises a `ClientError`, or the status of a call that
    will never succeed: the journal is then as it was, and nothing in it is lost. `on_refused` is
    told of each event that was set aside.
    """

    def __init__(
        self,
        journal: Journal,
        open_channel: Callable[[], grpc.aio.Channel],
        *,
        backoff: Backoff,
        on_refused: Callable[[SetAside], None] = log_refused,
    ) -> None:
        self._journal = journal
        self._open_channel = open_channel
        self._backoff = backoff
        self._on_refused = on_refused
        self._resume_after = 0
        self._told = asyncio.Event()
        self._progress = asyncio.Condition()

    def tell(self, fact: Fact, *, at: int, device: str = "", confidence: int = CERTAIN) -> int:
        """The number of the event; it is on disk before it is sent."""
        seq = self._journal.append(fact, at=at, device=device, confidence=confidence)
        self._told.set()
        return seq

    def tell_frame(self, seq: int, frame: bytes, *, told_at: int = 0) -> None:
        """The same for an event that somebody else has numbered, chained and serialised.

        `told_at` is when it should have been told here, if that is not now."""
        self._journal.keep(seq, frame, told_at=told_at)
        self._told.set()

    async def acknowledged(self, seq: int) -> None:
        """Waits until the log has this event, while `run` runs. Raises `Rejected`."""
        async with self._progress:
            await self._progress.wait_for(lambda: self._journal.has_arrived(seq))
        if self._journal.is_aside(seq):
            for refused in self._journal.set_aside_before():
                if refused.seq == seq:
                    raise Rejected(seq=seq, code=refused.code, reason=refused.reason)

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
            await asyncio.to_thread(journal.adopt, seq, welcome.hash)
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
        while await self._send_next(call, weight_max) or await self._send_late(call, weight_max):
            pass
        if self._journal.can_begin_anew():
            await asyncio.to_thread(self._journal.begin_anew)

    async def _send_next(self, call: Any, weight_max: int) -> bool:
        """One batch after what the log has; whether there was any."""
        first = self._journal.first_after(self._resume_after)
        batch = self._next_batch(first, weight_max)
        if batch is None:
            return False
        await asyncio.to_thread(self._journal.sync)
        refused, through = await _report(call, batch)
        self._resume_after = through
        await self._take_refusals(first, refused)
        await self._acknowledge(through)
        return True

    def _next_batch(self, first: int, weight_max: int) -> pb.Batch | None:
        """What is sent next, from this number on; nothing, when everything was."""
        overhead = EVENT_OVERHEAD_BYTES
        events = self._journal.after(first - 1, weight_max=weight_max, overhead=overhead)
        return self._batch(first, events) if events else None

    def _batch(self, first: int, events: list[bytes]) -> pb.Batch:
        """Events from this number on, and how long they have been here if that is worth a word."""
        waits = self._journal.waits_us(first, len(events))
        return pb.Batch(events=events, waits_us=waits if max(waits) >= WAIT_US_MIN else ())

    async def _take_refusals(self, first: int, refused: Sequence[pb.Refused]) -> None:
        if refused:  # what follows it is refused for its sake
            seq = self._journal.number_at(first, refused[0].index)
            await self._set_aside(seq, refused[0])

    async def _send_late(self, call: Any, weight_max: int) -> bool:
        """One batch of what lies within gaps that the log has; whether there was any."""
        journal = self._journal
        late = [seq for seq in journal.late if seq <= self._resume_after]
        batch: list[bytes] = []
        for seq in late:
            batch.append(journal.event(seq))
            if (len(batch) + 1) * (EVENT_OVERHEAD_BYTES + EVENT_BYTES_MAX) > weight_max:
                break
        if not batch:
            return False
        waits = [each for seq in late[: len(batch)] for each in journal.waits_us(seq, 1)]
        refused, _ = await _report(call, pb.Batch(events=batch, waits_us=waits))
        for each in refused:
            await self._set_aside(late[each.index], each)
        journal.late_arrived(late[len(batch) - 1])
        await self._acknowledge(self._resume_after)
        return True

    async def _set_aside(self, seq: int, refused: pb.Refused) -> None:
        code = word_of(refused)
        if self._journal.is_declaration(seq) or refused.code in FOR_PEOPLE:
            raise Rejected(seq=seq, code=code, reason=refused.reason)
        aside = await asyncio.to_thread(
            self._journal.set_aside, seq, code=code, reason=refused.reason
        )
        self._on_refused(aside)

    async def _acknowledge(self, seq: int) -> None:
        self._journal.acknowledge(seq)
        async with self._progress:
            self._progress.notify_all()


def word_of(refused: pb.Refused) -> str:
    """The code as the dead letters write it."""
    return pb.RefusalCode.Name(refused.code).removeprefix("REFUSAL_CODE_").lower()


async def _report(call: Any, batch: pb.Batch) -> tuple[list[pb.Refused], int]:
    """Sends one batch; gives what was refused, in order, and how far the log is."""
    await call.write(pb.ReportRequest(batch=batch))
    refused = []
    while (answer := await _answer(call)).HasField("refused"):
        refused.append(answer.refused)
    return refused, answer.acknowledged.through_seq


async def _answer(call: Any) -> pb.ReportResponse:
    answer = await call.read()
    if answer is grpc.aio.EOF:  # it ended without an error: a gateway that stops
        raise asyncio.InvalidStateError("the call has ended")
    response: pb.ReportResponse = answer
    return response
