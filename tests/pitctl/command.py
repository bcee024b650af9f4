"""How the tests call `pitctl`: in this process, or as one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from typer import testing
from typer.main import get_command
from typer.testing import CliRunner, Result

from blackjack.facts import Event
from blackjack.findings import Finding, Withdrawal
from blackjack.hand_history import parse
from blackjack.outcomes import SettledRound
from blackjack.play.table import Table, advance
from pitctl.cli import app
from wire.json_lines import event_to_json

# For each call the library would build all commands anew, which takes most of its time.
vars(testing)["_get_command"] = cache(get_command)

Records = list[SettledRound | Finding | Withdrawal]


def pitctl(*arguments: str | Path, typed: str | bytes = "", columns: int = 100) -> Result:
    """The command in this process, `typed` on its standard input."""
    runner = CliRunner(env={"COLUMNS": str(columns), "NO_COLOR": "1"})
    result = runner.invoke(app, [str(each) for each in arguments], input=typed)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def process(
    *arguments: str | Path, typed: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "pitctl", *map(str, arguments)],
        input=typed,
        capture_output=True,
        env=os.environ | environment,
        timeout=120,
        check=False,
    )


def events_of(history: str) -> tuple[Event, ...]:
    parsed = parse(history)
    assert parsed.problems == ()
    return parsed.events


def as_lines(events: tuple[Event, ...]) -> list[str]:
    """The events as JSON lines."""
    return [event_to_json(event) for event in events]


def records_of(events: tuple[Event, ...]) -> Records:
    """What the engine itself says of these events, in the order of `--json`."""
    tables: dict[str, Table] = {}
    records: Records = []
    for event in events:
        table = tables.get(event.table) or Table.new(event.table)
        tables[event.table], step = advance(table, event)
        records += (*step.findings, *step.withdrawals, *step.rounds)
    return records


def written(folder: Path, text: str, name: str = "hand.bj") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def rows_of(output: str, start: str) -> list[str]:
    """The lines that begin with this, blanks run together."""
    lines = (" ".join(line.split()) for line in output.splitlines())
    found = [line for line in lines if line.startswith(start)]
    if not found:
        pytest.fail(f"no line begins with {start!r} in:\n{output}")
    return found
