"""What the gateway reads again, and what nobody takes from it, has little memory."""

from __future__ import annotations

import asyncio
from pathlib import Path

from blackjack.facts import RoundOpened
from runtime.kafka.configuration import make_producer, producer_configuration
from tests.stack.broker import Broker
from tests.table_gateway.harness import (
    MEBIBYTE,
    MEMORY_GROWTH_MAX,
    GatewayProcess,
    ReportStream,
    frame,
    frames,
)
from wire.topics import TABLE_EVENTS

TABLES = ("BJ-1", "BJ-2", "BJ-3", "BJ-4")
EVENT_BYTES = 60_000
EVENTS = 800
REFUSED = [frame("x" * 250, 1, RoundOpened("R"))] * 200
"""A batch of another table's events: each answer names that table."""
BATCHES_MAX = 2000
HELD_BACK_SECONDS = 5.0


def test_a_log_that_was_compressed_well_is_not_unpacked_all_at_once(
    broker: Broker, tmp_path: Path
) -> None:
    gateway = GatewayProcess(tmp_path, broker)
    gateway.start()
    before = gateway.memory_bytes_peak()
    gateway.kill()
    assert len(TABLES) * EVENTS * EVENT_BYTES > 3 * MEMORY_GROWTH_MAX
    fill(gateway)
    gateway.start()
    assert gateway.memory_bytes_peak() - before < MEMORY_GROWTH_MAX
    gateway.kill()


def test_who_never_reads_the_answers_is_held_back_while_others_go_on(
    gateway: GatewayProcess,
) -> None:
    async def say() -> None:
        async with gateway.stub("BJ-0") as stub:
            other = ReportStream(stub.Report())
            await other.hello("BJ-0")
            before = gateway.memory_bytes_peak()
            await send_and_read_nothing(gateway, "BJ-1")
            for seq, event in enumerate(frames("BJ-0", 20), 1):
                assert await other.report([event]) == (seq, [])
            assert gateway.memory_bytes_peak() - before < MEMORY_GROWTH_MAX

    asyncio.run(say())


async def send_and_read_nothing(gateway: GatewayProcess, table: str) -> None:
    """Until the gateway takes no more of it."""
    async with gateway.stub(table) as stub:
        stream = ReportStream(stub.Report())
        await stream.hello(table)
        for _ in range(BATCHES_MAX):
            try:
                async with asyncio.timeout(HELD_BACK_SECONDS):
                    await stream.write(REFUSED)
            except TimeoutError:
                return
        raise AssertionError("it was never held back")


def fill(gateway: GatewayProcess) -> None:
    """As the gateway writes, with nothing in most of the bytes."""
    producer = make_producer(producer_configuration(gateway.broker.bootstrap))
    for table in TABLES:
        for event in frames(table, EVENTS, room=EVENT_BYTES):
            producer.produce(gateway.prefix + TABLE_EVENTS, event, table.encode())
            if len(producer) * EVENT_BYTES > 16 * MEBIBYTE:
                producer.flush()
    assert producer.flush(30) == 0
    producer.close()
