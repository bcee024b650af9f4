"""How the ledger grows: posting into one with a month in it, and a day's figures out of it.

Two ledgers stand side by side, one with a month of days, one with a few days alone. The same rounds
are posted into both, turn about, and the same day is summed up in both, turn about: whatever else
the machine does falls on both alike, and what is compared is each pair by itself. The median of
those ratios is what counts.

`python -m tests.bench.accounting_growth [POSTINGS]` measures one size and nothing else; ten million
take too long to be among all the others.
"""

from __future__ import annotations

import sys
import time
from functools import cache
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Final

import psycopg

from accounting.domain.rounds import transfers
from accounting.kafka.decoder import read_round
from runtime.service import tune_gc
from tests.accounting.books import SERVICE, Books, Said
from tests.bench.accounting import BATCH, Servers, many_rounds, servers
from tests.bench.measure import Measurement, show, write
from wire import topics

GROWTH_AIM: Final = 0.8
"""Of the rate into an empty ledger."""
HISTORY_AIM: Final = 1.5
"""Times what a day takes alone."""
DAYS: Final = 30
DAYS_ALONE: Final = 4
"""Enough for every table to have opened its accounts: that is done once, and is no growth."""
PAIRS: Final = 21
"""So many that a neighbour who comes and goes does not decide."""

_DAY_FIGURES: Final = (
    "SELECT table_id, wager, sum(sign * placed), sum(sign * (taken - owed)), sum(sign * difference)"
    " FROM wagers WHERE gaming_day = %s GROUP BY 1, 2",
    "WITH day AS (SELECT debit, credit, cents FROM transfers WHERE gaming_day = %s)"
    " SELECT a.code, sum(cents) FROM ("
    "   SELECT debit AS id, cents FROM day UNION ALL SELECT credit, -cents FROM day"
    " ) AS changes JOIN accounts a USING (id) GROUP BY 1",
)
"""What a day's reports are made of: wagers by table and kind, and what accounts changed by."""


def measure(*, quick: bool) -> list[Measurement]:
    tune_gc()
    found: list[Measurement] = []
    with servers() as running:
        for postings in (100_000,) if quick else (100_000, 1_000_000):
            found += _growth(running, postings=postings)
    return found


def _growth(running: Servers, *, postings: int) -> list[Measurement]:
    ledgers = grown, alone = Books(running.database()), Books(running.database())
    a_day = max(1, round(postings / _transfers_a_round() / DAYS))
    rounds = _Rounds(a_day)
    try:
        for number in range(DAYS):
            day = rounds.take(a_day)
            grown.take(day, batch=BATCH)
            if number < DAYS_ALONE:
                alone.take(day, batch=BATCH)
        posted = [_post(ledgers, rounds.take(BATCH), first=pair % 2) for pair in range(PAIRS)]
        for books in ledgers:
            _tidy(books)
        summed = [_sum_up(ledgers, first=pair % 2) for pair in range(PAIRS)]
    finally:
        for books in ledgers:
            books.close()
            running.databases.drop(books.database)
    words = f"{postings:,} transfers"
    rate = BATCH / median(seconds for seconds, _ in posted)
    growth = median(beside / seconds for seconds, beside in posted)
    history = median(seconds / beside for seconds, beside in summed)
    base = f"the same with {DAYS_ALONE} days in it, turn about"
    return [
        Measurement(
            f"posting into a ledger of {words}", rate, "rounds/s", base, round(growth, 3),
            GROWTH_AIM, growth >= GROWTH_AIM,
        ),
        Measurement(
            f"a day's figures out of {words}", median(ratio for ratio, _ in summed) * 1000, "ms",
            base, round(history, 3), HISTORY_AIM, history <= HISTORY_AIM,
        ),
    ]  # fmt: skip


class _Rounds:
    """Messages of a topic, day after day."""

    def __init__(self, a_day: int) -> None:
        self._played = many_rounds(a_day=a_day)
        self._offset = 0

    def take(self, rounds: int) -> list[Said]:
        self._offset += rounds
        return [
            Said(topics.SETTLED_ROUNDS, 0, offset, value, table.encode())
            for offset, (table, value) in zip(
                range(self._offset - rounds, self._offset), self._played, strict=False
            )
        ]


def _post(ledgers: tuple[Books, Books], some: list[Said], *, first: int) -> tuple[float, float]:
    """Seconds for the same rounds into each ledger; now one, now the other is the first."""
    took = [0.0, 0.0]
    for number in (first, 1 - first):
        began = time.perf_counter()
        ledgers[number].take(some, batch=BATCH)
        took[number] = time.perf_counter() - began
    return took[0], took[1]


def _sum_up(ledgers: tuple[Books, Books], *, first: int) -> tuple[float, float]:
    """Seconds for the figures of the second day, out of each ledger."""
    took = [0.0, 0.0]
    for number in (first, 1 - first):
        (day,) = ledgers[number].ask(
            "SELECT DISTINCT gaming_day FROM rounds ORDER BY 1 OFFSET 1 LIMIT 1"
        )
        began = time.perf_counter()
        for query in _DAY_FIGURES:
            ledgers[number].ask(query, *day)
        took[number] = time.perf_counter() - began
    return took[0], took[1]


def _tidy(books: Books) -> None:
    """As the server does by itself in time."""
    with psycopg.connect(books.database.url, autocommit=True) as administrator:
        administrator.execute(f"SET search_path = {SERVICE}".encode())
        administrator.execute("VACUUM ANALYZE wagers, transfers, entries, rounds, accounts")


@cache
def _transfers_a_round() -> float:
    made = [len(transfers(read_round(value))) for _, value in islice(many_rounds(a_day=1), 1_000)]
    return sum(made) / len(made)


if __name__ == "__main__":
    tune_gc()
    with servers() as running:
        found = _growth(running, postings=int(sys.argv[1]) if sys.argv[1:] else 10_000_000)
    show(found)
    write(found, Path("build/bench-growth.json"))
