"""`pitctl status` on a whole floor: today is the day of the property, not that of Greenwich."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from subprocess import CompletedProcess

import msgspec
import pytest

from blackjack.hand_history import parse
from deploy.stack.process import send, wait_for_end
from deploy.stack.stack import Stack
from property_calendar.settings import PropertySettings
from tests.pitctl.command import process
from tests.stack.broker import Broker
from tests.stack.plugin import StackMaker
from tests.stack.reporting import enrol_and_report
from tests.table_gateway.harness import eventually

DISPUTE = Path(__file__).parents[2] / "docs" / "hands" / "dispute.bj"
TABLE = "TODAY-1"
MINUTE = 60_000_000


def test_findings_are_counted_from_the_beginning_of_the_gaming_day(
    floor: Stack, tmp_path: Path
) -> None:
    """They were counted from midnight UTC: in the evening of the property, what it found by day
    was gone."""
    calendar = PropertySettings.from_environment().calendar
    today = calendar.day_of(time.time_ns() // 1000)
    events = parse(DISPUTE.read_text("utf-8").replace("table BJ-11", f"table {TABLE}")).events
    before = {row["kind"]: row["count"] for row in found(floor)}
    moved = calendar.begins_at(today) + MINUTE - events[0].at
    shifted = [msgspec.structs.replace(event, at=event.at + moved) for event in events]
    enrol_and_report(floor, TABLE, tmp_path / "journal", shifted)
    eventually(lambda: any(row["count"] > before.get(row["kind"], 0) for row in found(floor)))
    shown = status(floor)
    assert f"findings on gaming day {today}" in shown.stdout.decode().splitlines()


def test_what_does_not_run_is_unavailable_with_the_reason_and_the_rest_is_shown(
    own_stack: StackMaker, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Real processes: a server that was killed, and services that were never started."""
    monkeypatch.setenv("KAFKA_BOOTSTRAP", broker.bootstrap)
    own = own_stack(KAFKA_BOOTSTRAP=broker.bootstrap)
    own.up(servers_only=True)
    server = own.state.processes["postgres"]
    send(server, signal.SIGKILL)
    wait_for_end(server, 30)
    shown, told = status(own), status(own, "--json")
    assert (shown.returncode, told.returncode) == (3, 3)
    for said in (shown.stdout, shown.stderr, told.stdout, told.stderr):
        assert b"Traceback" not in said
    rows = {line.split()[0]: line for line in shown.stdout.decode().splitlines() if line}
    assert rows["kafka"].split()[1] == "ok"
    assert rows["postgres"].split()[1] == "unavailable"
    assert "ended by itself" in rows["postgres"]
    answer = json.loads(told.stdout)
    states = {
        service["name"]: (service["state"], service["reason"]) for service in answer["services"]
    }
    assert states["kafka"][0] == "ok"
    assert "ended by itself" in states["postgres"][1]
    services = {name: state for name, state in states.items() if name not in ("kafka", "postgres")}
    assert len(services) >= 7
    assert set(services.values()) == {("unavailable", "it is not started")}
    assert {reader["state"] for reader in answer["readers"]} == {"unavailable"}


def found(floor: Stack) -> list[dict[str, int]]:
    answer = json.loads(status(floor, "--json").stdout)
    counted: list[dict[str, int]] = answer["archive"].get("findings", [])
    return counted


def status(floor: Stack, *options: str) -> CompletedProcess[bytes]:
    return process("status", "--stack", floor.settings.folder, *options)
