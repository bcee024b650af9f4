"""`pitctl dead-letters OFFSET --retry`: a dead letter processed again by its service."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import grpc

from casino.accounting.v1.cage_event_pb2 import CageEvent
from casino.accounting.v1.service_pb2 import RecordPromotionRequest, RecordRequest
from casino.gateway.v1.gateway_pb2 import RetryDeadLetterRequest, RetryOutcome
from casino.gateway.v1.gateway_pb2_grpc import TableGatewayServiceStub
from casino.settlement.v1.service_pb2 import DeadLetter, FindDeadLettersRequest, RetryWay
from pitctl.accounting.client import ACCOUNTING
from pitctl.archive.client import query_archive
from pitctl.connection.channel import Endpoint, ServiceClient
from pitctl.errors import RequestRejected
from pitctl.output.json_out import fields_of
from wire.dead_letters import entry_of

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub
    from casino.gateway.v1.gateway_pb2_grpc import TableGatewayServiceAsyncStub

OUTCOME_WORDS: Final = {
    RetryOutcome.RETRY_OUTCOME_ACCEPTED: "appended to the log",
    RetryOutcome.RETRY_OUTCOME_DUPLICATE: "already in the log",
}


def _stub(channel: grpc.aio.Channel) -> TableGatewayServiceAsyncStub:
    return TableGatewayServiceStub(channel)


GATEWAY: Final = ServiceClient(
    name="table_gateway",
    noun="gateway",
    address_setting="TABLE_GATEWAY_ADDRESS",
    stub=_stub,
    commands={"RetryDeadLetter": "dead-letters --retry"},
)


def retry(
    archive: Endpoint, offset: int, *, gateway: str, accounting: str, identity: str, stack: str,
    as_json: bool,
) -> None:  # fmt: skip
    """Raises `RequestRejected` with the reason where it is rejected again."""
    dead_letter = _dead_letter(archive, offset)
    if dead_letter.retry == RetryWay.RETRY_WAY_TABLE_GATEWAY:
        outcome = _check_again(GATEWAY.find(gateway, identity, stack), dead_letter)
    elif dead_letter.retry == RetryWay.RETRY_WAY_ACCOUNTING:
        outcome = _enter_again(ACCOUNTING.find(accounting, identity, stack), dead_letter)
    else:
        raise RequestRejected(dead_letter.no_retry, "not_retried")
    if as_json:
        print(
            json.dumps(
                {"dead_letter": fields_of(dead_letter), "outcome": outcome}, ensure_ascii=False
            )
        )
    else:
        print(f"dead letter {offset}: {outcome}")


def _dead_letter(archive: Endpoint, offset: int) -> DeadLetter:
    request = FindDeadLettersRequest(offset=offset, page_size=1)
    found = query_archive(archive, lambda stub: stub.FindDeadLetters(request)).dead_letters
    if not found:
        raise RequestRejected(f"no dead letter at offset {offset}", "not_found")
    return found[0]


def _check_again(place: Endpoint, dead_letter: DeadLetter) -> str:
    request = RetryDeadLetterRequest(offset=dead_letter.offset)
    answer = GATEWAY.call(place, lambda gateway: gateway.RetryDeadLetter(request))
    if answer.outcome not in OUTCOME_WORDS:
        raise RequestRejected(answer.reason, "rejected_again")
    return f"event {answer.seq} of {answer.table_id}: {OUTCOME_WORDS[answer.outcome]}"


def _enter_again(place: Endpoint, dead_letter: DeadLetter) -> str:
    event = entry_of(dead_letter.source, dead_letter.value)
    if event is None:
        raise RequestRejected("the bytes are not an entry: enter it by hand", "not_retried")

    async def enter(books: AccountingServiceAsyncStub) -> None:
        if isinstance(event, CageEvent):
            await books.Record(RecordRequest(event=event))
        else:
            await books.RecordPromotion(RecordPromotionRequest(event=event))

    ACCOUNTING.call(place, enter)
    return "recorded"
