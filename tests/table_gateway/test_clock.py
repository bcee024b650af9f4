"""When events are received: the gateway's clock says so, and a simulation may where it is let."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import grpc
import pytest

from casino.gateway.v1 import gateway_pb2 as pb
from runtime.kafka.records import header
from table_gateway.grpc.errors import BadTimes, NoSimulation
from table_gateway.grpc.ingest_clock import TIME_MAX, Clock
from tests.table_gateway.house import AT, House, frames
from wire.headers import INGESTED_AT


def test_what_comes_together_is_received_at_the_same_moment() -> None:
    assert Clock(lambda: AT).times(2) == [str(AT).encode()] * 2


def test_a_gateway_for_real_tables_takes_nobody_elses_times() -> None:
    with pytest.raises(NoSimulation):
        Clock(lambda: AT).times(1, [AT - 1])


@pytest.mark.parametrize("said", [[AT], [AT, 0], [AT, -1], [AT, TIME_MAX + 1], [AT, AT, AT]])
def test_times_that_are_none_or_not_one_for_each_event_are_refused(said: list[int]) -> None:
    with pytest.raises(BadTimes):
        Clock(lambda: 1, simulated=True).times(2, said)


def send(house: House, times: list[int]) -> pb.ReportResponse:
    async def scenario() -> pb.ReportResponse:
        async with house.speaking("BJ-07") as line:
            batch = pb.Batch(events=frames("BJ-07", 2), simulated_ingest_times=times)
            await line.call.write(pb.ReportRequest(batch=batch))
            return await line.read()

    return asyncio.run(scenario())


def test_a_simulation_says_when_its_events_are_received(make_house: Callable[..., House]) -> None:
    house = make_house(SIMULATED_TIME="true")
    assert send(house, [AT, AT + 7]).acknowledged.through_seq == 2
    received = [header(message, INGESTED_AT) for message in house.messages()]
    assert received == [str(AT).encode(), str(AT + 7).encode()]
    assert "for simulations" in house.log


def test_of_a_batch_with_times_of_its_own_a_real_gateway_writes_nothing(house: House) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        send(house, [AT, AT])
    assert ended.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "simulations" in (ended.value.details() or "")
    assert house.messages() == []
