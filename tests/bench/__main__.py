"""Run the benchmarks, all of them or those that are named."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Final

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
    start,
    statistics,
    surveillance,
    watch_load,
    watching,
)
from tests.bench.broker import Servers, running
from tests.bench.measure import Measurement, show, write

ALONE: Final[dict[str, Callable[..., list[Measurement]]]] = {
    "engine": engine.measure,
    "live_shoe": live_shoe.measure,
    "statistics": statistics.measure,
    "audit": audit.measure,
    "archive": archive.measure,
    "accounting": accounting.measure,
    "accounting_growth": accounting_growth.measure,
    "accounting_reports": accounting_reports.measure,
    "accounting_closing": accounting_closing.measure,
    "gateway": gateway.measure,
    "watching": watching.measure,
    "watch_load": watch_load.measure,
    "console": console.measure,
    "start": start.measure,
}
"""They start what they need themselves."""
ON_SERVERS: Final[dict[str, Callable[..., list[Measurement]]]] = {
    "settlement": settlement.measure,
    "latency": latency.measure,
    "surveillance": surveillance.measure,
}
"""They share a Kafka and a PostgreSQL."""
NAMES: Final = (*ALONE, *ON_SERVERS)


def run(names: list[str], *, quick: bool, path: Path) -> list[Measurement]:
    """Each in its turn; what was measured is kept even where a later one fails."""
    found: list[Measurement] = []
    with ExitStack() as until_the_end:

        @cache
        def servers() -> Servers:
            return until_the_end.enter_context(running())

        for number, name in enumerate(names, 1):
            print(f"{number:2}/{len(names)}  {name} ...", file=sys.stderr, flush=True)
            began = time.monotonic()
            if name in ALONE:
                found += ALONE[name](quick=quick)
            else:
                found += ON_SERVERS[name](servers(), quick=quick)
            write(found, path)
            print(f"{time.monotonic() - began:8.0f} s", file=sys.stderr, flush=True)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a short form of each")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}")
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(NAMES):
        parser.error(f"no benchmark is named {', '.join(sorted(unknown))}: {', '.join(NAMES)}")
    show(run(asked.names or list(NAMES), quick=asked.quick, path=Path("build/bench.json")))
