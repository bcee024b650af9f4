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
from tests.table_gateway.house import House, frame, frames
from wire import headers
from wire.topics import DEAD_LETTERS

Codes = grpc.StatusCode
OPERATOR = Name("operator", "local")


async def retry(house: House, offset: int, name: Name = OPERATOR) -> pb.RetryDeadLetterResponse:
    folder = house.folder / name.name
    credentials = Credentials(name, folder, house.folder / "authority")
    async with connect("table_gateway", house.address, credentials) as channel:
        stub: Any = TableGatewayServiceStub(channel)
        answer: pb.RetryDeadLetterResponse = await stub.RetryDeadLetter(
            pb.RetryDeadLetterRequest(offset=offset)
        )
        return answer


def test_what_came_out_of_order_is_taken_once_its_place_is_missing(house: House) -> None:
    """And whoever speaks for the table goes on: this is no newer call of the table's."""
    good = frames("BJ-07", 4)
    gap = frame("BJ-07", 5, GapDeclared(2, 4), good[0])
    after = frame("BJ-07", 6, RoundOpened("R-6"), gap)

    async def scenario() -> list[pb.RetryDeadLetterResponse]:
        async with house.speaking("BJ-07") as line:
            assert await line.report(good[:1]) == (1, [])
            assert await line.report([good[2]]) == (1, ["REFUSAL_CODE_OUT_OF_ORDER"])
            again = await retry(house, 0)
            assert await line.report([gap]) == (5, [])
            taken = await retry(house, 0)
            assert await line.report([after]) == (6, [])
            return [again, taken]

    again, taken = asyncio.run(scenario())
    assert again.outcome == pb.RETRY_OUTCOME_REFUSED
    assert (again.code, again.seq) == (pb.REFUSAL_CODE_OUT_OF_ORDER, 3)
    assert again.reason == "event 3 came where 2 is next: send that, or declare a gap"
    assert (taken.outcome, taken.table_id, taken.seq) == (pb.RETRY_OUTCOME_TAKEN, "BJ-07", 3)
    assert house.logged("BJ-07") == [good[0], gap, good[2], after]
    (letter,) = house.messages(DEAD_LETTERS)
    event = next(each for each in house.messages() if each.value() == good[2])
    assert header(event, headers.RETRY_OF) == b"0"
    assert header(event, headers.AUTHOR) == b"operator/local"
    assert header(event, headers.INGESTED_AT) == header(letter, headers.INGESTED_AT)
    assert int(header(event, headers.RETRIED_AT) or 0) > int(
        header(letter, headers.INGESTED_AT) or 0
    )


def test_what_is_in_the_log_is_not_written_again(house: House) -> None:
    good = frames("BJ-07", 3)

    async def scenario() -> pb.RetryDeadLetterResponse:
        async with house.speaking("BJ-07") as line:
            await line.report(good[:1])
            await line.report([good[2]])
            await line.report(good[1:])
        return await retry(house, 0)

    assert asyncio.run(scenario()).outcome == pb.RETRY_OUTCOME_KNOWN
    assert house.logged("BJ-07") == good


def test_what_nobody_can_take_again_is_refused_with_the_reason(house: House) -> None:
    good = frames("BJ-07", 1)
    wrong = {
        "whoever sent it has the rest": b"\x00" * 70_000,
        "speaks for no other": frames("BJ-08", 1)[0],
        "the first one counts": frame("BJ-07", 1, RoundOpened("forged")),
    }

    async def scenario() -> None:
        async with house.speaking("BJ-07") as line:
            await line.report([*good, *wrong.values()])
        for offset, said in enumerate(wrong):
            with pytest.raises(grpc.aio.AioRpcError) as ended:
                await retry(house, offset)
            assert ended.value.code() is Codes.FAILED_PRECONDITION
            assert said in (ended.value.details() or "")
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await retry(house, len(wrong))
        assert ended.value.code() is Codes.NOT_FOUND

    asyncio.run(scenario())
    assert house.logged("BJ-07") == good


@pytest.mark.parametrize("name", [Name("table", "BJ-07"), Name("service", "accounting")], ids=str)
def test_neither_a_table_nor_another_service_may_ask_for_it(house: House, name: Name) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        asyncio.run(retry(house, 0, name))
    assert ended.value.code() is Codes.PERMISSION_DENIED
