"""Run every benchmark: `python -m tests.bench [quick]`."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.bench import (
    accounting,
    accounting_closing,
    accounting_growth,
    accounting_reports,
    archive,
    audit,
    console,
    engine,
    gateway,
    latency,
    live_shoe,
    settlement,
    statistics,
    surveillance,
    watching,
)
from tests.bench.broker import running
from tests.bench.measure import show, write

if __name__ == "__main__":
    quick = sys.argv[1:] == ["quick"]
    measurements = [
        *engine.measure(quick=quick),
        *live_shoe.measure(quick=quick),
        *statistics.measure(quick=quick),
        *audit.measure(quick=quick),
        *archive.measure(quick=quick),
        *accounting.measure(quick=quick),
        *accounting_growth.measure(quick=quick),
        *accounting_reports.measure(quick=quick),
        *accounting_closing.measure(quick=quick),
        *gateway.measure(quick=quick),
        *watching.measure(quick=quick),
        *console.measure(quick=quick),
    ]
    with running() as servers:
        measurements += settlement.measure(servers.bootstrap, quick=quick)
        measurements += latency.measure(servers.bootstrap, quick=quick)
        measurements += surveillance.measure(servers, quick=quick)
    show(measurements)
    write(measurements, Path("build/bench.json"))
