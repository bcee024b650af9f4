"""A gateway for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.stack.broker import Broker
from tests.table_gateway.house import House


@pytest.fixture
def make_house(tmp_path: Path, broker: Broker) -> Iterator[Callable[..., House]]:
    """A gateway of the test's own, with the settings it names."""
    made: list[House] = []

    def make(**environment: str) -> House:
        made.append(House(tmp_path, broker, **environment))
        made[-1].start()
        return made[-1]

    yield make
    for each in made:
        each.kill()


@pytest.fixture
def house(make_house: Callable[..., House]) -> House:
    return make_house()
