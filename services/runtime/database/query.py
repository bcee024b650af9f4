"""Queries: a connection lent for one query, and a clear error when there is none."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import dict_row

from runtime import logs
from runtime.database.pools import AsyncPool
from runtime.query_errors import DatabaseUnavailable, QueryTimeout

LEND_SECONDS_MAX: Final = 3.0
Row = dict[str, Any]
Values = Mapping[str, Any] | Sequence[Any]
_SNAPSHOT: Final = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_MEMORY: Final = "SET LOCAL work_mem = '64MB'"
"""Much is added up in memory: the default would sort it on disk."""
_log = logs.logger(__name__)


class DatabaseSnapshot:
    """The database at one moment, for any number of queries."""

    def __init__(self, connection: AsyncConnection[Any]) -> None:
        self._connection = connection

    async def fetch(self, query: str, values: Values = ()) -> list[Row]:
        """The rows. Planned for these values: rare and common values need other plans."""
        async with self._connection.cursor(row_factory=dict_row) as cursor:
            await cursor.execute(query.encode(), values, prepare=False)
            return await cursor.fetchall()


class Database:
    """A service's own tables, to be read."""

    def __init__(self, pool: AsyncPool) -> None:
        self._pool = pool

    async def fetch(self, query: str, values: Values = ()) -> list[Row]:
        with in_plain_words():
            async with self._pool.connection(timeout=LEND_SECONDS_MAX) as connection:
                return await DatabaseSnapshot(connection).fetch(query, values)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[DatabaseSnapshot]:
        """Queries within see one moment: nothing that is posted meanwhile."""
        with in_plain_words():
            async with (
                self._pool.connection(timeout=LEND_SECONDS_MAX) as connection,
                connection.transaction(),
            ):
                await connection.execute(_SNAPSHOT)
                await connection.execute(_MEMORY)
                yield DatabaseSnapshot(connection)


@contextmanager
def in_plain_words() -> Iterator[None]:
    """What the database does not do becomes an error that a caller understands."""
    try:
        yield
    except psycopg.errors.QueryCanceled:
        raise QueryTimeout from None
    except (psycopg.OperationalError, psycopg.errors.ReadOnlySqlTransaction) as failed:
        _log.warning("database away", reason=" ".join(str(failed).split()))
        raise DatabaseUnavailable from None
