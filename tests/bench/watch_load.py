"""Rounds a second through routing and all detectors, without Kafka: by history, and by subjects.

Rounds of simulated tables are played again and again, each time later, by other dealers and
patrons of a floor of a stated size. States are decoded and encoded as the worker does it: once
for each batch. CPU seconds of this process alone are counted, and of the last rounds only.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Final

import msgspec
from msgspec.structs import replace

from alerting.settings import DEFAULTS
from blackjack.outcomes import SettledRound
from blackjack.play.table import Table, fold
from surveillance.domain.detection import LiveSubject
from surveillance.domain.facts import JudgedRound
from surveillance.domain.routing import sort
from surveillance.domain.sightings import SourcedSighting
from table_simulator.days.randomness import plays_of_day
from tests.bench.measure import Measurement
from tests.surveillance.domain.simulated import rules_of_events
from tests.surveillance.domain.watcher import day_of

ROUND_US: Final = 66_000_000
"""From one round of a table to its next."""
STAY_ROUNDS: Final = 20
"""So many rounds a dealer stays at a table."""
PATRONS_AT_TABLE: Final = 4
BATCH_ROUNDS: Final = 250
"""So many rounds a worker that catches up keeps together."""
PARTITIONS: Final = 12
LATE_ROUNDS: Final = 2
"""So many rounds a partition is behind the one before it, while partitions are caught up on."""
RATE_AIM: Final = 500.0
FLAT_AIM: Final = 0.8
"""Of the rate with the least history, or the fewest subjects."""

_ENCODE: Final = msgspec.msgpack.Encoder().encode


@dataclass(frozen=True)
class FloorSize:
    """So many dealers and as many patrons; a table for each four of them."""

    subjects: int
    hours: float
    """Of history, before rounds are measured."""
    is_behind: bool = False
    """Whether partitions are caught up on, up to half an hour apart."""

    @property
    def tables(self) -> int:
        return max(1, self.subjects // PATRONS_AT_TABLE)

    @property
    def history_rounds(self) -> int:
        return int(self.hours * 3_600_000_000 / ROUND_US) * self.tables


def rounds_of_floor(size: FloorSize, templates: Sequence[JudgedRound]) -> Iterator[JudgedRound]:
    """Rounds of all tables, without end: by time, or by what each partition has come to."""
    for number in count():
        for table in range(size.tables):
            late = table % PARTITIONS * LATE_ROUNDS if size.is_behind else 0
            template = templates[(number * size.tables + table) % len(templates)]
            if number >= late:
                settled = _renamed(template.settled, size, table, number - late)
                yield JudgedRound(settled, template.rules)


def templates_of(*, tables: int, rounds: int) -> list[JudgedRound]:
    """Settled rounds of simulated tables, with their rules."""
    found: list[JudgedRound] = []
    for played in plays_of_day(seed=7, tables=tables, rounds=rounds):
        rules = rules_of_events(played.events)
        for step in fold(Table.new(played.events[0].table), played.events)[1]:
            found += [JudgedRound(each, rules.get(each.context.rule_set)) for each in step.rounds]
    return found


def _renamed(settled: SettledRound, size: FloorSize, table: int, number: int) -> SettledRound:
    """The same play as the next round of a table, with whom that has by then."""
    stay = number // STAY_ROUNDS
    dealer = (table * PATRONS_AT_TABLE + stay) % size.subjects
    opened_at = settled_epoch(table) + number * ROUND_US
    name = f"T{table:04d}"
    # Seats share patrons, as people who play two spots do.
    patrons = [f"P{table * PATRONS_AT_TABLE + seat:05d}" for seat in range(PATRONS_AT_TABLE)]
    return replace(
        settled,
        table=name,
        round=f"{name}-{number:07d}",
        context=replace(settled.context, dealer=f"D-{dealer:05d}", shoe=f"S{number // 40}"),
        opened_at=opened_at,
        closed_at=opened_at + 50_000_000,
        first_seq=1 + number * 60,
        last_seq=60 + number * 60,
        outcomes=tuple(
            replace(
                bet,
                patron=patrons[bet.seat % PATRONS_AT_TABLE] if bet.patron else "",
                coupon=f"{bet.coupon}-{name}-{number}" if bet.coupon else "",
            )
            for bet in settled.outcomes
        ),
    )


def settled_epoch(table: int) -> int:
    """Tables begin a little apart."""
    return 1_772_416_800_000_000 + table * 200_000


class Worker:
    """What a worker does with rounds, in memory."""

    def __init__(self) -> None:
        self._states: dict[str, bytes] = {}
        self._live: dict[str, LiveSubject] = {}
        self._offset = 0
        self.written_bytes = 0

    def watch(self, rounds: Sequence[JudgedRound]) -> None:
        """A batch: states are read when they are first needed, and written at its end."""
        changed: dict[str, LiveSubject] = {}
        for judged in rounds:
            self._offset += 1
            for ordinal, seen in enumerate(sort(judged, day_of=day_of)):
                placed = SourcedSighting("settled-rounds/0", self._offset, ordinal, seen)
                subject = seen.subject
                live = self._live.get(subject)
                if live is None:
                    live = self._live[subject] = LiveSubject(subject, None)
                live.watch(placed, DEFAULTS)
                changed[subject] = live
        for subject, live in changed.items():
            live.settle(DEFAULTS)
            value = self._states[subject] = _ENCODE(live.state)
            self.written_bytes += len(value)


def rate(size: FloorSize, templates: Sequence[JudgedRound], rounds: int) -> float:
    """Rounds per CPU second, once the history is there."""
    worker, floor = Worker(), rounds_of_floor(size, templates)
    left = size.history_rounds
    while left > 0:
        worker.watch(list(islice(floor, min(left, BATCH_ROUNDS))))
        left -= BATCH_ROUNDS
    measured = [list(islice(floor, BATCH_ROUNDS)) for _ in range(-(-rounds // BATCH_ROUNDS))]
    began = time.process_time()
    for batch in measured:
        worker.watch(batch)
    return BATCH_ROUNDS * len(measured) / (time.process_time() - began)


def measure(*, quick: bool) -> list[Measurement]:
    templates = templates_of(tables=10, rounds=20 if quick else 100)
    rounds = 500 if quick else 2_000
    by_history = [1.0, 8.0] if quick else [1.0, 8.0, 24.0, 168.0]
    by_subjects = [20, 200] if quick else [20, 200, 1_000]
    found = [_row(FloorSize(20, hours), templates, rounds) for hours in by_history]
    more = [_row(FloorSize(subjects, 2.5), templates, rounds) for subjects in by_subjects]
    behind = _row(FloorSize(by_subjects[-1], 2.5, is_behind=True), templates, rounds)
    return [*_flat(found), *_flat(more), behind]


def _row(size: FloorSize, templates: Sequence[JudgedRound], rounds: int) -> Measurement:
    how = ", partitions apart" if size.is_behind else ""
    name = f"rounds routed and watched, {size.subjects} subjects, {size.hours:g} h of history{how}"
    value = rate(size, templates, rounds)
    return Measurement(name, value, "rounds/s", aim=RATE_AIM, met=value >= RATE_AIM)


def _flat(rows: list[Measurement]) -> list[Measurement]:
    """Each, and the last held against the first."""
    first, last = rows[0], rows[-1]
    ratio = last.value / first.value
    flat = Measurement(
        last.name, last.value, last.unit, first.name, round(ratio, 3), FLAT_AIM, ratio >= FLAT_AIM
    )
    return [*rows, flat]


if __name__ == "__main__":
    import sys

    floor_size = FloorSize(int(sys.argv[1]), float(sys.argv[2]), is_behind=len(sys.argv) > 4)
    print(rate(floor_size, templates_of(tables=10, rounds=40), int(sys.argv[3])))
