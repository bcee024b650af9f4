"""Tables in real time on a machine that stands still: their clocks are right all the same."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from runtime.kafka.records import header
from table_simulator.days.day import simulate
from table_simulator.days.event_chain import ControllerScript
from table_simulator.grpc.floor_sender import (
    LATE_SECONDS_MAX,
    REAL_TIME,
    FloorConnection,
    open_floor,
)
from tests.table_client.conftest import make_gateway as make_gateway
from tests.table_gateway.harness import GatewayProcess
from wire.headers import WAITED_US, read_waited_us

EVENTS = 12
SECOND_US = 1_000_000


def due(seconds_ago: float) -> ControllerScript:
    """The beginning of a table's day, of which all was due at that moment."""
    (script,) = simulate(seed=1, tables=1, rounds=1).scripts()
    at = int((time.time() - seconds_ago) * SECOND_US)
    return replace(
        script, frames=tuple(replace(frame, ingested_at=at) for frame in script.frames[:EVENTS])
    )


def waits(gateway: GatewayProcess, folder: Path, script: ControllerScript) -> list[int]:
    """What the log has of how long each event waited."""
    line = FloorConnection(
        gateway.address, folder / "tables", folder / "journals", folder / "authority"
    )

    async def send() -> None:
        async with open_floor([script], line, speed=REAL_TIME) as floor:
            await asyncio.wait_for(floor.run(), 30)

    asyncio.run(send())
    return [read_waited_us(header(message, WAITED_US)) for message in gateway.messages()]


@pytest.mark.parametrize(("seconds_ago", "is_late"), [(3, True), (LATE_SECONDS_MAX + 30, False)])
def test_late_events_have_waited_and_old_events_have_not(
    seconds_ago: float, is_late: bool, make_gateway: Callable[[], GatewayProcess], tmp_path: Path
) -> None:
    gateway = make_gateway()
    gateway.start()
    recorded = waits(gateway, tmp_path, due(seconds_ago))
    assert len(recorded) == EVENTS
    assert [wait >= seconds_ago * SECOND_US for wait in recorded] == [is_late] * EVENTS
