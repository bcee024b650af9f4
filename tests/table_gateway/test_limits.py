"""What may be under way at once, and who may speak: without a broker."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from runtime.kafka.records import Output
from runtime.metrics import Metrics
from runtime.positions import Position
from table_gateway.domain.stream import Stream
from table_gateway.grpc.budget import Budget
from table_gateway.grpc.errors import BatchTooLarge, Stopping, Superseded
from table_gateway.grpc.ingest_clock import Clock
from table_gateway.grpc.sessions import Desks
from table_gateway.kafka.ingest import Intake, weigh
from tests.table_gateway.house import frames
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

    async def learn(self, table: str) -> Stream:
        mine = [decode_event(out.value or b"") for out in self.producer.sent]
        last = [event for event in mine if event.table == table][-1:]
        return Stream.at(table, last[0].seq, last[0].digest) if last else Stream(table)


def make_desks(producer: SlowProducer, *, bytes_max: int = 1 << 20) -> tuple[Desks, Budget]:
    budget = Budget(bytes_max)
    intake = Intake(
        producer,  # type: ignore[arg-type]
        events_topic="events",
        dead_letters_topic="dead",
        budget=budget,
        batch_bytes_max=10_000,
        clock=Clock(lambda: 1),
        metrics=Metrics("table_gateway"),
    )
    return Desks(intake, Log(producer), count=lambda _: None), budget


def test_however_many_tables_send_no_more_than_the_budget_is_under_way() -> None:
    async def scenario() -> None:
        producer = SlowProducer()
        batch = frames("BJ-0", 4)
        desks, budget = make_desks(producer, bytes_max=3 * weigh(batch))

        async def table(number: int) -> None:
            name = f"BJ-{number}"
            async with desks.speaking(name, f"table/{name}") as speaker:
                await speaker.take(frames(name, 4))

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
        desks, budget = make_desks(SlowProducer())
        async with desks.speaking("BJ-07", "table/BJ-07") as speaker:
            with pytest.raises(BatchTooLarge):
                await speaker.take([b""] * 100)
        assert budget.spent_bytes == 0

    asyncio.run(scenario())


def test_the_newer_speaker_waits_for_what_the_older_has_under_way() -> None:
    async def scenario() -> None:
        producer = SlowProducer()
        desks, _ = make_desks(producer)
        async with desks.speaking("BJ-07", "table/BJ-07") as older:
            taking = asyncio.create_task(older.take(frames("BJ-07", 3)))
            await asyncio.sleep(0.01)

            async def come_again() -> int:
                async with desks.speaking("BJ-07", "table/BJ-07") as newer:
                    with pytest.raises(Superseded):
                        await older.take([])
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
        desks, _ = make_desks(producer)

        async def call() -> None:
            async with desks.speaking("BJ-07", "table/BJ-07") as speaker:
                await speaker.take(frames("BJ-07", 3))

        task = asyncio.create_task(call())
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.sleep(0.01)
        producer.let.set()
        async with desks.speaking("BJ-07", "table/BJ-07") as speaker:
            assert speaker.stream.seq == 3

    asyncio.run(scenario())


def test_a_stop_ends_who_speaks_and_lets_nobody_begin() -> None:
    async def scenario() -> None:
        desks, _ = make_desks(SlowProducer())
        async with desks.speaking("BJ-07", "table/BJ-07") as speaker:
            desks.close(Stopping())
            with pytest.raises(Stopping):
                await speaker.unless_ended(asyncio.sleep(30))
        with pytest.raises(Stopping):
            async with desks.speaking("BJ-08", "table/BJ-08"):
                pass

    asyncio.run(scenario())
