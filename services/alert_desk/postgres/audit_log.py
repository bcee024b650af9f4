"""The audit log: who did what when; append-only.

One writer at a time, by a lock that ends with the transaction: so entries become visible in the
order of their numbers, and a reader that has read up to one has not missed any before it. The role
of the application has the right to add entries, and no other.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from psycopg import AsyncConnection, Connection
from psycopg.rows import dict_row

from casino.surveillance.v1.work_pb2 import JournalEntry
from runtime.database.pools import AsyncPool
from runtime.database.query import LEND_SECONDS_MAX, Database, Row, in_plain_words
from wire.vocabulary import write_time

ENTRIES_MAX: Final = 1_000
"""Entries of one alert or case in a response: the last ones."""
LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('alert_desk journal', 0))"
COLUMNS: Final = (
    "at", "author", "action", "alert_id", "revision", "case_number", "text", "state", "decision",
    "command_id",
)  # fmt: skip
_APPEND: Final = f"""
INSERT INTO journal ({", ".join(COLUMNS)}) VALUES ({", ".join(f"%({name})s" for name in COLUMNS)})
RETURNING *
"""
_KNOWN: Final = "SELECT * FROM journal WHERE command_id = %s"
_OF: Final = """
SELECT * FROM (
    SELECT * FROM journal WHERE {column} = %s ORDER BY number DESC LIMIT {limit}
) last ORDER BY number
"""
_AFTER: Final = "SELECT * FROM journal WHERE number > %s ORDER BY number LIMIT %s"
_LAST: Final = "SELECT coalesce(max(number), 0) AS number FROM journal"


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """An entry to be written."""

    author: str
    action: str
    alert_id: str = ""
    revision: int = 0
    case_number: int = 0
    text: str = ""
    state: int = 0
    decision: int = 0
    command_id: str | None = None

    def values(self, at: int) -> dict[str, Any]:
        return {"at": at, **{name: getattr(self, name) for name in COLUMNS if name != "at"}}


class AuditTransaction:
    """A transaction of a command: changes of tables, and their entries in the audit log."""

    def __init__(self, connection: AsyncConnection[Any], now: int) -> None:
        self._connection = connection
        self.now = now

    async def fetch(self, query: str, values: Any = ()) -> list[Row]:
        async with self._connection.cursor(row_factory=dict_row) as cursor:
            await cursor.execute(query.encode(), values, prepare=False)
            return await cursor.fetchall() if cursor.description else []

    async def append(self, entry: AuditRecord) -> JournalEntry:
        (row,) = await self.fetch(_APPEND, entry.values(self.now))
        return read_entry(row)

    async def find_command(self, command_id: str) -> JournalEntry | None:
        """The first entry of a command that was done before."""
        rows = await self.fetch(_KNOWN, [command_id]) if command_id else []
        return read_entry(rows[0]) if rows else None


class AuditLog:
    def __init__(self, pool: AsyncPool, clock: Callable[[], int]) -> None:
        self._pool = pool
        self._database = Database(pool)
        self._clock = clock

    @asynccontextmanager
    async def transaction(self, lock: str = LOCK) -> AsyncIterator[AuditTransaction]:
        """A transaction that holds the lock: no other one with it runs meanwhile."""
        with in_plain_words():
            async with (
                self._pool.connection(timeout=LEND_SECONDS_MAX) as connection,
                connection.transaction(),
            ):
                await connection.execute(lock.encode())
                yield AuditTransaction(connection, self._clock())

    async def of_alert(self, alert_id: str) -> list[JournalEntry]:
        return await self._of("alert_id", alert_id)

    async def of_case(self, number: int) -> list[JournalEntry]:
        return await self._of("case_number", number)

    async def after(self, number: int, entries_max: int) -> list[JournalEntry]:
        return [
            read_entry(row) for row in await self._database.fetch(_AFTER, [number, entries_max])
        ]

    async def last(self) -> int:
        rows = await self._database.fetch(_LAST)
        return int(rows[0]["number"])

    async def _of(self, column: str, value: str | int) -> list[JournalEntry]:
        query = _OF.format(column=column, limit=ENTRIES_MAX)
        return [read_entry(row) for row in await self._database.fetch(query, [value])]


def append_sync(connection: Connection[Any], entry: AuditRecord, at: int) -> None:
    """Within the caller's transaction, which must hold `LOCK`."""
    connection.execute(_APPEND, entry.values(at))


def read_entry(row: Row) -> JournalEntry:
    return JournalEntry(
        number=row["number"],
        at=write_time(row["at"]),
        author=row["author"],
        action=row["action"],
        alert_id=row["alert_id"],
        revision=row["revision"],
        case_number=row["case_number"],
        text=row["text"],
        state=row["state"],
        decision=row["decision"],
    )
