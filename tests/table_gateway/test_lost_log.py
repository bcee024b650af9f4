"""A gateway whose log is replaced: it takes nothing until the loss is accepted."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import grpc
import pytest

from tests.table_gateway.harness import GatewayProcess, eventually, frames
from wire.topics import TABLE_EVENTS

TABLE = "BJ-01"


def rebuild(gateway: GatewayProcess) -> str:
    return subprocess.run(
        [sys.executable, "-m", "table_gateway.kafka.rebuild"],
        env=os.environ
        | {"KAFKA_BOOTSTRAP": gateway.broker.bootstrap, "TOPIC_PREFIX": gateway.prefix},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_a_log_that_is_replaced_under_an_open_stream_ends_it_and_is_refused_until_accepted(
    gateway: GatewayProcess,
) -> None:
    sent = frames(TABLE, 6)

    async def lose() -> None:
        async with gateway.open_session(TABLE) as stream:
            assert await stream.report(sent[:3]) == (3, [])
            gateway.broker.recreate_topic(gateway.prefix + TABLE_EVENTS)
            with pytest.raises(grpc.aio.AioRpcError) as ended:
                await stream.read()
            assert ended.value.code() is grpc.StatusCode.UNAVAILABLE
            assert "table_gateway rejects the log of" in str(ended.value.details())
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            async with gateway.open_session(TABLE):
                pass
        assert refused.value.code() is grpc.StatusCode.UNAVAILABLE

    asyncio.run(lose())
    assert not gateway.is_ready()
    eventually(lambda: "the topic was deleted and created again" in gateway.log)
    assert gateway.logged(TABLE) == []

    assert "gateways read the log that is there from its beginning" in rebuild(gateway)
    eventually(gateway.is_ready)

    async def go_on() -> None:
        async with gateway.open_session(TABLE) as stream:
            assert stream.welcome.resume_after == 0
            assert await stream.report(sent) == (6, [])

    asyncio.run(go_on())
    assert gateway.logged(TABLE) == sent


def test_a_log_that_is_replaced_while_no_gateway_runs_is_refused_at_the_start(
    gateway: GatewayProcess,
) -> None:
    async def report() -> None:
        async with gateway.open_session(TABLE) as stream:
            await stream.report(frames(TABLE, 3))

    asyncio.run(report())
    assert gateway.stop() == 0
    gateway.broker.recreate_topic(gateway.prefix + TABLE_EVENTS)
    gateway.start(wait=False)
    eventually(lambda: "table_gateway rejects the log of" in gateway.log)
    assert not gateway.is_ready()
    rebuild(gateway)
    eventually(gateway.is_ready)
