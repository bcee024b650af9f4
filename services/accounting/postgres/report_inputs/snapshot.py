"""One snapshot of the database for all inputs of a report, so that they agree."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from runtime.database.pools import AsyncPool
from runtime.database.query import Database, DatabaseSnapshot, Row, Values

__all__ = ["DatabaseSnapshot", "Row", "Values", "open_snapshot"]


def open_snapshot(pool: AsyncPool) -> AbstractAsyncContextManager[DatabaseSnapshot]:
    return Database(pool).snapshot()
