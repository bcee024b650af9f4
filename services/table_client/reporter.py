"""Sends the events of an outbox until the gateway has acknowledged all of them.

One batch is in progress at a time: events that are reported in the meantime go with the next, so
that a slow gateway makes batches larger and not the client. Nothing is sent that is not on disk;
a thread waits for the disk, so that the tables of one process do not wait for each other.

An event that is rejected does not hold up the table: it is kept with its reason, the operator of
the table is notified, a gap is declared, and the events after it are sent late.
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
from table_client.errors import LogBehind, OutboxBehind, Rejected, Replaced
from table_client.outbox import Outbox
from table_client.rejected_events import RejectedEvent
from wire.events import EVENT_BYTES_MAX

EVENT_OVERHEAD_BYTES: Final = 512
"""What the gateway counts for an event besides its bytes."""

WAIT_US_MIN: Final = 100_000
"""Events that are sent within this time are sent at once, and no wait is stated for them."""

NOT_RETRYABLE: Final = {
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.UNIMPLEMENTED,
}
"""Another try does not help; any other status may be better in a moment."""

NEEDS_A_PERSON: Final = {pb.REJECTION_CODE_OUT_OF_ORDER, pb.REJECTION_CODE_GAP_TOO_LARGE}
"""The numbers themselves are wrong: one more declared gap would not fix them."""

_log = logs.logger(__name__)


def log_rejected(rejected: RejectedEvent) -> None:
    _log.error(
        "event rejected",
        table=rejected.table,
        seq=rejected.seq,
        code=rejected.code,
        reason=rejected.reason,
    )


class Reporter:
    """Reports for the outbox's table; `open_channel` returns the channel for the next try.

    `run` goes on until it is canceled. It raises a `ClientError`, or the status of a call that
    will never succeed: the outbox is then as it was, and nothing in it is lost. `on_rejected` is
    called with each event that was rejected.
    """

    def __init__(
        self,
        outbox: Outbox,
        open_channel: Callable[[], grpc.aio.Channel],
        *,
        backoff: Backoff,
        on_rejected: Callable[[RejectedEvent], None] = log_rejected,
    ) -> None:
        self._outbox = outbox
        self._open_channel = open_channel
        self._backoff = backoff
        self._on_rejected = on_rejected
        self._resume_after = 0
        self._reported = asyncio.Event()
        self._progress = asyncio.Condition()

    def report(self, fact: Fact, *, at: int, device: str = "", confidence: int = CERTAIN) -> int:
        """Append an event and return its number; it is on disk before it is sent."""
        seq = self._outbox.append(fact, at=at, device=device, confidence=confidence)
        self._reported.set()
        return seq

    def report_frame(self, seq: int, frame: bytes, *, reported_at: int = 0) -> None:
        """Append an event that was numbered, chained and serialized elsewhere.

        `reported_at` is when it should have been reported here, if that is not now."""
        self._outbox.append_frame(seq, frame, reported_at=reported_at)
        self._reported.set()

    async def acknowledged(self, seq: int) -> None:
        """Wait until the log has this event, while `run` runs; or raise `Rejected`."""
        async with self._progress:
            await self._progress.wait_for(lambda: self._outbox.has_arrived(seq))
        if self._outbox.is_rejected(seq):
            for rejected in self._outbox.rejected_events():
                if rejected.seq == seq:
                    raise Rejected(seq=seq, code=rejected.code, reason=rejected.reason)

    async def run(self) -> None:
        while True:
            try:
                await self._run_call()
            except grpc.aio.AioRpcError as failed:
                if failed.code() is grpc.StatusCode.ABORTED:
                    raise Replaced(self._outbox.table) from failed
                if failed.code() in NOT_RETRYABLE:
                    raise
            except asyncio.InvalidStateError:
                pass  # written to a call that had just ended
            await asyncio.sleep(self._backoff.next_seconds())

    async def _run_call(self) -> None:
        stub: Any = TableGatewayServiceStub(self._open_channel())
        call = stub.Report()
        try:
            weight_max = await self._begin(call)
            self._backoff.reset()
            ended = asyncio.ensure_future(call.code())
            try:
                while not ended.done():
                    await self._send(call, weight_max)
                    reported = asyncio.ensure_future(self._reported.wait())
                    await asyncio.wait({reported, ended}, return_when=asyncio.FIRST_COMPLETED)
                    reported.cancel()
                await _read_response(call)  # raises why it ended
            finally:
                ended.cancel()
        finally:
            call.cancel()

    async def _begin(self, call: Any) -> int:
        """Send the hello; return the maximum size of a batch."""
        outbox = self._outbox
        hello = pb.Hello(
            table_id=outbox.table,
            last_seq=outbox.last_seq,
            acknowledged_seq=outbox.acknowledged_seq,
        )
        await call.write(pb.ReportRequest(hello=hello))
        welcome = (await _read_response(call)).welcome
        seq = welcome.resume_after
        if seq and outbox.is_new:
            await asyncio.to_thread(outbox.adopt, seq, welcome.hash)
        if seq < outbox.base_seq:
            raise LogBehind(log_seq=seq, outbox_seq=outbox.base_seq)
        if seq > outbox.last_seq:
            raise OutboxBehind(log_seq=seq, outbox_seq=outbox.last_seq)
        self._resume_after = seq
        await self._acknowledge(seq)
        return welcome.batch_bytes_max

    async def _send(self, call: Any, weight_max: int) -> None:
        """Send everything that the outbox has by now."""
        self._reported.clear()
        while await self._send_next(call, weight_max) or await self._send_late(call, weight_max):
            pass
        if self._outbox.can_compact():
            await asyncio.to_thread(self._outbox.compact)

    async def _send_next(self, call: Any, weight_max: int) -> bool:
        """Send one batch of new events; return whether there were any."""
        first = self._outbox.first_after(self._resume_after)
        batch = self._next_batch(first, weight_max)
        if batch is None:
            return False
        await asyncio.to_thread(self._outbox.sync)
        rejections, through = await _send_batch(call, batch)
        self._resume_after = through
        await self._handle_rejections(first, rejections)
        await self._acknowledge(through)
        return True

    def _next_batch(self, first: int, weight_max: int) -> pb.Batch | None:
        """The next batch, from this number on; None when everything was sent."""
        overhead = EVENT_OVERHEAD_BYTES
        events = self._outbox.after(first - 1, weight_max=weight_max, overhead=overhead)
        return self._batch(first, events) if events else None

    def _batch(self, first: int, events: list[bytes]) -> pb.Batch:
        """Events from this number on, with their waits if one of them is long enough."""
        waits = self._outbox.waits_us(first, len(events))
        return pb.Batch(events=events, waits_us=waits if max(waits) >= WAIT_US_MIN else ())

    async def _handle_rejections(self, first: int, rejections: Sequence[pb.Rejected]) -> None:
        if rejections:  # the others were rejected because of the first
            seq = self._outbox.number_at(first, rejections[0].index)
            await self._reject(seq, rejections[0])

    async def _send_late(self, call: Any, weight_max: int) -> bool:
        """Send one batch of events within declared gaps; return whether there were any."""
        outbox = self._outbox
        late = [seq for seq in outbox.late if seq <= self._resume_after]
        batch: list[bytes] = []
        for seq in late:
            batch.append(outbox.event(seq))
            if (len(batch) + 1) * (EVENT_OVERHEAD_BYTES + EVENT_BYTES_MAX) > weight_max:
                break
        if not batch:
            return False
        waits = [wait for seq in late[: len(batch)] for wait in outbox.waits_us(seq, 1)]
        rejections, _ = await _send_batch(call, pb.Batch(events=batch, waits_us=waits))
        for rejection in rejections:
            await self._reject(late[rejection.index], rejection)
        outbox.acknowledge_late(late[len(batch) - 1])
        await self._acknowledge(self._resume_after)
        return True

    async def _reject(self, seq: int, rejection: pb.Rejected) -> None:
        code = code_name(rejection)
        if self._outbox.is_declaration(seq) or rejection.code in NEEDS_A_PERSON:
            raise Rejected(seq=seq, code=code, reason=rejection.reason)
        event = await asyncio.to_thread(
            self._outbox.reject, seq, code=code, reason=rejection.reason
        )
        self._on_rejected(event)

    async def _acknowledge(self, seq: int) -> None:
        self._outbox.acknowledge(seq)
        async with self._progress:
            self._progress.notify_all()


def code_name(rejection: pb.Rejected) -> str:
    """The code as it is written in dead letters."""
    return pb.RejectionCode.Name(rejection.code).removeprefix("REJECTION_CODE_").lower()


async def _send_batch(call: Any, batch: pb.Batch) -> tuple[list[pb.Rejected], int]:
    """Send one batch; return the rejections in order, and the last number in the log."""
    await call.write(pb.ReportRequest(batch=batch))
    rejections: list[pb.Rejected] = []
    while (response := await _read_response(call)).HasField("rejected"):
        rejections.append(response.rejected)
    return rejections, response.acknowledged.through_seq


async def _read_response(call: Any) -> pb.ReportResponse:
    response = await call.read()
    if response is grpc.aio.EOF:  # it ended without an error: a gateway that stops
        raise asyncio.InvalidStateError("the call has ended")
    assert isinstance(response, pb.ReportResponse)
    return response
