"""Topics into a database: another log than the one that was read is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import psycopg
import pytest
from confluent_kafka import Message
from psycopg import Connection

from runtime.database.connection import DatabaseSettings, session
from runtime.database.migrations import migrate, read_migrations
from runtime.database.positions import advance_sync
from runtime.database.read_logs import FORGET
from runtime.database.readiness import StoreReadiness
from runtime.health import Health
from runtime.kafka.rejections import Rejections
from runtime.metrics import Metrics
from runtime.positions import OffsetRange
from runtime.process import Stop
from runtime.projector import KAFKA, Projector
from tests.runtime.database import needs_database, new_database, new_service
from tests.stack.broker import Broker

CONSUMER = "counting"
SECONDS_MAX = 60.0
RUNTIME = read_migrations("runtime", resources.files("runtime.database") / "migrations")
pytestmark = needs_database


class Counting:
    """Keeps nothing but how far it read, and what came."""

    def __init__(self) -> None:
        self.values: list[bytes | None] = []

    def take(
        self,
        connection: Connection[Any],
        messages: Sequence[Message],
        readings: Sequence[OffsetRange],
    ) -> None:
        with connection.transaction():
            for reading in readings:
                advance_sync(connection, CONSUMER, reading)
        self.values += [message.value() for message in messages]

    def reject(
        self, _: Connection[Any], __: Message, reason: str, ___: Sequence[OffsetRange]
    ) -> None:
        raise AssertionError(f"a sound message was rejected: {reason}")


@dataclass(frozen=True, slots=True)
class House:
    broker: Broker
    topic: str
    service: str
    settings: DatabaseSettings

    def run(self, work: Callable[[Health, Counting], Awaitable[None]], *expiring: str) -> None:
        """One process, as long as `work` takes."""

        async def main() -> None:
            stop, counting = Stop(), Counting()
            health = Health([KAFKA])
            projector = Projector(
                self.broker.bootstrap,
                self.settings,
                health,
                StoreReadiness(self.service, self.settings, health),
                Metrics("example"),
                counting,
                service=self.service,
                consumer=CONSUMER,
                topics=[self.topic],
                accept="run `example rebuild`",
                rejections=Rejections(self.broker.bootstrap, self.topic, dict),
                code="not_counted",
                keyed={},
                expiring=expiring,
            )
            running = asyncio.create_task(asyncio.to_thread(projector.run, stop))
            try:
                await work(health, counting)
            finally:
                stop.request()
                await running

        asyncio.run(main())

    def rebuild(self) -> None:
        with self.connect() as connection:
            connection.execute("UPDATE consumed_positions SET next_offset = 0")
            connection.execute(FORGET, [CONSUMER])

    def connect(self) -> Connection[Any]:
        """As the service itself."""
        url = self.settings.database_url.get_secret_value()
        return psycopg.connect(session(url, service=self.service, statement_seconds_max=30.0))


@pytest.fixture
def house(broker: Broker) -> Iterator[House]:
    with new_database() as administrator, new_service(administrator) as (service, settings):
        migrate(service, settings, RUNTIME)
        yield House(broker, broker.make_topic("facts"), service, settings)


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(SECONDS_MAX):
        while not holds():
            await asyncio.sleep(0.02)


async def reads(health: Health, counting: Counting, *values: bytes) -> None:
    await until(lambda: counting.values == list(values) and not health.unmet)


async def rejects(health: Health, *words: str) -> None:
    await until(lambda: all(word in health.unmet.get(KAFKA, "") for word in words))


def test_a_topic_that_is_created_again_while_it_is_read_is_refused_until_a_rebuild(
    house: House,
) -> None:
    house.broker.write(house.topic, [b"a", b"b"])

    async def work(health: Health, counting: Counting) -> None:
        await reads(health, counting, b"a", b"b")
        await asyncio.to_thread(house.broker.recreate_topic, house.topic)
        house.broker.write(house.topic, [b"1", b"2", b"3"])
        await rejects(health, "was deleted and created again", "run `example rebuild`")
        assert counting.values == [b"a", b"b"]
        await asyncio.to_thread(house.rebuild)
        await reads(health, counting, b"a", b"b", b"1", b"2", b"3")

    house.run(work)


def test_a_topic_that_is_replaced_while_nothing_runs_is_refused_at_the_start(
    house: House,
) -> None:
    house.broker.write(house.topic, [b"a", b"b"])

    async def read(health: Health, counting: Counting) -> None:
        await reads(health, counting, b"a", b"b")

    house.run(read)
    house.broker.recreate_topic(house.topic)
    house.broker.write(house.topic, [b"1", b"2", b"3"])

    async def reject(health: Health, counting: Counting) -> None:
        await rejects(health, "was deleted and created again")
        assert counting.values == []

    house.run(reject)
    house.broker.delete_topic(house.topic)

    async def miss(health: Health, counting: Counting) -> None:
        await rejects(health, "found no topic of that name")
        assert counting.values == []

    house.run(miss)


def test_positions_without_an_id_adopt_the_log_that_is_there_unless_it_is_shorter(
    house: House,
) -> None:
    """As an installation has them that was made before ids were remembered."""
    house.broker.write(house.topic, [b"a", b"b"])

    async def read(health: Health, counting: Counting) -> None:
        await reads(health, counting, b"a", b"b")

    house.run(read)
    with house.connect() as connection:
        connection.execute(FORGET, [CONSUMER])
    house.broker.write(house.topic, [b"c"])

    async def go_on(health: Health, counting: Counting) -> None:
        await reads(health, counting, b"c")

    house.run(go_on)
    with house.connect() as connection:
        connection.execute(FORGET, [CONSUMER])
        connection.execute("UPDATE consumed_positions SET next_offset = 9")

    async def reject(health: Health, counting: Counting) -> None:
        await rejects(health, "read up to offset 9 and ends at 3")
        assert counting.values == []

    house.run(reject)


@pytest.mark.parametrize("expires", [False, True])
def test_what_was_deleted_before_it_was_read_is_skipped_only_where_topics_expire(
    house: House, expires: bool
) -> None:
    house.broker.write(house.topic, [b"a", b"b"])

    async def read(health: Health, counting: Counting) -> None:
        await reads(health, counting, b"a", b"b")

    house.run(read)
    house.broker.write(house.topic, [b"c", b"d"])
    house.broker.delete_before(house.topic, 3)

    async def go_on(health: Health, counting: Counting) -> None:
        if expires:
            await reads(health, counting, b"d")
        else:
            await rejects(health, "read up to offset 2 and begins at 3")
            assert counting.values == []

    house.run(go_on, *([house.topic] if expires else []))
