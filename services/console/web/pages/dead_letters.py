"""Retry of dead letters: by the gateway for surveillance, by accounting as a new entry.

The receiving service checks the access right. A message rejected again shows its reason.
"""

from __future__ import annotations

from typing import Final

import grpc
from starlette.requests import Request
from starlette.responses import Response

from casino.accounting.v1.cage_event_pb2 import CageEvent
from casino.accounting.v1.service_pb2 import RecordPromotionRequest, RecordRequest
from casino.gateway.v1.gateway_pb2 import (
    RetryDeadLetterRequest,
    RetryDeadLetterResponse,
    RetryOutcome,
)
from casino.settlement.v1.service_pb2 import DeadLetter, FindDeadLettersRequest, RetryWay
from console.users.roles import RETRY
from console.web.audit import audited
from console.web.errors import PageNotFound
from console.web.guard import services_of, write_route
from console.web.idempotency import call_options
from console.web.pages.system import system
from wire.dead_letters import entry_of

MESSAGES: Final = {
    RetryOutcome.RETRY_OUTCOME_ACCEPTED: "Event {seq} of {table} accepted.",
    RetryOutcome.RETRY_OUTCOME_DUPLICATE: "Event {seq} of {table} is already in the log.",
}


class RetryRejected(Exception):
    """The message was rejected again; the text is the reason."""


async def retry(request: Request) -> Response:
    letter = await _letter(request)
    try:
        return await system(request, message=await _retry(request, letter))
    except RetryRejected as rejected:
        return await system(request, wrong=f"Rejected again: {rejected}.", status=409)
    except grpc.aio.AioRpcError as error:
        reason = error.details() or error.code().name
        return await system(request, wrong=f"Rejected again: {reason}.", status=409)


async def _retry(request: Request, letter: DeadLetter) -> str:
    """Retry the message; the text is shown to the user. Raises `RetryRejected`."""
    if letter.retry == RetryWay.RETRY_WAY_ACCOUNTING:
        return await _enter_again(request, letter)
    if letter.retry != RetryWay.RETRY_WAY_TABLE_GATEWAY:
        raise RetryRejected(letter.no_retry)
    call = services_of(request).clients.tables.RetryDeadLetter(
        RetryDeadLetterRequest(offset=letter.offset), **call_options(request)
    )
    answer: RetryDeadLetterResponse = await audited(
        request, call, what="dead letter retried", subject=_name(letter), words=letter.reason
    )
    if answer.outcome not in MESSAGES:
        raise RetryRejected(answer.reason)
    return MESSAGES[answer.outcome].format(seq=answer.seq, table=answer.table_id)


async def _enter_again(request: Request, letter: DeadLetter) -> str:
    books = services_of(request).clients.books
    event = entry_of(letter.source, letter.value)
    if event is None:
        raise RetryRejected("the message is not an entry: enter it by hand")
    call = (
        books.Record(RecordRequest(event=event), **call_options(request))
        if isinstance(event, CageEvent)
        else books.RecordPromotion(RecordPromotionRequest(event=event), **call_options(request))
    )
    await audited(
        request, call, what="dead letter retried", subject=_name(letter), words=letter.reason
    )
    return "Entered under your name."


async def _letter(request: Request) -> DeadLetter:
    offset = int(request.path_params["offset"])
    answer = await services_of(request).clients.rounds.FindDeadLetters(
        FindDeadLettersRequest(offset=offset, page_size=1), **call_options(request)
    )
    if not answer.dead_letters:
        raise PageNotFound(f"dead letter {offset}")
    return answer.dead_letters[0]


def _name(letter: DeadLetter) -> str:
    return f"dead letter {letter.offset}"


ROUTES: Final = (write_route(RETRY, "/system/dead-letters/{offset:int}/retry", retry),)
