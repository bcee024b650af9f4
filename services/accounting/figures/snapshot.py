"""One view of the database for all figures of a report: they agree with each other."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from accounting.database import Database, Row, Snapshot, Values
from runtime.database.pools import AsyncPool

__all__ = ["Row", "Snapshot", "Values", "open_snapshot"]

_MEMORY: Final = "SELECT set_config('work_mem', '64MB', true)"
"""A day of wagers is added up in memory: the default would sort it on disk."""


@asynccontextmanager
async def open_snapshot(pool: AsyncPool) -> AsyncIterator[Snapshot]:
    async with Database(pool).snapshot() as snapshot:
        await snapshot.ask(_MEMORY)
        yield snapshot
