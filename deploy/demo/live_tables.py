"""Live tables: they play in real time after the demonstration.

Runs as a process of the stack: `python -m deploy.demo.live_tables RUN`. Its tables have names of
their own, play in the current gaming day and break no rule, so that none of their facts is in the
compared day. The process ends after its rounds, with the next demonstration, or with the stack.
"""

from __future__ import annotations

import os
import sys
import time
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Final

from deploy.demo.offices import enter_cage, enter_promotions
from deploy.demo.runs import Run
from deploy.stack.identity import Identities
from deploy.stack.settings import read_settings
from deploy.stack.stack import Stack, without_own
from pitctl.accounting.client import ACCOUNTING
from pitctl.stack.simulate_live import send_over
from runtime.addresses import Address
from table_simulator.days.day import SimulatedDay, simulate
from table_simulator.days.event_chain import ControllerScript
from table_simulator.grpc.floor_sender import REAL_TIME, FloorConnection

NAME: Final = "demo"
TABLES, ROUNDS = 4, 200
"""About three hours of play."""
LEAD_SECONDS: Final = 30
"""Time to simulate the day before it opens: an event sent late would raise an alert."""
SEEDS: Final = 10_000
"""Above the seeds of the compared days."""


def floor_name(run: Run) -> str:
    return f"L{run.number}-"


def begin(stack: Stack, run: Run) -> None:
    """Start the tables; `make down` stops them with the stack."""
    command = [sys.executable, "-m", "deploy.demo.live_tables", str(run.number)]
    stack.start_beside(NAME, command, directory=Path.cwd(), environment=os.environ)


def end(stack: Stack) -> None:
    """Stop the live tables of the previous run: a day is not over while tables still report."""
    stack.end_beside(NAME)


def play(stack: Stack, run: Run) -> None:
    known = stack.operator_environment(stack.state)
    identities = Identities(stack.settings.folder)
    line = FloorConnection(
        Address.parse(known["TABLE_GATEWAY_ADDRESS"]),
        identities.folder / "table",
        run.journals,
        identities.authority,
    )
    accounting = ACCOUNTING.find(known["ACCOUNTING_ADDRESS"], known["IDENTITY_FOLDER"])
    day = day_from(int(time.time() + LEAD_SECONDS) * 1_000_000, run)
    for enter in (enter_promotions, enter_cage):  # beside the tables, each fact when it happens
        office = partial(enter, accounting, day, floor=floor_name(run), real_time=True)
        Thread(target=office, name=enter.__name__, daemon=True).start()
    send_over(day, line, REAL_TIME)


def day_from(at: int, run: Run, *, rounds: int = ROUNDS) -> SimulatedDay:
    """A day whose first table opens at exactly this time, so that a visitor need not wait."""
    draw = partial(simulate, seed=SEEDS + run.seed, tables=TABLES, floor_name=floor_name(run))
    waits = min(first_at(script) for script in draw(rounds=1, start_at=at).scripts()) - at
    return draw(rounds=rounds, start_at=at - waits)


def first_at(script: ControllerScript) -> int:
    return script.frames[0].ingested_at


def main() -> None:
    stack = Stack(without_own(read_settings(os.environ)))
    number = int(sys.argv[1])
    play(stack, Run(number, stack.settings.folder / "demo" / str(number)))


if __name__ == "__main__":
    main()
