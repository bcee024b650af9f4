"""A gateway whose log is replaced: it takes nothing until the loss is accepted."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import grpc
import pytest

from tests.table_gateway.house import House, eventually, frames
from wire.topics import TABLE_EVENTS

TABLE = "BJ-01"


def rebuild(house: House) -> str:
    return subprocess.run(
        [sys.executable, "-m", "table_gateway.kafka.rebuild"],
        env=os.environ | {"KAFKA_BOOTSTRAP": house.broker.bootstrap, "TOPIC_PREFIX": house.prefix},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_a_log_that_is_replaced_under_an_open_stream_ends_it_and_is_refused_until_accepted(
    house: House,
) -> None:
    sent = frames(TABLE, 6)

    async def lose() -> None:
        async with house.speaking(TABLE) as line:
            assert await line.report(sent[:3]) == (3, [])
            house.broker.recreate_topic(house.prefix + TABLE_EVENTS)
            with pytest.raises(grpc.aio.AioRpcError) as ended:
                await line.read()
            assert ended.value.code() is grpc.StatusCode.UNAVAILABLE
            assert "table_gateway refuses the log of" in str(ended.value.details())
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            async with house.speaking(TABLE):
                pass
        assert refused.value.code() is grpc.StatusCode.UNAVAILABLE

    asyncio.run(lose())
    assert not house.is_ready()
    eventually(lambda: "the topic was deleted and created again" in house.log)
    assert house.logged(TABLE) == []

    assert "gateways read the log that is there from its beginning" in rebuild(house)
    eventually(house.is_ready)

    async def go_on() -> None:
        async with house.speaking(TABLE) as line:
            assert line.welcome.resume_after == 0
            assert await line.report(sent) == (6, [])

    asyncio.run(go_on())
    assert house.logged(TABLE) == sent


def test_a_log_that_is_replaced_while_no_gateway_runs_is_refused_at_the_start(
    house: House,
) -> None:
    async def report() -> None:
        async with house.speaking(TABLE) as line:
            await line.report(frames(TABLE, 3))

    asyncio.run(report())
    assert house.stop() == 0
    house.broker.recreate_topic(house.prefix + TABLE_EVENTS)
    house.start(wait=False)
    eventually(lambda: "table_gateway refuses the log of" in house.log)
    assert not house.is_ready()
    rebuild(house)
    eventually(house.is_ready)
