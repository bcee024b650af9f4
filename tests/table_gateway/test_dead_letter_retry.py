"""What was set aside is judged anew: by the same rules, for those who may, beside who speaks."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from blackjack.facts import GapDeclared, RoundOpened
from casino.gateway.v1 import gateway_pb2 as pb
from casino.gateway.v1.gateway_pb2_grpc import TableGatewayServiceStub
from runtime.identity.credentials import Credentials
from runtime.identity.names import Name
from runtime.kafka.records import header
from runtime.rpc.client import connect
from tests.table_gateway.harness import GatewayProcess, frame, frames
from wire import headers
from wire.topics import DEAD_LETTERS

Codes = grpc.StatusCode
OPERATOR = Name("operator", "local")


async def retry(
    gateway: GatewayProcess, offset: int, name: Name = OPERATOR
) -> pb.RetryDeadLetterResponse:
    folder = gateway.folder / name.name
    credentials = Credentials(name, folder, gateway.folder / "authority")
    async with connect("table_gateway", gateway.address, credentials) as channel:
        stub: Any = TableGatewayServiceStub(channel)
        answer: pb.RetryDeadLetterResponse = await stub.RetryDeadLetter(
            pb.RetryDeadLetterRequest(offset=offset)
        )
        return answer


def test_what_came_out_of_order_is_taken_once_its_place_is_missing(gateway: GatewayProcess) -> None:
    """And whoever speaks for the table goes on: this is no newer call of the table's."""
    good = frames("BJ-07", 4)
    gap = frame("BJ-07", 5, GapDeclared(2, 4), good[0])
    after = frame("BJ-07", 6, RoundOpened("R-6"), gap)

    async def scenario() -> list[pb.RetryDeadLetterResponse]:
        async with gateway.open_session("BJ-07") as stream:
            assert await stream.report(good[:1]) == (1, [])
            assert await stream.report([good[2]]) == (1, ["REJECTION_CODE_OUT_OF_ORDER"])
            again = await retry(gateway, 0)
            assert await stream.report([gap]) == (5, [])
            taken = await retry(gateway, 0)
            assert await stream.report([after]) == (6, [])
            return [again, taken]

    again, taken = asyncio.run(scenario())
    assert again.outcome == pb.RETRY_OUTCOME_REJECTED
    assert (again.code, again.seq) == (pb.REJECTION_CODE_OUT_OF_ORDER, 3)
    assert again.reason == "event 3 received, 2 expected: send that, or declare a gap"
    assert (taken.outcome, taken.table_id, taken.seq) == (pb.RETRY_OUTCOME_ACCEPTED, "BJ-07", 3)
    assert gateway.logged("BJ-07") == [good[0], gap, good[2], after]
    (letter,) = gateway.messages(DEAD_LETTERS)
    event = next(each for each in gateway.messages() if each.value() == good[2])
    assert header(event, headers.RETRY_OF) == b"0"
    assert header(event, headers.AUTHOR) == b"operator/local"
    assert header(event, headers.INGESTED_AT) == header(letter, headers.INGESTED_AT)
    assert int(header(event, headers.RETRIED_AT) or 0) > int(
        header(letter, headers.INGESTED_AT) or 0
    )


def test_what_is_in_the_log_is_not_written_again(gateway: GatewayProcess) -> None:
    good = frames("BJ-07", 3)

    async def scenario() -> pb.RetryDeadLetterResponse:
        async with gateway.open_session("BJ-07") as stream:
            await stream.report(good[:1])
            await stream.report([good[2]])
            await stream.report(good[1:])
        return await retry(gateway, 0)

    assert asyncio.run(scenario()).outcome == pb.RETRY_OUTCOME_DUPLICATE
    assert gateway.logged("BJ-07") == good


def test_what_nobody_can_take_again_is_refused_with_the_reason(gateway: GatewayProcess) -> None:
    good = frames("BJ-07", 1)
    wrong = {
        "whoever sent it has the rest": b"\x00" * 70_000,
        "speaks for no other": frames("BJ-08", 1)[0],
        "the first one counts": frame("BJ-07", 1, RoundOpened("forged")),
    }

    async def scenario() -> None:
        async with gateway.open_session("BJ-07") as stream:
            await stream.report([*good, *wrong.values()])
        for offset, said in enumerate(wrong):
            with pytest.raises(grpc.aio.AioRpcError) as ended:
                await retry(gateway, offset)
            assert ended.value.code() is Codes.FAILED_PRECONDITION
            assert said in (ended.value.details() or "")
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await retry(gateway, len(wrong))
        assert ended.value.code() is Codes.NOT_FOUND

    asyncio.run(scenario())
    assert gateway.logged("BJ-07") == good


@pytest.mark.parametrize("name", [Name("table", "BJ-07"), Name("service", "accounting")], ids=str)
def test_neither_a_table_nor_another_service_may_ask_for_it(
    gateway: GatewayProcess, name: Name
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        asyncio.run(retry(gateway, 0, name))
    assert ended.value.code() is Codes.PERMISSION_DENIED
