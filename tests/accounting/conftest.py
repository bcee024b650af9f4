"""A ledger for each test, and the process over one for those that enter something."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy.stack.stack import Stack
from tests.accounting.books import SERVICE, Books
from tests.accounting.house import House
from tests.stack.broker import Broker
from tests.stack.databases import Databases
from tests.stack.houses import making, opened, template_of


@pytest.fixture
def make_books(databases: Databases) -> Iterator[Callable[[], Books]]:
    made: list[Books] = []

    def make() -> Books:
        made.append(Books(databases.make(template_of(databases, SERVICE))))
        return made[-1]

    yield make
    for item in made:
        item.close()
        databases.drop(item.database)


@pytest.fixture
def books(make_books: Callable[[], Books]) -> Books:
    return make_books()


@pytest.fixture
def make_house(
    tmp_path: Path, broker: Broker, databases: Databases
) -> Iterator[Callable[..., House]]:
    """A house of the test's own, with the settings it names; not started yet."""
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
    """A house that several tests tell of tables of their own: starting one takes its time."""
    folder = tmp_path_factory.mktemp("shared")
    with opened(House, SERVICE, folder, stack, databases) as found:
        found.start()
        yield found


@pytest.fixture
def table(request: pytest.FixtureRequest) -> str:
    """A table of which no other test speaks."""
    return "T-" + hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:8]
