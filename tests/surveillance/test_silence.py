"""A table that falls silent while others speak, by the clock of the wall, on a real broker."""

from __future__ import annotations

import time

import pytest

from alerting.alert import AlertState
from blackjack.facts import Event, Fact, HeartbeatSent, TableOpened
from tests.settlement.floor import Frame, eventually
from tests.stack.broker import Broker
from tests.surveillance.house import House, standing
from wire.events import encode_event

pytestmark = pytest.mark.proof

MINUTE = 60_000_000
SILENT, SPEAKS = "T-silent", "T-speaks"
SECONDS_MAX = 180.0
"""A silence is told by who has listened in vain for a minute, every half minute."""


def said(table: str, seq: int, at: int, fact: Fact) -> Frame:
    return table, encode_event(Event(table, seq, at, fact)), at


def test_a_silence_is_told_while_it_lasts_and_ends_when_the_table_speaks(broker: Broker) -> None:
    house = House(broker)
    now = time.time_ns() // 1_000
    begun = now - 12 * MINUTE
    opened = TableOpened(slip="O-1", signers=("a", "b"))
    house.send(
        [said(SILENT, 1, begun, opened), said(SILENT, 2, begun + 1_000_000, HeartbeatSent())]
    )
    house.send([said(SPEAKS, 1, begun, opened)])
    house.send(
        [said(SPEAKS, 2 + each, begun + each * MINUTE, HeartbeatSent()) for each in range(12)]
    )
    spoken = 14

    def is_told() -> bool:
        """The other table's controller sends its heartbeats meanwhile."""
        nonlocal spoken
        house.send([said(SPEAKS, spoken, time.time_ns() // 1_000, HeartbeatSent())])
        spoken += 1
        time.sleep(2)
        return bool(standing(house.alerts()))

    with house.worker() as worker:
        worker.wait_for("ready")
        eventually(is_told, seconds_max=SECONDS_MAX)
        (alert,) = standing(house.alerts()).values()
        assert (alert.kind, alert.table) == ("table.silent", SILENT)
        assert "still" in alert.sentence
        house.send([said(SILENT, 3, time.time_ns() // 1_000, HeartbeatSent())])
        eventually(lambda: "still" not in house.alerts()[-1].sentence)
        assert worker.stop() == 0
    last = house.alerts()[-1]
    assert (last.id, last.state) == (alert.id, AlertState.STANDING)
    assert {each.table for each in house.alerts()} == {SILENT}
