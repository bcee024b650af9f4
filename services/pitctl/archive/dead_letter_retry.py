"""`pitctl dead-letters OFFSET --retry`: what was set aside, taken again by whom it concerns."""

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
from pitctl.archive.client import Place, Refused, ask
from pitctl.connection.channel import Service
from pitctl.output.json_out import as_fields
from wire.dead_letters import entry_of

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub
    from casino.gateway.v1.gateway_pb2_grpc import TableGatewayServiceAsyncStub

SAID: Final = {
    RetryOutcome.RETRY_OUTCOME_ACCEPTED: "it is in the log now",
    RetryOutcome.RETRY_OUTCOME_DUPLICATE: "it was in the log already",
}


def _stub(channel: grpc.aio.Channel) -> TableGatewayServiceAsyncStub:
    return TableGatewayServiceStub(channel)


GATEWAY: Final = Service(
    name="table_gateway",
    noun="gateway",
    address_setting="TABLE_GATEWAY_ADDRESS",
    stub=_stub,
    commands={"RetryDeadLetter": "dead-letters --retry"},
)


def retry(
    archive: Place, offset: int, *, gateway: str, accounting: str, identity: str, stack: str,
    as_json: bool,
) -> None:  # fmt: skip
    """Raises `Refused` with the reason where it is not taken."""
    letter = _letter(archive, offset)
    if letter.retry == RetryWay.RETRY_WAY_TABLE_GATEWAY:
        said = _judged(GATEWAY.find(gateway, identity, stack), letter)
    elif letter.retry == RetryWay.RETRY_WAY_ACCOUNTING:
        said = _entered(ACCOUNTING.find(accounting, identity, stack), letter)
    else:
        raise Refused(letter.no_retry, "not_retried")
    if as_json:
        print(json.dumps({"dead_letter": as_fields(letter), "said": said}, ensure_ascii=False))
    else:
        print(f"dead letter {offset}: {said}")


def _letter(archive: Place, offset: int) -> DeadLetter:
    question = FindDeadLettersRequest(offset=offset, page_size=1)
    found = ask(archive, lambda asked: asked.FindDeadLetters(question)).dead_letters
    if not found:
        raise Refused(f"there is no dead letter at offset {offset}", "not_found")
    return found[0]


def _judged(place: Place, letter: DeadLetter) -> str:
    question = RetryDeadLetterRequest(offset=letter.offset)
    answer = GATEWAY.ask(place, lambda gateway: gateway.RetryDeadLetter(question))
    if answer.outcome not in SAID:
        raise Refused(answer.reason, "refused_again")
    return f"event {answer.seq} of {answer.table_id}: {SAID[answer.outcome]}"


def _entered(place: Place, letter: DeadLetter) -> str:
    event = entry_of(letter.source, letter.value)
    if event is None:
        raise Refused("the bytes are no entry: enter it by hand", "not_retried")

    async def enter(books: AccountingServiceAsyncStub) -> None:
        if isinstance(event, CageEvent):
            await books.Record(RecordRequest(event=event))
        else:
            await books.RecordPromotion(RecordPromotionRequest(event=event))

    ACCOUNTING.ask(place, enter)
    return "it is entered"
