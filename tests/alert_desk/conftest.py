"""A desk for each test that needs one of its own, and one for all that do not."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy.stack.stack import Stack
from tests.alert_desk.house import House, prepare
from tests.stack.broker import Broker
from tests.stack.databases import Databases


@pytest.fixture
def make_house(
    tmp_path: Path, broker: Broker, databases: Databases
) -> Iterator[Callable[..., House]]:
    """A desk of the test's own, with the settings it names; not started yet."""
    made: list[House] = []

    def make(**environment: str) -> House:
        template = databases.make_template("alert_desk", prepare)
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


@pytest.fixture(scope="session")
def shared(
    stack: Stack, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    """A desk that several tests tell of alerts of their own: starting one takes its time."""
    broker = Broker(stack.kafka_bootstrap)
    database = databases.make(databases.make_template("alert_desk", prepare))
    found = House(tmp_path_factory.mktemp("desk"), broker, database, WATCH_QUIET_SECONDS="0.2")
    found.start()
    yield found
    found.kill()
    databases.drop(database)
    broker.clear()


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """Of an alert of which no other test speaks."""
    return hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:12]
