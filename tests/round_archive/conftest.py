"""An archive for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.round_archive.house import House, prepare
from tests.stack.broker import Broker
from tests.stack.databases import Databases


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
