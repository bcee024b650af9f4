"""Asking the index: a connection lent for one question, and plain words when there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import psycopg
from psycopg.rows import dict_row

from round_archive.errors import DatabaseAway, TooSlow
from runtime import logs
from runtime.database.pools import AsyncPool

LEND_SECONDS_MAX: Final = 3.0
Row = dict[str, Any]
Values = Mapping[str, Any] | Sequence[Any]
_log = logs.logger(__name__)


class Database:
    """The index, to be read."""

    def __init__(self, pool: AsyncPool) -> None:
        self._pool = pool

    async def ask(self, query: str, values: Values = ()) -> list[Row]:
        """The rows. Planned anew for these values: what is rare and what is usual differs."""
        try:
            async with (
                self._pool.connection(timeout=LEND_SECONDS_MAX) as connection,
                connection.cursor(row_factory=dict_row) as cursor,
            ):
                await cursor.execute(query.encode(), values, prepare=False)
                return await cursor.fetchall()
        except psycopg.errors.QueryCanceled:
            raise TooSlow from None
        except psycopg.OperationalError as failed:
            _log.warning("database away", reason=" ".join(str(failed).split()))
            raise DatabaseAway from None
