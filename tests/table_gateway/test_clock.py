"""When events are received: the gateway's clock says so, and a simulation may where it is let."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import grpc
import pytest

from casino.gateway.v1 import gateway_pb2 as pb
from runtime.kafka.records import header
from table_gateway.grpc.errors import InvalidIngestTimes, SimulationDisabled
from table_gateway.grpc.ingest_clock import TIME_MAX, IngestClock
from tests.table_gateway.harness import AT, GatewayProcess, frames
from wire.headers import INGESTED_AT


def test_what_comes_together_is_received_at_the_same_moment() -> None:
    assert IngestClock(lambda: AT).times(2) == [str(AT).encode()] * 2


def test_a_gateway_for_real_tables_takes_nobody_elses_times() -> None:
    with pytest.raises(SimulationDisabled):
        IngestClock(lambda: AT).times(1, [AT - 1])


@pytest.mark.parametrize("said", [[AT], [AT, 0], [AT, -1], [AT, TIME_MAX + 1], [AT, AT, AT]])
def test_times_that_are_none_or_not_one_for_each_event_are_refused(said: list[int]) -> None:
    with pytest.raises(InvalidIngestTimes):
        IngestClock(lambda: 1, simulated=True).times(2, said)


def send(gateway: GatewayProcess, times: list[int]) -> pb.ReportResponse:
    async def scenario() -> pb.ReportResponse:
        async with gateway.open_session("BJ-07") as stream:
            batch = pb.Batch(events=frames("BJ-07", 2), simulated_ingest_times=times)
            await stream.call.write(pb.ReportRequest(batch=batch))
            return await stream.read()

    return asyncio.run(scenario())


def test_a_simulation_says_when_its_events_are_received(
    make_gateway: Callable[..., GatewayProcess],
) -> None:
    gateway = make_gateway(SIMULATED_TIME="true")
    assert send(gateway, [AT, AT + 7]).acknowledged.through_seq == 2
    received = [header(message, INGESTED_AT) for message in gateway.messages()]
    assert received == [str(AT).encode(), str(AT + 7).encode()]
    assert "for simulations" in gateway.log


def test_of_a_batch_with_times_of_its_own_a_real_gateway_writes_nothing(
    gateway: GatewayProcess,
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        send(gateway, [AT, AT])
    assert ended.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "simulations" in (ended.value.details() or "")
    assert gateway.messages() == []
