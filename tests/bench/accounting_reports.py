"""A day of a hundred tables: every report of it, by time and memory.

Held against the same with a tenth of the wagers: what is added up grows with the day, and no
faster. Odds are left out: they are worked out once for a rule set, however many rounds there are.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from datetime import date
from itertools import islice
from typing import Final

import psycopg

from accounting.domain.reports import REPORTS
from accounting.grpc.queries import Queries
from casino.accounting.v1.service_pb2 import GetReportRequest
from tests.accounting.asked import ask
from tests.accounting.books import SERVICE, Books, Said
from tests.bench.accounting import BATCH, Servers, many_rounds, servers
from tests.bench.measure import Measurement, compared_at_most
from wire import topics

LINEAR_AIM: Final = 12.0
"""Times as long, for ten times as many wagers."""
REPEATS: Final = 3


def measure(*, quick: bool) -> list[Measurement]:
    with servers() as running:
        return _measure(running, wagers=20_000 if quick else 1_000_000)


def _measure(running: Servers, *, wagers: int) -> list[Measurement]:
    found: list[Measurement] = []
    few: Measurement | None = None
    for count in (wagers // 10, wagers):
        books = Books(running.database())
        try:
            day = _post(books, count)
            memory = _peak_bytes()
            seconds = _all_reports(books, day)
            grown = max(_peak_bytes() - memory, 0)
            ((tables,),) = books.ask("SELECT count(DISTINCT table_id) FROM rounds")
            words = f"{tables} tables, {count:,} wagers"
            reports = f"every report of a day: {words}"
            if few is None:
                few = Measurement(reports, seconds * 1000, "ms")
                found.append(few)
            else:
                found.append(compared_at_most(reports, seconds * 1000, "ms", few, aim=LINEAR_AIM))
            found.append(Measurement(f"memory they add: {words}", grown / 2**20, "MiB"))
        finally:
            books.close()
            running.databases.drop(books.database)
    return found


def _post(books: Books, wagers: int) -> date:
    """Rounds of one gaming day until there are so many wagers."""
    played = _at_a_hundred_tables()
    posted = offset = 0
    while posted < wagers:
        some = [
            Said(topics.SETTLED_ROUNDS, 0, offset + place, value, table.encode())
            for place, (table, value) in enumerate(islice(played, BATCH))
        ]
        offset += len(some)
        books.take(some, batch=BATCH)
        ((posted,),) = books.ask("SELECT count(*) FROM wagers")
    with psycopg.connect(books.database.url, autocommit=True) as administrator:
        administrator.execute(f"SET search_path = {SERVICE}".encode())
        administrator.execute("VACUUM ANALYZE wagers, transfers, entries, rounds, accounts")
    query = "SELECT gaming_day FROM rounds GROUP BY 1 ORDER BY count(*) DESC LIMIT 1"
    ((day,),) = books.ask(query)
    return date.fromisoformat(str(day))


def _at_a_hundred_tables() -> Iterator[tuple[str, bytes]]:
    """The simulated day has fifty; every other copy of it was played at fifty others."""
    yield from many_rounds(a_day=10**9, twins=True)


def _all_reports(books: Books, day: date) -> float:
    """Seconds for all of them, one after the other: the least of some runs."""

    async def work(questions: Queries) -> float:
        took: list[float] = []
        for _ in range(REPEATS):
            began = time.perf_counter()
            for name in REPORTS:
                await questions.get_report(GetReportRequest(name=name, from_day=day.isoformat()))
            took.append(time.perf_counter() - began)
        return min(took)

    return ask(books, work, database_statement_seconds_max=300.0)


def _peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
