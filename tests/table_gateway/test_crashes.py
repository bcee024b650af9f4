"""kill -9 of the gateway, and brokers that do not answer: nothing acknowledged is ever missing."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import grpc
import pytest

from deploy.stack.process import send, wait_for_end
from tests.stack.broker import Broker
from tests.stack.plugin import StackMaker
from tests.table_gateway.harness import (
    MEMORY_GROWTH_MAX,
    GatewayProcess,
    ReportStream,
    eventually,
    frames,
)
from wire import decode_event
from wire.chain import verify

pytestmark = pytest.mark.proof

KILLS = 3
SILENT_TENTHS = 40
"""Beyond the broker's own session: it is taken for dead, and gets its partitions back."""
STREAM_BYTES_MAX = 768 * 1024
"""What a stream may hold: a batch that is taken, one that waits to be read, what is on the line."""


async def send_until_it_dies(
    gateway: GatewayProcess, table: str, sent: list[bytes], size: int
) -> int:
    """How far this table was acknowledged by the time the gateway was gone."""
    acknowledged = 0
    try:
        async with gateway.open_session(table) as stream:
            acknowledged = stream.welcome.resume_after
            while acknowledged < len(sent):
                batch = sent[acknowledged : acknowledged + size]
                acknowledged, refused = await stream.report(batch)
                assert refused == []
    except (grpc.aio.AioRpcError, asyncio.CancelledError, asyncio.InvalidStateError):
        pass
    return acknowledged


@pytest.mark.parametrize("seed", [1, 2])
def test_what_was_acknowledged_before_a_kill_is_in_the_log_and_it_goes_on_without_a_gap(
    make_gateway: Callable[..., GatewayProcess], seed: int
) -> None:
    random = Random(seed)
    gateway = make_gateway(TABLE_HEADS_SECONDS="0.3")
    tables = {name: frames(name, 4_000) for name in ("BJ-01", "BJ-02", "BJ-03")}
    acknowledged = dict.fromkeys(tables, 0)

    async def run(*, killed_after: float | None) -> None:
        streams = [
            asyncio.create_task(send_until_it_dies(gateway, table, sent, random.randint(1, 20)))
            for table, sent in tables.items()
        ]
        if killed_after is not None:
            await asyncio.sleep(killed_after)
            gateway.kill()
        ends = await asyncio.wait_for(asyncio.gather(*streams), 60)
        for table, end in zip(tables, ends, strict=True):
            acknowledged[table] = max(acknowledged[table], end)

    for _ in range(KILLS):
        asyncio.run(run(killed_after=random.uniform(0.2, 0.7)))
        for table, sent in tables.items():
            assert set(gateway.logged(table)) >= set(sent[: acknowledged[table]])
        gateway.start()
    asyncio.run(run(killed_after=None))
    for table, sent in tables.items():
        log = gateway.logged(table)
        assert acknowledged[table] == len(sent)
        assert list(dict.fromkeys(log)) == sent  # in order, each of them, and nothing else
        assert verify(log) == ()
    assert gateway.dead_letters() == []


def test_while_the_brokers_are_silent_nothing_is_acknowledged_and_memory_stays_flat(
    own_stack: StackMaker, tmp_path: Path
) -> None:
    stack = own_stack()
    stack.up(servers_only=True)
    pid = stack.state.processes["kafka"].pid
    gateway = GatewayProcess(
        tmp_path,
        Broker(stack.kafka_bootstrap),
        IN_FLIGHT_BYTES_MAX="400000",
        BATCH_BYTES_MAX="200000",
    )
    gateway.start()
    tables = {name: frames(name, 500, room=20_000) for name in (f"BJ-{n:02}" for n in range(16))}
    try:
        before = gateway.memory_bytes_peak()
        silent = asyncio.run(flood(gateway, tables, pid))
        grown = gateway.memory_bytes_peak() - before
        for table, sent in tables.items():
            log = gateway.logged(table)
            assert numbers(log) == numbers(sent)
            assert log == sent
    finally:
        os.kill(pid, signal.SIGCONT)
        gateway.kill()
    assert max(silent) - before < len(tables) * STREAM_BYTES_MAX  # 160 MB were on offer
    assert grown < MEMORY_GROWTH_MAX  # of the same 160


def test_while_kafka_is_gone_the_gateway_is_not_ready_and_then_is_again(
    own_stack: StackMaker, tmp_path: Path
) -> None:
    stack = own_stack()
    stack.up(servers_only=True)
    gateway = GatewayProcess(tmp_path, Broker(stack.kafka_bootstrap))
    gateway.start()
    try:
        kafka = stack.state.processes["kafka"]
        send(kafka, signal.SIGKILL)
        assert wait_for_end(kafka, 30)
        eventually(lambda: not gateway.is_ready())
        assert '"not ready"' in gateway.log
        stack.up(servers_only=True)
        eventually(gateway.is_ready)
        sent = frames("BJ-1", 3)

        async def report() -> tuple[int, list[str]]:
            async with gateway.open_session("BJ-1") as stream:
                return await stream.report(sent)

        assert asyncio.run(report()) == (3, [])
        assert gateway.logged("BJ-1") == sent
        assert gateway.stop() == 0
    finally:
        gateway.kill()


def numbers(log: list[bytes]) -> list[int]:
    return [decode_event(each).seq for each in log]


async def flood(gateway: GatewayProcess, tables: dict[str, list[bytes]], pid: int) -> list[int]:
    """Everybody sends without waiting for answers, while the broker stands still.

    Gives what the gateway takes during that, ten times a second.
    """
    acknowledged = dict.fromkeys(tables, 0)

    async def write(stream: ReportStream, sent: list[bytes]) -> None:
        for start in range(0, len(sent), 5):
            await stream.write(sent[start : start + 5])

    async def read(stream: ReportStream, table: str) -> None:
        while acknowledged[table] < len(tables[table]):
            acknowledged[table] = (await stream.read()).acknowledged.through_seq

    async with AsyncExitStack() as streams:
        lines = {
            table: await streams.enter_async_context(gateway.open_session(table))
            for table in tables
        }
        memory: list[int] = []
        os.kill(pid, signal.SIGSTOP)
        writing = [asyncio.create_task(write(lines[table], tables[table])) for table in tables]
        reading = [asyncio.create_task(read(lines[table], table)) for table in tables]
        for _ in range(SILENT_TENTHS):
            await asyncio.sleep(0.1)
            memory.append(gateway.memory_bytes())
        assert set(acknowledged.values()) == {0}
        assert not any(each.done() for each in writing)  # the controllers are held back
        os.kill(pid, signal.SIGCONT)
        await asyncio.wait_for(asyncio.gather(*writing, *reading), 60)
    return memory
