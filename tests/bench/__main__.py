"""Run every benchmark: `python -m tests.bench [quick]`."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.bench import engine
from tests.bench.measure import show, write

if __name__ == "__main__":
    measurements = engine.measure(quick=sys.argv[1:] == ["quick"])
    show(measurements)
    write(measurements, Path("build/bench.json"))
