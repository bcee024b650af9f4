"""An archive for each test, and one with a whole day in it for those that only ask."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from casino.settlement.v1.settled_round_pb2 import SettledRound
from deploy.stack.stack import Stack
from tests.round_archive.house import House, prepare
from tests.stack.broker import Broker
from tests.stack.databases import Databases
from tests.table_simulator.days import a_day
from wire import topics


@pytest.fixture
def make_house(
    tmp_path: Path, broker: Broker, databases: Databases
) -> Iterator[Callable[..., House]]:
    """An archive of the test's own, with the settings it names; not started yet."""
    made: list[House] = []

    def make(**environment: str) -> House:
        template = databases.make_template("round_archive", prepare)
        made.append(House(tmp_path, broker, databases.make(template), **environment))
        return made[-1]

    yield make
    for each in made:
        each.kill()
        databases.drop(each.database)


@pytest.fixture
def house(make_house: Callable[..., House]) -> House:
    found = make_house()
    found.start()
    return found


@contextmanager
def opened(stack: Stack, databases: Databases, folder: Path, **environment: str) -> Iterator[House]:
    broker = Broker(stack.kafka_bootstrap)
    database = databases.make(databases.make_template("round_archive", prepare))
    found = House(folder, broker, database, **environment)
    yield found
    found.kill()
    databases.drop(database)
    broker.clear()


@pytest.fixture(scope="session")
def floor(
    stack: Stack, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    """Eight tables of all games with faults in their day; nobody may say more to it."""
    with opened(stack, databases, tmp_path_factory.mktemp("floor"), WATCHES_MAX="3") as found:
        frames = a_day(5, tables=8, rounds=10, every=2).frames
        found.settle([(each.stream, each.data, each.ingested_at) for each in frames])
        found.start()
        asyncio.run(found.indexed())
        yield found


@pytest.fixture(scope="session")
def shared(
    stack: Stack, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    """An archive that several tests tell of tables of their own: starting one takes its time."""
    folder = tmp_path_factory.mktemp("shared")
    with opened(stack, databases, folder, WATCH_QUIET_SECONDS="0.2") as found:
        found.start()
        yield found


@pytest.fixture(scope="session")
def said(floor: House) -> list[SettledRound]:
    """Every round of the floor in the version in force, as the topic has it."""
    latest: dict[tuple[str, str], SettledRound] = {}
    for message in floor.broker.read(floor.topic(topics.SETTLED_ROUNDS)):
        each = SettledRound.FromString(message.value() or b"")
        latest[each.table_id, each.round] = each
    return list(latest.values())


@pytest.fixture
def table(request: pytest.FixtureRequest) -> str:
    """A table of which no other test speaks."""
    return "T-" + hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:8]
