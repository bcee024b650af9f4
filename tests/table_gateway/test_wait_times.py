"""What controllers say of waiting: written beside the event where it can be true."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from casino.gateway.v1 import gateway_pb2 as pb
from runtime.kafka.records import header
from table_gateway.domain.wait_time import credible_wait_us
from tests.table_gateway.harness import GatewayProcess, frames
from wire.headers import WAITED_US, read_waited_us

MINUTE_US = 60_000_000
NOW = 1_772_416_800_000_000


def waits(gateway: GatewayProcess) -> list[int]:
    return [read_waited_us(header(message, WAITED_US)) for message in gateway.messages()]


def test_who_was_cut_off_is_believed_and_who_claims_more_than_can_be_is_not(
    gateway: GatewayProcess,
) -> None:
    sent = frames("BJ-07", 6)

    async def scenario() -> None:
        async with gateway.open_session("BJ-07") as stream:
            await stream.report(sent[:2], [10 * MINUTE_US, 9 * MINUTE_US])
            await stream.report(sent[2:3])
            # Since the one before was sent at once, nothing can have waited for minutes.
            await stream.report(sent[3:5], [5 * MINUTE_US, -1])
            with pytest.raises(grpc.aio.AioRpcError) as failed:
                await stream.report(sent[5:], [1, 2])
            assert failed.value.code() is grpc.StatusCode.INVALID_ARGUMENT

    asyncio.run(scenario())
    assert gateway.logged("BJ-07") == sent[:5]
    assert waits(gateway) == [10 * MINUTE_US, 9 * MINUTE_US, 0, 0, 0]


def test_a_low_rate_sender_says_it_in_the_same_way(gateway: GatewayProcess) -> None:
    sent = frames("BJ-07", 2)
    request = pb.ReportOnceRequest(table_id="BJ-07", events=sent, waits_us=[MINUTE_US, 0])

    async def scenario() -> None:
        async with gateway.stub("BJ-07") as stub:
            await stub.ReportOnce(request)

    asyncio.run(scenario())
    assert waits(gateway) == [MINUTE_US, 0]


@pytest.mark.parametrize(
    ("claimed_us", "arrived_at", "believed"),
    [
        (MINUTE_US, 0, MINUTE_US),
        (MINUTE_US, NOW - 2 * MINUTE_US, MINUTE_US),
        (MINUTE_US, NOW - MINUTE_US + 400_000, MINUTE_US),
        (MINUTE_US, NOW - MINUTE_US // 2, 0),
        (-MINUTE_US, 0, 0),
        (NOW, 0, 0),
        (2**62, 0, 0),
    ],
)
def test_nothing_waited_since_before_the_event_before_it(
    claimed_us: int, arrived_at: int, believed: int
) -> None:
    assert credible_wait_us(claimed_us, received_at=NOW, arrived_at=arrived_at) == believed
