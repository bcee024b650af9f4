"""A gateway for each test, not yet started."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.stack.broker import Broker
from tests.table_gateway.house import House


@pytest.fixture
def make_house(tmp_path: Path, broker: Broker) -> Iterator[Callable[[], House]]:
    made: list[House] = []

    def make() -> House:
        made.append(House(tmp_path, broker, TABLE_HEADS_SECONDS="0.5"))
        return made[-1]

    yield make
    for each in made:
        each.kill()
