"""Settlement catching up on a simulated day in a real Kafka, exactly once.

Held against a loop with the same consumer that only decodes the same topic, and against the same
fold as a plain Faust agent; each in a process of its own, one after the other, in one run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from typing import Final

import msgspec

from tests.bench import faust_agent
from tests.bench.broker import (
    COMPILED,
    ROOT,
    SECONDS_MAX,
    Servers,
    answer,
    make_topics,
    program,
    send,
)
from tests.bench.catching_up import Pace, Task
from tests.bench.engine import a_day
from tests.bench.faust_agent import FaustPace
from tests.bench.measure import Measurement, compared
from wire import decode_event

AIM: Final = 0.5
FAUST_AIM: Final = 20.0
WARM_UP: Final = 10_000
FAUST_WARM_UP: Final = 300
INGEST_US: Final = 40_000
"""What the gateway's clock shows after the device's."""

Frame = tuple[str, bytes, int]


def measure(servers: Servers, *, quick: bool) -> list[Measurement]:
    bootstrap = servers.bootstrap
    tables, rounds, repeats, faust_events = (16, 40, 1, 1_200) if quick else (50, 80, 3, 4_000)
    day = frames_of_a_day(tables=tables, rounds=rounds)
    found: list[Measurement] = []
    best = 0.0
    prefix = ""
    for compiled in (False, True) if COMPILED.exists() else (False,):
        decoded: list[Pace] = []
        settled: list[Pace] = []
        for _ in range(repeats):
            prefix = make_topics(bootstrap)
            send(bootstrap, prefix, day)
            decoded.append(_pace("decode", bootstrap, prefix, len(day), compiled))
            settled.append(_pace("settle", bootstrap, prefix, len(day), compiled))
        rows = _rows(decoded, settled, "compiled" if compiled else "plain")
        best = max(best, rows[1].value)
        found += rows
    return [*found, *_against_faust(bootstrap, prefix, faust_events, best)]


def frames_of_a_day(*, tables: int, rounds: int) -> list[Frame]:
    """Each event with its table, and with the ingest time that the gateway gives it."""
    found: list[Frame] = []
    for data in a_day(seed=1, tables=tables, rounds=rounds):
        event = decode_event(data)
        found.append((event.table, data, event.at + INGEST_US))
    return found


def _pace(how: str, bootstrap: str, prefix: str, events: int, compiled: bool) -> Pace:
    task = Task("settle" if how == "settle" else "decode", bootstrap, prefix, events, WARM_UP)
    pace = answer(program("tests.bench.catching_up", task, compiled=compiled), Pace)
    if pace.compiled != compiled:
        raise RuntimeError(f"wanted compiled={compiled}, got the other engine")
    return pace


def _rows(decoded: list[Pace], settled: list[Pace], how: str) -> list[Measurement]:
    """By the clock, waits for the broker included; and by CPU, whatever the neighbours do."""
    base = Measurement(f"events consumed and decoded ({how})", max(map(_rate, decoded)), "events/s")
    name = f"consumed, settled, committed exactly once ({how})"
    cpu_base = Measurement(f"the same decoding by CPU ({how})", max(map(_cpu, decoded)), "events/s")
    cpu_name = f"the same settling by CPU, all threads ({how})"
    return [
        base,
        compared(name, max(map(_rate, settled)), "events/s", base, aim=AIM),
        cpu_base,
        compared(cpu_name, max(map(_cpu, settled)), "events/s", cpu_base, aim=AIM),
    ]


def _rate(pace: Pace) -> float:
    return pace.events / pace.seconds


def _cpu(pace: Pace) -> float:
    return pace.events / pace.cpu_seconds


def _against_faust(bootstrap: str, prefix: str, events: int, settled: float) -> list[Measurement]:
    decoded = _faust(bootstrap, prefix, events, folds=False)
    plain = _faust(bootstrap, prefix, events, folds=True)
    base = Measurement("folded by a plain Faust agent", plain, "events/s")
    name = "settlement against the plain Faust agent"
    return [
        Measurement("decoded by a Faust agent, and nothing else", decoded, "events/s"),
        base,
        compared(name, settled, "events/s", base, aim=FAUST_AIM),
    ]


def _faust(bootstrap: str, prefix: str, events: int, *, folds: bool) -> float:
    with tempfile.TemporaryDirectory() as folder:
        task = faust_agent.Task(bootstrap, prefix, events, FAUST_WARM_UP, folds, folder)
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.faust_agent"],
            cwd=ROOT,
            env={**os.environ, faust_agent.TASK: msgspec.json.encode(task).decode()},
            capture_output=True,
            timeout=SECONDS_MAX,
        )
        if not task.answer.exists():
            raise RuntimeError(done.stderr.decode()[-4_000:])
        pace = msgspec.json.decode(task.answer.read_bytes(), type=FaustPace)
    return pace.events / pace.seconds
