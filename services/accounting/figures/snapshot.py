"""One view of the database for all figures of a report: they agree with each other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import dict_row

from accounting.errors import DatabaseAway, TooSlow
from runtime import logs
from runtime.database.pools import AsyncPool

LEND_SECONDS_MAX: Final = 3.0
Row = dict[str, Any]
Values = Mapping[str, Any] | Sequence[Any]
_BEGIN: Final = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"
_MEMORY: Final = "SET LOCAL work_mem = '64MB'"
"""A day of wagers is added up in memory: the default would sort it on disk."""
_log = logs.logger(__name__)


class Snapshot:
    """What the tables hold at one moment, to be read."""

    def __init__(self, connection: AsyncConnection[Any]) -> None:
        self._connection = connection

    async def ask(self, query: str, values: Values = ()) -> list[Row]:
        """The rows. Planned anew for these values: a day and a year are not read alike."""
        async with self._connection.cursor(row_factory=dict_row) as cursor:
            await cursor.execute(query.encode(), values, prepare=False)
            return await cursor.fetchall()


@asynccontextmanager
async def open_snapshot(pool: AsyncPool) -> AsyncIterator[Snapshot]:
    try:
        async with (
            pool.connection(timeout=LEND_SECONDS_MAX) as connection,
            connection.transaction(),
        ):
            await connection.execute(_BEGIN)
            await connection.execute(_MEMORY)
            yield Snapshot(connection)
    except psycopg.errors.QueryCanceled:
        raise TooSlow from None
    except psycopg.OperationalError as failed:
        _log.warning("database away", reason=" ".join(str(failed).split()))
        raise DatabaseAway from None
