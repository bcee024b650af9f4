"""`pitctl audit` of a log file: facts a second by the clock, with one process and with two.

Held against the engine alone, which folds the same bytes from memory on one core. The command
pays for its own start, for finding the streams in the file and for adding up what it found.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from pitctl.output.exit import NEGATIVE, OK
from tests.bench.broker import ROOT
from tests.bench.engine import a_day, settle_all
from tests.bench.measure import Measurement
from wire.log_file import write_log

PROCESSES: Final = (1, 2)


def measure(*, quick: bool) -> list[Measurement]:
    frames = a_day(seed=1, tables=10 if quick else 50, rounds=20 if quick else 80)
    repeats = 1 if quick else 3
    alone = min(_engine_seconds(frames) for _ in range(repeats))
    base = Measurement("engine alone, from bytes in memory", len(frames) / alone, "facts/s")
    found = [base]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "day.pitlog"
        with path.open("wb") as file:
            write_log(file, ((frame, 0) for frame in frames))
        for processes in PROCESSES:
            rate = len(frames) / min(_seconds(path, processes) for _ in range(repeats))
            name = f"pitctl audit of a log file, {processes} process{'es' * (processes > 1)}"
            ratio = round(rate / base.value, 3)
            found.append(Measurement(name, rate, "facts/s", base.name, ratio))
    return found


def _engine_seconds(frames: list[bytes]) -> float:
    began = time.monotonic()
    settle_all(frames)
    return time.monotonic() - began


def _seconds(path: Path, processes: int) -> float:
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "pitctl", "audit", str(path), "--processes", str(processes)],
        cwd=ROOT,
        capture_output=True,
    )
    if done.returncode not in (OK, NEGATIVE):
        raise RuntimeError(done.stderr.decode())
    return time.monotonic() - began
