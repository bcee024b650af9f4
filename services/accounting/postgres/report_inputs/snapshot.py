"""One view of the database for all figures of a report: they agree with each other."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from runtime.database.asking import Database, Row, Snapshot, Values
from runtime.database.pools import AsyncPool

__all__ = ["Row", "Snapshot", "Values", "open_snapshot"]


def open_snapshot(pool: AsyncPool) -> AbstractAsyncContextManager[Snapshot]:
    return Database(pool).snapshot()
