"""The same log gives the same bytes, in any process and with any hash seed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from blackjack.facts import Event
from blackjack.hand_history import parse
from blackjack.play.table import Table, fold
from table_simulator.days.randomness import play_day
from table_simulator.domain.faults.fault_catalog import FAULTS
from tests.blackjack.test_planted_faults import plantings
from wire.settlement import encode_record

ROOT = Path(__file__).parents[2]
ROUNDS = ROOT / "tests" / "rounds"


def logs() -> list[list[Event]]:
    """A day of all games, the same with a fault of every kind, and every golden round."""
    day = play_day(seed=3, tables=5, rounds=6)
    tables = [[e for e in day if e.table == name] for name in sorted({e.table for e in day})]
    planted = [
        events for fault in FAULTS if fault.planter for _, events, _ in plantings(fault, count=1)
    ]
    golden = [list(parse(path.read_text()).events) for path in sorted(ROUNDS.glob("*.bj"))]
    return [*tables, *planted, *golden]


def digest() -> str:
    """One hash over every byte of the engine's output for all of them."""
    sha = hashlib.sha256()
    for events in logs():
        for name in sorted({event.table for event in events}):
            own = [event for event in events if event.table == name]
            for step in fold(Table.new(name), own)[1]:
                for output in (*step.rounds, *step.findings, *step.withdrawals):
                    sha.update(encode_record(output))  # type: ignore[arg-type]
    return sha.hexdigest()


@pytest.mark.proof
def test_every_hash_seed_gives_the_same_bytes() -> None:
    program = "from tests.blackjack.test_determinism import digest; print(digest())"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert outputs == {digest() + "\n"}
