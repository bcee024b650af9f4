"""A gateway for each test, not yet started."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.stack.broker import Broker
from tests.table_gateway.harness import GatewayProcess


@pytest.fixture
def make_gateway(tmp_path: Path, broker: Broker) -> Iterator[Callable[[], GatewayProcess]]:
    made: list[GatewayProcess] = []

    def make() -> GatewayProcess:
        made.append(GatewayProcess(tmp_path, broker, TABLE_HEADS_SECONDS="0.5"))
        return made[-1]

    yield make
    for each in made:
        each.kill()
