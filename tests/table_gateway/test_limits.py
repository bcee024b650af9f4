"""What may be under way at once, and who may speak: without a broker."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from runtime.kafka.records import Output
from runtime.metrics import Metrics
from runtime.positions import Position
from table_gateway.domain.stream import TableStream
from table_gateway.grpc.budget import Budget
from table_gateway.grpc.errors import BatchTooLarge, GatewayStopping, Superseded
from table_gateway.grpc.ingest_clock import IngestClock
from table_gateway.grpc.sessions import SessionRegistry
from table_gateway.kafka.ingest import EventIngest, weigh
from tests.table_gateway.harness import frames
from wire import decode_event


class SlowProducer:
    """Takes everything, and says so when it is let."""

    def __init__(self) -> None:
        self.sent: list[Output] = []
        self.let = asyncio.Event()

    async def send(self, outputs: Sequence[Output]) -> tuple[Position, ...]:
        await self.let.wait()
        self.sent += outputs
        return ()


class Log:
    """How far tables are, by what the producer was sent."""

    def __init__(self, producer: SlowProducer) -> None:
        self.producer = producer

    async def query(self, table: str) -> TableStream:
        mine = [decode_event(out.value or b"") for out in self.producer.sent]
        last = [event for event in mine if event.table == table][-1:]
        return TableStream.at(table, last[0].seq, last[0].digest) if last else TableStream(table)


def make_registry(
    producer: SlowProducer, *, bytes_max: int = 1 << 20
) -> tuple[SessionRegistry, Budget]:
    budget = Budget(bytes_max)
    ingest = EventIngest(
        producer,  # type: ignore[arg-type]
        events_topic="events",
        dead_letters_topic="dead",
        budget=budget,
        batch_bytes_max=10_000,
        clock=IngestClock(lambda: 1),
        metrics=Metrics("table_gateway"),
    )
    return SessionRegistry(ingest, Log(producer), count=lambda _: None), budget


def test_however_many_tables_send_no_more_than_the_budget_is_under_way() -> None:
    async def scenario() -> None:
        producer = SlowProducer()
        batch = frames("BJ-0", 4)
        registry, budget = make_registry(producer, bytes_max=3 * weigh(batch))

        async def table(number: int) -> None:
            name = f"BJ-{number}"
            async with registry.open_session(name, f"table/{name}") as session:
                await session.append(frames(name, 4))

        tables = [asyncio.create_task(table(number)) for number in range(10)]
        while budget.spent_bytes < 3 * weigh(batch):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)  # for whoever would go beyond it
        assert budget.spent_bytes == 3 * weigh(batch)
        producer.let.set()
        await asyncio.gather(*tables)
        assert (budget.spent_bytes, len(producer.sent)) == (0, 40)

    asyncio.run(scenario())


def test_a_single_batch_above_the_budget_goes_alone() -> None:
    async def scenario() -> None:
        budget = Budget(10)
        async with budget.spend(100):
            assert budget.spent_bytes == 100
        assert budget.spent_bytes == 0

    asyncio.run(scenario())


def test_a_batch_of_very_many_empty_events_is_too_large() -> None:
    async def scenario() -> None:
        registry, budget = make_registry(SlowProducer())
        async with registry.open_session("BJ-07", "table/BJ-07") as session:
            with pytest.raises(BatchTooLarge):
                await session.append([b""] * 100)
        assert budget.spent_bytes == 0

    asyncio.run(scenario())


def test_the_newer_speaker_waits_for_what_the_older_has_under_way() -> None:
    async def scenario() -> None:
        producer = SlowProducer()
        registry, _ = make_registry(producer)
        async with registry.open_session("BJ-07", "table/BJ-07") as older:
            taking = asyncio.create_task(older.append(frames("BJ-07", 3)))
            await asyncio.sleep(0.01)

            async def come_again() -> int:
                async with registry.open_session("BJ-07", "table/BJ-07") as newer:
                    with pytest.raises(Superseded):
                        await older.append([])
                    return newer.stream.seq

            again = asyncio.create_task(come_again())
            await asyncio.sleep(0.01)
            assert not again.done()
            with pytest.raises(Superseded):
                await older.unless_ended(asyncio.sleep(30))
            producer.let.set()
            assert (await taking).stream.seq == 3
            assert await again == 3

    asyncio.run(scenario())


def test_a_caller_that_goes_away_does_not_leave_a_batch_half_taken() -> None:
    async def scenario() -> None:
        producer = SlowProducer()
        registry, _ = make_registry(producer)

        async def call() -> None:
            async with registry.open_session("BJ-07", "table/BJ-07") as session:
                await session.append(frames("BJ-07", 3))

        task = asyncio.create_task(call())
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.sleep(0.01)
        producer.let.set()
        async with registry.open_session("BJ-07", "table/BJ-07") as session:
            assert session.stream.seq == 3

    asyncio.run(scenario())


def test_a_stop_ends_who_speaks_and_lets_nobody_begin() -> None:
    async def scenario() -> None:
        registry, _ = make_registry(SlowProducer())
        async with registry.open_session("BJ-07", "table/BJ-07") as session:
            registry.close(GatewayStopping())
            with pytest.raises(GatewayStopping):
                await session.unless_ended(asyncio.sleep(30))
        with pytest.raises(GatewayStopping):
            async with registry.open_session("BJ-08", "table/BJ-08"):
                pass

    asyncio.run(scenario())
