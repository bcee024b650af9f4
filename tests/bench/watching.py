"""Deterministic kinds of alerts: recall and false alarms over whole simulated days.

    python -m tests.bench.watching 1000000 7    so many rounds at least, from that seed on

Every third day is clean, every third has each pattern in it, every third each fault and each
pattern. Tables, cage, promotions desk and engine are those of the product; there is no broker.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from time import perf_counter, process_time
from typing import Final, NamedTuple

from alerting.kinds import KINDS, DecidedBy
from table_simulator.days.day import simulate
from table_simulator.days.fault_plan import Plan
from tests.bench.measure import Measurement, limited
from tests.surveillance.domain.simulated import measure as measure_day
from tests.surveillance.domain.simulated import sources_of
from tests.surveillance.domain.watcher import Watcher

TABLES: Final = 12
ROUNDS: Final = 100
ROUNDS_LEAST: Final = 100_000
PLANS: Final = (Plan(), Plan(patterns=1), Plan(every=1, patterns=1))
SEED_FIRST: Final = 10_000
"""Far from the seeds that tests use."""


class Days(NamedTuple):
    """What came of some days."""

    rounds: int
    planted: Counter[str]
    found: Counter[str]
    false: int
    told: tuple[str, ...]
    """What went wrong, in words."""

    def plus(self, more: Days) -> Days:
        return Days(
            self.rounds + more.rounds,
            self.planted + more.planted,
            self.found + more.found,
            self.false + more.false,
            self.told + more.told,
        )


def a_day(seed: int) -> Days:
    plan = PLANS[seed % len(PLANS)]
    day = measure_day(simulate(seed=seed, tables=TABLES, rounds=ROUNDS, plan=plan))
    wrong = [f"seed {seed}: missed {each}" for each in day.missed]
    wrong += [f"seed {seed}: false {each.kind}: {each.sentence}" for each in day.false]
    if not day.engine.is_clean:
        wrong.append(f"seed {seed}: the engine's findings are not those that are due")
    return Days(day.rounds, day.planted, day.found, len(day.false), tuple(wrong))


def days(rounds_least: int, seed_first: int = SEED_FIRST) -> Days:
    """Days one after the other, on every core, until there are so many rounds."""
    number = -(-rounds_least // (TABLES * ROUNDS))
    seeds = range(seed_first, seed_first + number)
    total = Days(0, Counter(), Counter(), 0, ())
    with ProcessPoolExecutor(os.cpu_count()) as cores:
        for each in cores.map(a_day, seeds):
            total = total.plus(each)
    return total


def measure(*, quick: bool) -> list[Measurement]:
    total = days(3 * TABLES * ROUNDS if quick else ROUNDS_LEAST)
    for each in total.told:
        print(each, file=sys.stderr)
    planted, found = sum(total.planted.values()), sum(total.found.values())
    return [
        Measurement("simulated rounds watched", total.rounds, "rounds"),
        Measurement("planted, of every deterministic kind", planted, "alerts"),
        limited("planted and not told", planted - found, "alerts", aim=0),
        limited("told and not planted", total.false, "alerts", aim=0),
        *_rate(),
    ]


def _rate() -> Iterator[Measurement]:
    """Sightings through the folds of all detectors, on one core, states as bytes."""
    made = sources_of(simulate(seed=SEED_FIRST, tables=TABLES, rounds=ROUNDS, plan=PLANS[1]))
    all_placed = [each for source in made.placed.values() for each in source]
    started = process_time()
    Watcher().see_all(all_placed)
    seconds = process_time() - started
    yield Measurement("sightings folded", len(all_placed) / seconds, "sightings/s")
    yield Measurement("rounds watched, without Kafka", made.rounds / seconds, "rounds/s")


def _report(total: Days, seconds: float) -> Iterable[str]:
    yield f"{total.rounds:,} rounds in {seconds:,.0f} s"
    yield f"{'kind':32}{'planted':>10}{'found':>10}"
    for kind, planted in sorted(total.planted.items()):
        yield f"{kind:32}{planted:10,}{total.found[kind]:10,}"
    never = [
        name
        for name, kind in KINDS.items()
        if kind.decided_by in (DecidedBy.LOG, DecidedBy.CROSS) and name not in total.planted
    ]
    yield f"false alarms: {total.false:,}; not planted at all: {', '.join(never)}"
    yield from total.told


if __name__ == "__main__":
    began = perf_counter()
    watched = days(*(map(int, sys.argv[1:]) if sys.argv[1:] else (ROUNDS_LEAST,)))
    print("\n".join(_report(watched, perf_counter() - began)))
    sys.exit(bool(watched.told))
