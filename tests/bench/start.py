"""How long `make up` takes, against starting one server or service after the other."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Sequence
from typing import Final

from deploy.stack.server import Server
from deploy.stack.settings import NAMES, read_settings
from deploy.stack.stack import Stack
from deploy.stack.state import State
from tests.bench.broker import ROOT
from tests.bench.measure import Measurement, compared_at_most

RATIO_AIM: Final = 0.6
PORTS: Final = ("KAFKA_PORT", "KAFKA_CONTROLLER_PORT", "POSTGRES_PORT", "SERVICES_PORT")


class SequentialStack(Stack):
    """Waits for each server or service before it starts the next."""

    def _start_together(self, servers: Sequence[Server], state: State) -> None:
        for server in servers:
            super()._start_together([server], state)


def measure(*, quick: bool) -> list[Measurement]:
    folder = ROOT / "build" / "bench-start" / str(os.getpid())
    kept = {"STACK_CACHE_DIR", "STACK_NOBODY_DIR", "MAVEN_REPOSITORY", "PG_BIN"}
    around = {name: value for name, value in os.environ.items() if name not in {*NAMES} - kept}
    ports = {f"STACK_{name}": "0" for name in PORTS}
    settings = read_settings({**around, **ports, "STACK_DIR": str(folder)})
    together, sequential = Stack(settings), SequentialStack(settings)
    try:
        together.up()  # topics, schemas and certificates are made once
        together.down()
        seconds = {"together": 0.0, "sequential": 0.0}
        for _ in range(1 if quick else 3):
            seconds["sequential"] += _seconds(sequential.up)
            together.down()
            seconds["together"] += _seconds(together.up)
            together.down()
    finally:
        together.down(remove_data=True)
        shutil.rmtree(folder, ignore_errors=True)
    one_by_one = Measurement("make up, one after the other", seconds["sequential"], "s")
    return [
        one_by_one,
        compared_at_most(
            "make up, side by side", seconds["together"], "s", one_by_one, aim=RATIO_AIM
        ),
    ]


def _seconds(work: Callable[[], object]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began
