"""An archive for each test, and one with a whole day in it for those that only ask."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from casino.settlement.v1.settled_round_pb2 import SettledRound
from deploy.stack.stack import Stack
from tests.round_archive.house import SERVICE, House
from tests.stack.broker import Broker
from tests.stack.databases import Databases
from tests.stack.houses import making, opened
from tests.table_simulator.days import a_day
from wire import topics


@pytest.fixture
def make_house(
    tmp_path: Path, broker: Broker, databases: Databases
) -> Iterator[Callable[..., House]]:
    """An archive of the test's own, with the settings it names; not started yet."""
    with making(House, SERVICE, tmp_path, broker, databases) as make:
        yield make


@pytest.fixture
def house(make_house: Callable[..., House]) -> House:
    found = make_house()
    found.start()
    return found


@pytest.fixture(scope="package")
def archive(
    stack: Stack, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    """Eight tables of all games with faults in their day; nobody may say more to it."""
    folder = tmp_path_factory.mktemp("archive")
    with opened(House, SERVICE, folder, stack, databases, WATCHES_MAX="3") as found:
        frames = a_day(5, tables=8, rounds=10, every=2).frames
        found.settle([(each.stream, each.data, each.ingested_at) for each in frames])
        found.start()
        asyncio.run(found.indexed())
        yield found


@pytest.fixture(scope="package")
def shared(
    stack: Stack, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    """An archive that several tests tell of tables of their own: starting one takes its time."""
    folder = tmp_path_factory.mktemp("shared")
    with opened(House, SERVICE, folder, stack, databases, WATCH_QUIET_SECONDS="0.2") as found:
        found.start()
        yield found


@pytest.fixture(scope="package")
def said(archive: House) -> list[SettledRound]:
    """Every round of that day in the version in force, as the topic has it."""
    latest: dict[tuple[str, str], SettledRound] = {}
    for message in archive.broker.read(archive.topic(topics.SETTLED_ROUNDS)):
        each = SettledRound.FromString(message.value() or b"")
        latest[each.table_id, each.round] = each
    return list(latest.values())


@pytest.fixture
def table(request: pytest.FixtureRequest) -> str:
    """A table of which no other test speaks."""
    return "T-" + hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:8]
