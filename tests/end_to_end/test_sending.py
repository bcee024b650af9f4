"""A simulated day over the wire: by `pitctl simulate`, and by the simulator as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.stack.stack import Stack
from runtime.kafka.records import header
from table_simulator.days.day import SimulatedDay, simulate
from tests.stack.broker import Broker
from tests.table_gateway.harness import GatewayProcess
from wire.headers import INGESTED_AT, read_ingested_at

SEED, TABLES, ROUNDS = 5, 3, 4


@pytest.fixture
def house(tmp_path: Path, broker: Broker) -> Iterator[GatewayProcess]:
    """A gateway that was started for simulations."""
    made = GatewayProcess(tmp_path, broker, SIMULATED_TIME="true")
    made.start()
    yield made
    made.kill()


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    around = {**os.environ, **environment}
    return subprocess.run(
        [sys.executable, "-m", *words], env=around, capture_output=True, text=True, check=False
    )


def check(house: GatewayProcess, day: SimulatedDay) -> None:
    """The log has what was sent, and when it was received is what the day says."""
    for script in day.scripts():
        messages = [each for each in house.messages() if each.key() == script.stream.encode()]
        received = [read_ingested_at(header(each, INGESTED_AT)) for each in messages]
        assert [each.value() for each in messages] == [frame.data for frame in script.frames]
        assert received == [frame.ingested_at for frame in script.frames]


def test_pitctl_sends_a_day_and_sends_nothing_twice(house: GatewayProcess, tmp_path: Path) -> None:
    words = ["pitctl", "simulate", "--gateway", str(house.address), "--floor", "P"]
    words += ["--authority", str(tmp_path / "authority"), "--folder", str(tmp_path / "floor")]
    words += ["--seed", str(SEED), "--tables", str(TABLES), "--rounds", str(ROUNDS)]
    for _ in range(2):
        done = run(*words)
        assert done.returncode == 0, done.stderr
        assert "12 rounds" in done.stdout
    check(house, simulate(seed=SEED, tables=TABLES, rounds=ROUNDS, floor_name="P"))
    other = run(*words, "--seed", "6", "--folder", str(tmp_path / "elsewhere"))
    assert other.returncode == 2
    assert "choose another --floor" in other.stderr


def test_the_tables_of_a_local_stack_get_their_certificates_from_it(
    floor: Stack, tmp_path: Path
) -> None:
    known = floor.operator_environment(floor.state)
    words = ["pitctl", "simulate", "--gateway", known["TABLE_GATEWAY_ADDRESS"], "--floor", "OWN"]
    words += ["--folder", str(tmp_path / "floor"), "--tables", "1", "--rounds", "1"]
    done = run(*words, STACK_DIR=str(floor.settings.folder), AUTHORITY_FOLDER="")
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 round," in done.stdout


def test_where_nobody_issues_certificates_it_is_said_and_nothing_is_left(tmp_path: Path) -> None:
    words = ["pitctl", "simulate", "--gateway", "127.0.0.1:9", "--folder", str(tmp_path / "floor")]
    words += ["--tables", "1", "--rounds", "1"]
    for speed in ("max", "1"):
        nobody = {"STACK_DIR": str(tmp_path / "stack"), "AUTHORITY_FOLDER": ""}
        done = run(*words, "--speed", speed, **nobody)
        assert (done.returncode, done.stdout) == (2, "")
        assert "--authority" in done.stderr
        assert list(tmp_path.iterdir()) == []


def test_a_gateway_for_real_tables_refuses_a_compressed_day(tmp_path: Path, broker: Broker) -> None:
    house = GatewayProcess(tmp_path, broker)
    house.start()
    try:
        words = ["--gateway", str(house.address), "--authority", str(tmp_path / "authority")]
        words += ["--folder", str(tmp_path / "floor"), "--tables", "1", "--rounds", "1"]
        done = run("pitctl", "simulate", *words)
        assert done.returncode == 2
        assert "not started for simulations" in done.stderr
        assert house.messages() == []
    finally:
        house.kill()


def test_the_simulator_is_a_process_that_ends_with_its_day(
    house: GatewayProcess, tmp_path: Path
) -> None:
    done = run(
        "table_simulator",
        TABLE_GATEWAY_ADDRESS=str(house.address),
        AUTHORITY_FOLDER=str(tmp_path / "authority"),
        CERTIFICATES_FOLDER=str(tmp_path / "certificates"),
        JOURNAL_FOLDER=str(tmp_path / "journals"),
        TRUTH=str(tmp_path / "truth.jsonl"),
        SPEED="max",
        METRICS_ADDRESS="127.0.0.1:0",
        HEALTH_ADDRESS="127.0.0.1:0",
        SEED=str(SEED),
        TABLES=str(TABLES),
        ROUNDS=str(ROUNDS),
    )
    assert done.returncode == 0, done.stderr
    assert "the day is over" in done.stderr
    check(house, simulate(seed=SEED, tables=TABLES, rounds=ROUNDS))
    assert (tmp_path / "truth.jsonl").exists()
