"""The gRPC service: messages in and out, and nothing decided."""

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
from runtime.rpc.calls import current_call, current_peer
from runtime.rpc.server import Servicer
from runtime.tracing import new_trace
from table_gateway.domain.stream import Code, Decision, Duplicate, Refusal
from table_gateway.grpc.errors import NoHello, NotRetried, NotYourTable
from table_gateway.grpc.sessions import Desks, Speaker
from table_gateway.kafka.dead_letters import Letter, Letters
from table_gateway.kafka.ingest import Outcome
from wire import decode_event

SERVICE = "casino.gateway.v1.TableGatewayService"
TABLES = Access(peers={"table/*"})
WATCHERS = Access(peers={"service/console"}, roles={"surveillance"}, trusted={"operator/*"})
"""Who decides that what was set aside is judged anew: those who watch the tables, and run none."""
POLICY = {
    f"/{SERVICE}/Report": TABLES,
    f"/{SERVICE}/ReportOnce": TABLES,
    f"/{SERVICE}/RetryDeadLetter": WATCHERS,
}

Context = grpc.aio.ServicerContext[Any, Any]
_CODES = {
    Code.MALFORMED: pb.REFUSAL_CODE_MALFORMED,
    Code.OVERSIZED: pb.REFUSAL_CODE_OVERSIZED,
    Code.FOREIGN: pb.REFUSAL_CODE_FOREIGN,
    Code.CHAIN_BROKEN: pb.REFUSAL_CODE_CHAIN_BROKEN,
    Code.OUT_OF_ORDER: pb.REFUSAL_CODE_OUT_OF_ORDER,
    Code.CONFLICT: pb.REFUSAL_CODE_CONFLICT,
    Code.GAP_TOO_LARGE: pb.REFUSAL_CODE_GAP_TOO_LARGE,
    Code.INVALID_TIME: pb.REFUSAL_CODE_INVALID_TIME,
}
_log = logs.logger(__name__)


class TableGateway(TableGatewayServiceServicer):
    """What a table's certificate lets it say, for that table alone; and what people retry."""

    def __init__(self, desks: Desks, letters: Letters, *, batch_bytes_max: int) -> None:
        self._desks = desks
        self._letters = letters
        self._batch_bytes_max = batch_bytes_max

    def servicer(self) -> Servicer:
        return Servicer(SERVICE, lambda to: add_TableGatewayServiceServicer_to_server(self, to))

    async def Report(  # type: ignore[override]  # noqa: N802
        self, requests: AsyncIterator[pb.ReportRequest], context: Context
    ) -> None:
        # One batch at a time: while its events are on their way nothing more is read, so that
        # slow brokers slow the controller, by the flow control of its own stream.
        del requests  # read through the context, which can be given up
        hello = _hello(await context.read())
        peer = _check_table(hello.table_id)
        async with self._desks.speaking(
            hello.table_id, peer, acknowledged_seq=hello.acknowledged_seq
        ) as speaker:
            _note_behind(hello, speaker.stream.seq)
            welcome = pb.Welcome(
                resume_after=speaker.stream.seq,
                hash=speaker.stream.digest,
                batch_bytes_max=self._batch_bytes_max,
            )
            await speaker.unless_ended(context.write(pb.ReportResponse(welcome=welcome)))
            while (request := await speaker.unless_ended(context.read())) is not grpc.aio.EOF:
                for answer in await _report(speaker, request):
                    await speaker.unless_ended(context.write(answer))

    async def ReportOnce(  # noqa: N802
        self, request: pb.ReportOnceRequest, context: Context
    ) -> pb.ReportOnceResponse:
        del context
        peer = _check_table(request.table_id)
        async with self._desks.speaking(request.table_id, peer) as speaker:
            outcome = await speaker.take(request.events, waits=request.waits_us)
        _note_taken(outcome, len(request.events))
        return pb.ReportOnceResponse(
            acknowledged=_acknowledged(outcome),
            refused=[_refused(index, refusal) for index, refusal in outcome.refused],
        )

    async def RetryDeadLetter(  # noqa: N802
        self, request: pb.RetryDeadLetterRequest, context: Context
    ) -> pb.RetryDeadLetterResponse:
        del context
        letter = await self._letters.read(request.offset)
        if letter.no_retry:
            raise NotRetried(request.offset, letter.no_retry)
        author = _author()
        decision = await self._desks.retry(letter, author=author)
        answer = _retried(letter, decision)
        _log.info(
            "dead letter retried",
            offset=request.offset,
            table=letter.table,
            by=author,
            outcome=pb.RetryOutcome.Name(answer.outcome),
            reason=answer.reason,
        )
        return answer


async def _report(speaker: Speaker, request: pb.ReportRequest) -> list[pb.ReportResponse]:
    """The answers to one batch: its refusals, then that the brokers have the rest."""
    if not request.HasField("batch"):
        raise NoHello(request.WhichOneof("message") or "nothing")
    with new_trace("publish table-events"):  # a stream lasts for days, and its batches are many
        batch = request.batch
        times, waits = batch.simulated_ingest_times, batch.waits_us
        outcome = await speaker.take(batch.events, times, waits)
        _note_taken(outcome, len(batch.events))
    answers = [pb.ReportResponse(refused=_refused(*each)) for each in outcome.refused]
    return [*answers, pb.ReportResponse(acknowledged=_acknowledged(outcome))]


def _hello(request: Any) -> pb.Hello:
    if request is grpc.aio.EOF:
        raise NoHello("nothing")
    if not request.HasField("hello"):
        raise NoHello(request.WhichOneof("message") or "nothing")
    hello: pb.Hello = request.hello
    return hello


def _author() -> str:
    """Who answers for it: a person, or else the one who holds the certificate."""
    person = current_call().person
    return person.subject if person is not None else str(current_peer())


def _retried(letter: Letter, decision: Decision) -> pb.RetryDeadLetterResponse:
    if isinstance(decision, Refusal):
        return pb.RetryDeadLetterResponse(
            outcome=pb.RETRY_OUTCOME_REFUSED,
            table_id=letter.table,
            seq=decision.seq,
            code=_CODES[decision.code],
            reason=decision.reason,
        )
    known = isinstance(decision, Duplicate)
    return pb.RetryDeadLetterResponse(
        outcome=pb.RETRY_OUTCOME_KNOWN if known else pb.RETRY_OUTCOME_TAKEN,
        table_id=letter.table,
        seq=decode_event(letter.frame).seq,
    )


def _check_table(table: str) -> str:
    peer = current_peer()
    if peer.name != table:
        raise NotYourTable(table, str(peer))
    return str(peer)


def _note_behind(hello: pb.Hello, seq: int) -> None:
    if hello.acknowledged_seq > seq:
        _log.error(
            "the log lacks what was acknowledged",
            table=hello.table_id,
            acknowledged=hello.acknowledged_seq,
            log=seq,
        )


def _note_taken(outcome: Outcome, events: int) -> None:
    """Where a trace begins: the log of whoever follows a fact goes on under the same id."""
    table = outcome.stream.table
    counts = {"events": events, "duplicates": outcome.duplicates, "refused": len(outcome.refused)}
    _log.info("batch taken", table=table, through_seq=outcome.stream.seq, **counts)
    for _, refusal in outcome.refused:
        _log.warning("refused", table=table, seq=refusal.seq, code=refusal.code.value)


def _acknowledged(outcome: Outcome) -> pb.Acknowledged:
    stream = outcome.stream
    return pb.Acknowledged(
        through_seq=stream.seq, hash=stream.digest, duplicates=outcome.duplicates
    )


def _refused(index: int, refusal: Refusal) -> pb.Refused:
    return pb.Refused(
        index=index, seq=refusal.seq, code=_CODES[refusal.code], reason=refusal.reason
    )
