"""One measurement, and the table of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import msgspec
from rich.console import Console
from rich.table import Table

COLUMNS_LEAST: Final = 100
"""Below, names are broken; where no terminal says how wide it is, this holds."""


@dataclass(frozen=True)
class Measurement:
    """A rate, and where it is held against another, the ratio with its aim."""

    name: str
    value: float
    unit: str
    against: str | None = None
    ratio: float | None = None
    aim: float | None = None
    met: bool | None = None


def compared(name: str, value: float, unit: str, base: Measurement, *, aim: float) -> Measurement:
    """A measurement against one of the same run; what misses its aim stays in as missed."""
    ratio = value / base.value
    return Measurement(name, value, unit, base.name, round(ratio, 3), aim, ratio >= aim)


def compared_at_most(
    name: str, value: float, unit: str, base: Measurement, *, aim: float
) -> Measurement:
    """The same where less is better: so many times the other at most."""
    ratio = value / base.value
    return Measurement(name, value, unit, base.name, round(ratio, 3), aim, ratio <= aim)


def limited(name: str, value: float, unit: str, *, aim: float) -> Measurement:
    """A figure with a limit of its own, which the neighbours of a shared machine can spoil."""
    return Measurement(name, value, unit, aim=aim, met=value <= aim)


def timed(work: Callable[[], object]) -> float:
    """Seconds of this process alone: what the neighbours do does not count."""
    started = time.process_time()
    work()
    return time.process_time() - started


def show(measurements: list[Measurement]) -> None:
    table = Table(title="Benchmarks: ratios within one run", title_justify="left")
    for column in ("what", "value", "unit", "against", "ratio", "aim", ""):
        table.add_column(column, justify="right" if column in ("value", "ratio", "aim") else "left")
    for measurement in measurements:
        table.add_row(
            measurement.name,
            f"{measurement.value:,.0f}"
            if measurement.value >= 100
            else f"{measurement.value:,.2f}",
            measurement.unit,
            measurement.against or "",
            "" if measurement.ratio is None else f"{measurement.ratio:.2f}",
            "" if measurement.aim is None else f"{measurement.aim:.2f}",
            "" if measurement.met is None else ("met" if measurement.met else "missed"),
        )
    Console(width=max(COLUMNS_LEAST, Console().width)).print(table)


def write(measurements: list[Measurement], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        msgspec.json.format(
            msgspec.json.encode([asdict(measurement) for measurement in measurements]), indent=2
        )
    )
