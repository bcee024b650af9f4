"""`pitctl status` on a whole floor: today is the day of the property, not that of Greenwich."""

from __future__ import annotations

import json
import time
from pathlib import Path
from subprocess import CompletedProcess

import msgspec

from blackjack.hand_history import parse
from deploy.stack.stack import Stack
from property_calendar.settings import PropertySettings
from tests.pitctl.calling import process
from tests.stack.reporting import enrol_and_report
from tests.table_gateway.house import eventually

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
    before = {each["kind"]: each["count"] for each in found(floor)}
    moved = calendar.begins_at(today) + MINUTE - events[0].at
    shifted = [msgspec.structs.replace(each, at=each.at + moved) for each in events]
    enrol_and_report(floor, TABLE, tmp_path / "journal", shifted)
    eventually(lambda: any(each["count"] > before.get(each["kind"], 0) for each in found(floor)))
    shown = status(floor)
    assert f"found on gaming day {today}" in shown.stdout.decode()


def found(floor: Stack) -> list[dict[str, int]]:
    answer = json.loads(status(floor, "--json").stdout)
    counted: list[dict[str, int]] = answer["archive"].get("findings", [])
    return counted


def status(floor: Stack, *options: str) -> CompletedProcess[bytes]:
    return process("status", "--stack", floor.settings.folder, *options)
