"""A desk for each test that needs one of its own, and one for all that do not."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from deploy.stack.stack import Stack
from tests.alert_desk.house import SERVICE, House
from tests.stack.broker import Broker
from tests.stack.databases import Databases
from tests.stack.houses import making, opened


@pytest.fixture
def make_house(
    tmp_path: Path, broker: Broker, databases: Databases
) -> Iterator[Callable[..., House]]:
    """A desk of the test's own, with the settings it names; not started yet."""
    with making(House, SERVICE, tmp_path, broker, databases) as make:
        yield make


@pytest.fixture
def house(make_house: Callable[..., House]) -> House:
    found = make_house()
    found.start()
    return found


@pytest.fixture(scope="package")
def shared(
    stack: Stack, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    """A desk that several tests tell of alerts of their own: starting one takes its time."""
    folder = tmp_path_factory.mktemp("desk")
    with opened(House, SERVICE, folder, stack, databases, WATCH_QUIET_SECONDS="0.2") as found:
        found.start()
        yield found


@pytest.fixture(scope="module")
def module_house(
    stack: Stack, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., House]]:
    """A desk of the module's own, with the settings it names; not started yet."""
    with ExitStack() as kept:

        def make(**environment: str) -> House:
            folder = tmp_path_factory.mktemp("own")
            return kept.enter_context(
                opened(House, SERVICE, folder, stack, databases, **environment)
            )

        yield make


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """Of an alert of which no other test speaks."""
    return hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:12]
