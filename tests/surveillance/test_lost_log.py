"""Surveillance whose log is replaced while it watches."""

from __future__ import annotations

import pytest

from tests.settlement.floor import eventually
from tests.stack.broker import Broker
from tests.surveillance.house import House
from wire import topics


@pytest.mark.parametrize("name", [topics.FINDINGS, topics.SURVEILLANCE_STATES])
def test_a_topic_that_is_replaced_under_a_worker_is_refused_until_a_rebuild(
    broker: Broker, name: str
) -> None:
    house = House(broker)
    with house.worker() as worker:
        worker.wait_for("ready")
        broker.recreate_topic(house.topic(name))
        reason = worker.wait_for_rejection("the topic was deleted and created again")
        assert f"surveillance rejects the log of {house.topic(name)}" in reason
        assert "python -m surveillance.kafka.rebuild" in reason
        worker.wait_for("not ready")
        assert worker.is_alive
        worker.kill()
    with house.worker() as again:
        again.wait_for("log rejected")
        eventually(house.is_deserted)
        done = house.rebuild()
        assert done.returncode == 0, done.stderr
        again.wait_for("ready")
