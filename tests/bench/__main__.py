"""Run every benchmark: `python -m tests.bench [quick]`."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.bench import archive, engine, live_shoe
from tests.bench.measure import show, write

if __name__ == "__main__":
    quick = sys.argv[1:] == ["quick"]
    measurements = [
        *engine.measure(quick=quick),
        *live_shoe.measure(quick=quick),
        *archive.measure(quick=quick),
    ]
    show(measurements)
    write(measurements, Path("build/bench.json"))
