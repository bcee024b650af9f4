"""A worker on a real broker: what it tells, what it sets aside, what it refuses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from alerting.alert import AlertState
from tests.settlement.floor import eventually
from tests.settlement.trouble import spoilt_day
from tests.stack.broker import Broker
from tests.stack.plugin import StackMaker
from tests.stack.secure import secure_stack
from tests.surveillance.house import House
from wire import topics
from wire.alerts import encode_alert


def test_what_was_said_becomes_the_alerts_that_the_folds_say(broker: Broker) -> None:
    """And nothing of what was said in transactions that came to nothing."""
    house = House(broker)
    house.fill(spoilt_day(1, tables=4, rounds=12))
    with house.worker() as worker:
        worker.wait_for("ready")
        house.agrees()
        eventually(house.is_done)
        assert worker.stop() == 0


@pytest.mark.proof
def test_everything_made_anew_gives_the_same_alerts_with_the_next_generation(
    broker: Broker, tmp_path: Path
) -> None:
    house = House(broker)
    house.fill(spoilt_day(3, tables=3, rounds=8))
    with house.worker(STATE_FOLDER=str(tmp_path)) as worker:
        house.agrees()
        eventually(house.is_done)
        refused = house.rebuild()
        assert refused.returncode == 1
        assert "are running: stop them first" in refused.stderr
        assert worker.stop() == 0
    before = house.standing()
    eventually(house.is_deserted)
    # What a product told that knew of something else to look for.
    known = next(each for each in house.alerts() if each.state is AlertState.STANDING)
    other = replace(known, id="told-before", revision=3)
    broker.write(house.topic(topics.ALERTS), [encode_alert(other)], key=b"told-before")
    assert house.rebuild().returncode == 0
    with house.worker(STATE_FOLDER=str(tmp_path)) as worker:
        eventually(lambda: house.standing(generation=1) == before)
        assert '"withdrawn": 1' in worker.wait_for("made anew")
        assert worker.stop() == 0
    assert {each.generation for each in house.alerts()} == {0, 1}
    last = [each for each in house.alerts() if each.id == "told-before"][-1]
    assert (last.state, last.generation, last.revision) == (AlertState.WITHDRAWN, 0, 4)
    assert last.withdrawn_because == "not told again when surveillance was made anew"
    # Who starts again finds nothing more to withdraw.
    with house.worker(STATE_FOLDER=str(tmp_path)) as worker:
        assert '"withdrawn": 0' in worker.wait_for("made anew")


@pytest.mark.proof
def test_a_worker_speaks_with_brokers_over_tls(
    own_stack: StackMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Faust's consumer, our producers, the sieve and those that follow: all of it, or it would not
    be ready, and would not end up with the same alerts."""
    stack, told = secure_stack(own_stack, tmp_path, monkeypatch)
    house = House(Broker(stack.kafka_bootstrap))
    house.fill(spoilt_day(5, tables=2, rounds=5))
    with house.worker(**told) as worker:
        worker.wait_for("ready")
        house.agrees()
        assert worker.stop() == 0
    with house.worker(**told | {"KAFKA_SASL_PASSWORD": "please"}) as stranger:
        assert "_AUTHENTICATION" in stranger.wait_for("kafka")


def test_a_rebuild_says_who_wants_it_and_why() -> None:
    command = [sys.executable, "-m", "surveillance.kafka.rebuild"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "required: --author, --reason" in refused.stderr


def test_a_recovery_without_progress_ends_the_worker_and_says_so(broker: Broker) -> None:
    """What a stranger has begun to write is neither a state nor the end of them."""
    house = House(broker)
    stranger = house.leave_open(topics.SURVEILLANCE_STATES, b"state")
    with house.worker(RECOVERY_SECONDS_MAX="3") as worker:
        assert "RecoveryStuck" in worker.wait_for("part died")
        assert worker.ended() == 1
    stranger.abort_transaction(30)
