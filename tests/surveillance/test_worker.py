"""A worker on a real broker."""

from __future__ import annotations

from tests.settlement.trouble import spoilt_day
from tests.stack.broker import Broker
from tests.surveillance.house import House


def test_what_is_found_becomes_the_alerts_that_the_folds_say(broker: Broker) -> None:
    house = House(broker)
    frames = spoilt_day(1, tables=4, rounds=12)
    house.send(frames)
    house.say(house.settle(frames))
    with house.worker() as worker:
        worker.wait_for("ready")
        house.agrees()
        assert worker.stop() == 0
