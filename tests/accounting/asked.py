"""Questions asked of a ledger, without a server in between."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from pydantic import SecretStr

from accounting.config import Settings
from accounting.grpc.queries import Queries
from accounting.postgres.theory import TheoryCache
from casino.accounting.v1.report_pb2 import Report, ReportCell
from casino.accounting.v1.service_pb2 import (
    ExplainRequest,
    ExplainResponse,
    GetReportRequest,
)
from runtime.database.pools import open_pool
from runtime.process import Stop
from tests.accounting.books import SERVICE, Books, urls

T = TypeVar("T")


def untaught() -> TheoryCache:
    """Knows no odds: most figures need none, and to work them out takes seconds."""
    return TheoryCache(theory=lambda _: {}, cost=lambda *_: None)


DAY = "2026-03-01"


def ask(
    books: Books,
    question: Callable[[Queries], Awaitable[T]],
    *,
    links: Any = None,
    theories: TheoryCache | None = None,
    **settings: Any,
) -> T:
    made = settings_of(books, **settings)

    async def asked() -> T:
        async with open_pool(SERVICE, made) as pool:
            told = theories if theories is not None else untaught()
            return await question(Queries(pool, made, links, theories=told))

    return asyncio.run(asked())


def settings_of(books: Books, **settings: Any) -> Settings:
    application, migration = urls(books.database.url)
    return Settings.model_validate(
        {
            "database_url": SecretStr(application),
            "database_migration_url": SecretStr(migration),
            "kafka_bootstrap": "localhost:1",
            "identity_folder": "unused",
            **settings,
        }
    )


def anticipate(books: Books, theories: TheoryCache, until: Callable[[], bool]) -> None:
    """Lets theories work ahead of all questions, as the service does."""

    async def work() -> None:
        async with open_pool(SERVICE, settings_of(books)) as pool:
            stop = Stop()
            ahead = asyncio.create_task(theories.anticipate(pool, stop))
            async with asyncio.timeout(120):
                while not until():
                    await asyncio.sleep(0.05)
            stop.request()
            await ahead

    asyncio.run(work())


def report(
    books: Books, name: str, day: str = DAY, *, theories: TheoryCache | None = None, **more: Any
) -> Shown:
    settings = more.pop("settings", {})
    request = GetReportRequest(name=name, from_day=day, **more)
    answer = ask(books, lambda asked: asked.get_report(request), theories=theories, **settings)
    return Shown(answer.report)


class Shown:
    """A report by the names of its columns."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.keys = [column.key for column in report.columns]
        self.rows = [dict(zip(self.keys, row.cells, strict=True)) for row in report.rows]
        self.notes = "\n".join(report.notes)

    def total(self, key: str) -> int:
        return int(value(self.report.totals.cells[self.keys.index(key)]))

    def column(self, key: str) -> list[Any]:
        return [value(row[key]) for row in self.rows]

    def row(self, **wanted: Any) -> dict[str, Any]:
        (found,) = (
            row
            for row in self.rows
            if all(value(row[key]) == expected for key, expected in wanted.items())
        )
        return {key: value(cell) for key, cell in found.items()}


def value(cell: ReportCell) -> Any:
    which = cell.WhichOneof("value")
    return getattr(cell, which) if which else None


async def explained(asked: Queries, drill: str, *, page_size: int = 1000) -> ExplainResponse:
    """All pages of an answer as one."""
    request = ExplainRequest(drill=drill, page_size=page_size)
    whole = await asked.explain(request)
    token = whole.next_page_token
    while token:
        request.page_token = token
        more = await asked.explain(request)
        whole.parts.extend(more.parts)
        token = more.next_page_token
    return whole
