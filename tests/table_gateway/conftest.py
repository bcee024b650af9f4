"""A gateway for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.stack.broker import Broker
from tests.table_gateway.harness import GatewayProcess


@pytest.fixture
def make_gateway(tmp_path: Path, broker: Broker) -> Iterator[Callable[..., GatewayProcess]]:
    """A gateway of the test's own, with the settings it names."""
    made: list[GatewayProcess] = []

    def make(**environment: str) -> GatewayProcess:
        made.append(GatewayProcess(tmp_path, broker, **environment))
        made[-1].start()
        return made[-1]

    yield make
    for each in made:
        each.kill()


@pytest.fixture
def gateway(make_gateway: Callable[..., GatewayProcess]) -> GatewayProcess:
    return make_gateway()
