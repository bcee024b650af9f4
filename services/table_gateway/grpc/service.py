"""The gRPC service: messages in and out, and no decisions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc

from casino.gateway.v1 import gateway_pb2 as pb
from casino.gateway.v1.gateway_pb2_grpc import (
    TableGatewayServiceServicer,
    add_TableGatewayServiceServicer_to_server,
)
from runtime import logs
from runtime.rpc.access import Access
from runtime.rpc.calls import caller_name, current_peer
from runtime.rpc.server import Servicer
from runtime.tracing import new_trace
from table_gateway.domain.stream import Duplicate, EventDecision, EventRejection, RejectionCode
from table_gateway.grpc.errors import HelloExpected, NotRetryable, TableNotPermitted
from table_gateway.grpc.sessions import Session, SessionRegistry
from table_gateway.kafka.dead_letters import DeadLetterReader, StoredDeadLetter
from table_gateway.kafka.ingest import BatchOutcome
from wire import decode_event

SERVICE = "casino.gateway.v1.TableGatewayService"
TABLES = Access(peers={"table/*"})
WATCHERS = Access(peers={"service/console"}, roles={"surveillance"}, trusted={"operator/*"})
"""Who retries dead letters: those who watch the tables, and run none."""
POLICY = {
    f"/{SERVICE}/Report": TABLES,
    f"/{SERVICE}/ReportOnce": TABLES,
    f"/{SERVICE}/RetryDeadLetter": WATCHERS,
}

Context = grpc.aio.ServicerContext[Any, Any]
_CODES = {
    RejectionCode.MALFORMED: pb.REJECTION_CODE_MALFORMED,
    RejectionCode.OVERSIZED: pb.REJECTION_CODE_OVERSIZED,
    RejectionCode.FOREIGN: pb.REJECTION_CODE_FOREIGN,
    RejectionCode.CHAIN_BROKEN: pb.REJECTION_CODE_CHAIN_BROKEN,
    RejectionCode.OUT_OF_ORDER: pb.REJECTION_CODE_OUT_OF_ORDER,
    RejectionCode.CONFLICT: pb.REJECTION_CODE_CONFLICT,
    RejectionCode.GAP_TOO_LARGE: pb.REJECTION_CODE_GAP_TOO_LARGE,
    RejectionCode.INVALID_TIME: pb.REJECTION_CODE_INVALID_TIME,
}
_log = logs.logger(__name__)


class TableGateway(TableGatewayServiceServicer):
    """Reports of tables, each with its own certificate; and retries of dead letters."""

    def __init__(
        self, registry: SessionRegistry, dead_letters: DeadLetterReader, *, batch_bytes_max: int
    ) -> None:
        self._registry = registry
        self._dead_letters = dead_letters
        self._batch_bytes_max = batch_bytes_max

    def servicer(self) -> Servicer:
        return Servicer(SERVICE, lambda to: add_TableGatewayServiceServicer_to_server(self, to))

    async def Report(  # type: ignore[override]  # noqa: N802
        self, requests: AsyncIterator[pb.ReportRequest], context: Context
    ) -> None:
        # One batch at a time: while its events are on their way nothing more is read, so that
        # slow brokers slow the controller, by the flow control of its own stream.
        del requests  # read through the context: such a read can be abandoned
        hello = _parse_hello(await context.read())
        peer = _check_table(hello.table_id)
        async with self._registry.open_session(
            hello.table_id, peer, acknowledged_seq=hello.acknowledged_seq
        ) as session:
            _log_missing_events(hello, session.stream.seq)
            welcome = pb.Welcome(
                resume_after=session.stream.seq,
                hash=session.stream.digest,
                batch_bytes_max=self._batch_bytes_max,
            )
            await session.unless_ended(context.write(pb.ReportResponse(welcome=welcome)))
            while (request := await session.unless_ended(context.read())) is not grpc.aio.EOF:
                for answer in await _append(session, request):
                    await session.unless_ended(context.write(answer))

    async def ReportOnce(  # noqa: N802
        self, request: pb.ReportOnceRequest, context: Context
    ) -> pb.ReportOnceResponse:
        del context
        peer = _check_table(request.table_id)
        async with self._registry.open_session(request.table_id, peer) as session:
            outcome = await session.append(request.events, waits=request.waits_us)
        _log_batch(outcome, len(request.events))
        return pb.ReportOnceResponse(
            acknowledged=_acknowledged(outcome),
            rejected=[_rejected(index, rejection) for index, rejection in outcome.rejected],
        )

    async def RetryDeadLetter(  # noqa: N802
        self, request: pb.RetryDeadLetterRequest, context: Context
    ) -> pb.RetryDeadLetterResponse:
        del context
        dead_letter = await self._dead_letters.read(request.offset)
        if dead_letter.no_retry:
            raise NotRetryable(request.offset, dead_letter.no_retry)
        author = caller_name()
        decision = await self._registry.retry(dead_letter, author=author)
        answer = _retried(dead_letter, decision)
        _log.info(
            "dead letter retried",
            offset=request.offset,
            table=dead_letter.table,
            by=author,
            outcome=pb.RetryOutcome.Name(answer.outcome),
            reason=answer.reason,
        )
        return answer


async def _append(session: Session, request: pb.ReportRequest) -> list[pb.ReportResponse]:
    """The responses to one batch: its rejections, then the acknowledgment of the rest."""
    if not request.HasField("batch"):
        raise HelloExpected(request.WhichOneof("message") or "nothing")
    with new_trace("publish table-events"):  # a stream lasts for days, and its batches are many
        batch = request.batch
        times, waits = batch.simulated_ingest_times, batch.waits_us
        outcome = await session.append(batch.events, times, waits)
        _log_batch(outcome, len(batch.events))
    answers = [pb.ReportResponse(rejected=_rejected(*rejection)) for rejection in outcome.rejected]
    return [*answers, pb.ReportResponse(acknowledged=_acknowledged(outcome))]


def _parse_hello(request: Any) -> pb.Hello:
    if request is grpc.aio.EOF:
        raise HelloExpected("nothing")
    if not request.HasField("hello"):
        raise HelloExpected(request.WhichOneof("message") or "nothing")
    hello: pb.Hello = request.hello
    return hello


def _retried(dead_letter: StoredDeadLetter, decision: EventDecision) -> pb.RetryDeadLetterResponse:
    if isinstance(decision, EventRejection):
        return pb.RetryDeadLetterResponse(
            outcome=pb.RETRY_OUTCOME_REJECTED,
            table_id=dead_letter.table,
            seq=decision.seq,
            code=_CODES[decision.code],
            reason=decision.reason,
        )
    is_known = isinstance(decision, Duplicate)
    return pb.RetryDeadLetterResponse(
        outcome=pb.RETRY_OUTCOME_DUPLICATE if is_known else pb.RETRY_OUTCOME_ACCEPTED,
        table_id=dead_letter.table,
        seq=decode_event(dead_letter.frame).seq,
    )


def _check_table(table: str) -> str:
    peer = current_peer()
    if peer.name != table:
        raise TableNotPermitted(table, str(peer))
    return str(peer)


def _log_missing_events(hello: pb.Hello, seq: int) -> None:
    if hello.acknowledged_seq > seq:
        _log.error(
            "acknowledged events missing from the log",
            table=hello.table_id,
            acknowledged=hello.acknowledged_seq,
            log=seq,
        )


def _log_batch(outcome: BatchOutcome, events: int) -> None:
    """The start of a trace: the logs of every reader of these events have the same id."""
    table = outcome.stream.table
    counts = {"events": events, "duplicates": outcome.duplicates, "rejected": len(outcome.rejected)}
    _log.info("batch appended", table=table, through_seq=outcome.stream.seq, **counts)
    for _, rejection in outcome.rejected:
        _log.warning("event rejected", table=table, seq=rejection.seq, code=rejection.code.value)


def _acknowledged(outcome: BatchOutcome) -> pb.Acknowledged:
    stream = outcome.stream
    return pb.Acknowledged(
        through_seq=stream.seq, hash=stream.digest, duplicates=outcome.duplicates
    )


def _rejected(index: int, rejection: EventRejection) -> pb.Rejected:
    return pb.Rejected(
        index=index, seq=rejection.seq, code=_CODES[rejection.code], reason=rejection.reason
    )
