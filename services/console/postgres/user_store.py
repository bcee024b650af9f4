"""Users, sessions, sign-in attempts and the audit log in PostgreSQL."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from psycopg import AsyncConnection
from psycopg.errors import UniqueViolation

from console.users.errors import InvalidUser
from console.users.roles import Roles, parse_roles
from console.users.user import User, digest
from runtime.database.pools import AsyncPool

_COLUMNS = "id, name, full_name, roles, one_time, disabled, made_at"
Connection = AsyncConnection[tuple[Any, ...]]


class UserStore:
    """Each method is one transaction."""

    def __init__(self, pool: AsyncPool) -> None:
        self._pool = pool

    async def list_users(self) -> list[User]:
        rows = await self._query(f"SELECT {_COLUMNS} FROM people ORDER BY disabled, name")
        return [_read_user(row) for row in rows]

    async def find(self, name: str) -> tuple[User, str] | None:
        """The user and the hash of the password."""
        rows = await self._query(
            f"SELECT {_COLUMNS}, password_hash FROM people WHERE name = %s", [name]
        )
        return (_read_user(rows[0]), str(rows[0][-1])) if rows else None

    async def add(
        self, *, name: str, full_name: str, roles: Roles, hashed: str, one_time: bool
    ) -> None:
        try:
            await self._execute(
                "INSERT INTO people (name, full_name, roles, password_hash, one_time)"
                " VALUES (%s, %s, %s, %s, %s)",
                [name, full_name, sorted(roles), hashed, one_time],
            )
        except UniqueViolation:
            raise InvalidUser("name", f"user {name} already exists") from None

    async def add_first(self, *, name: str, full_name: str, roles: Roles, hashed: str) -> bool:
        """Add a user if there is none; false if users exist."""
        async with self._pool.connection() as connection:
            await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('people', 0))")
            cursor = await connection.execute(
                "INSERT INTO people (name, full_name, roles, password_hash, one_time)"
                " SELECT %s, %s, %s, %s, true WHERE NOT EXISTS (SELECT FROM people)",
                [name, full_name, sorted(roles), hashed],
            )
            return cursor.rowcount == 1

    async def set_roles(self, name: str, roles: Roles) -> None:
        await self._execute("UPDATE people SET roles = %s WHERE name = %s", [sorted(roles), name])

    async def set_password(self, name: str, hashed: str, *, one_time: bool) -> None:
        """Set the password, and end all sessions of the user."""
        async with self._pool.connection() as connection:
            await connection.execute(
                "UPDATE people SET password_hash = %s, one_time = %s WHERE name = %s",
                [hashed, one_time, name],
            )
            await _end_sessions(connection, name)

    async def set_disabled(self, name: str, disabled: bool) -> None:
        async with self._pool.connection() as connection:
            await connection.execute(
                "UPDATE people SET disabled = %s WHERE name = %s", [disabled, name]
            )
            await _end_sessions(connection, name)

    # Sessions ----------------------------------------------------------------------------

    async def begin_session(
        self, token: str, person: int, address: str, *, now: datetime, keep: timedelta
    ) -> None:
        async with self._pool.connection() as connection:
            await connection.execute("DELETE FROM sessions WHERE begun_at < %s", [now - keep])
            await connection.execute(
                "INSERT INTO sessions (token_digest, person, address, begun_at, seen_at)"
                " VALUES (%s, %s, %s, %s, %s)",
                [digest(token), person, address, now, now],
            )

    async def find_session(
        self, token: str, *, begun_after: datetime, seen_after: datetime
    ) -> tuple[User, datetime] | None:
        """The user of a session and the time of last use; None if the session has ended."""
        rows = await self._query(
            f"SELECT {_COLUMNS}, seen_at FROM sessions JOIN people ON people.id = person"
            " WHERE token_digest = %s AND begun_at > %s AND seen_at > %s AND NOT disabled",
            [digest(token), begun_after, seen_after],
        )
        return (_read_user(rows[0]), rows[0][-1]) if rows else None

    async def touch_session(self, token: str, now: datetime) -> None:
        await self._execute(
            "UPDATE sessions SET seen_at = %s WHERE token_digest = %s", [now, digest(token)]
        )

    async def end_session(self, token: str) -> None:
        await self._execute("DELETE FROM sessions WHERE token_digest = %s", [digest(token)])

    # Sign-in attempts and the audit log ----------------------------------------------------

    async def record_attempt(
        self, name: str, address: str, *, succeeded: bool, now: datetime
    ) -> None:
        await self._execute(
            "INSERT INTO sign_ins (at, name, address, let_in) VALUES (%s, %s, %s, %s)",
            [now, name, address, succeeded],
        )

    async def failures(self, name: str, address: str, *, since: datetime) -> tuple[int, int, int]:
        """Count failures since the last success.

        For this name at this address, for the address, and for the name.
        """
        rows = await self._query(
            """
            WITH tries AS (SELECT * FROM sign_ins WHERE at > %(since)s),
            failed AS (
                SELECT name, address FROM tries t WHERE NOT let_in AND NOT EXISTS (
                    SELECT FROM tries s WHERE s.let_in AND s.name = t.name
                        AND s.address = t.address AND s.at >= t.at)
            )
            SELECT count(*) FILTER (WHERE name = %(name)s AND address = %(address)s),
                count(*) FILTER (WHERE address = %(address)s),
                count(*) FILTER (WHERE name = %(name)s)
            FROM failed
            """,
            {"since": since, "name": name, "address": address},
        )
        return (int(rows[0][0]), int(rows[0][1]), int(rows[0][2]))

    async def record_change(
        self, *, person: str, address: str, what: str, subject: str, words: str
    ) -> None:
        await self._execute(
            "INSERT INTO changes (person, address, what, subject, words)"
            " VALUES (%s, %s, %s, %s, %s)",
            [person, address, what, subject, words],
        )

    async def changes(self, *, before: int | None, limit: int) -> list[tuple[Any, ...]]:
        """List the audit log, newest first.

        Each row is id, time, user, address, action, subject, details.
        """
        return await self._query(
            "SELECT id, at, person, address, what, subject, words FROM changes"
            " WHERE %(before)s::bigint IS NULL OR id < %(before)s ORDER BY id DESC LIMIT %(limit)s",
            {"before": before, "limit": limit},
        )

    async def _query(self, query: str, values: Any = ()) -> list[tuple[Any, ...]]:
        async with self._pool.connection() as connection:
            cursor = await connection.execute(query.encode(), values)
            return await cursor.fetchall()

    async def _execute(self, statement: str, values: Any) -> None:
        async with self._pool.connection() as connection:
            await connection.execute(statement.encode(), values)


async def _end_sessions(connection: Connection, name: str) -> None:
    await connection.execute(
        "DELETE FROM sessions WHERE person = (SELECT id FROM people WHERE name = %s)", [name]
    )


def _read_user(row: tuple[Any, ...]) -> User:
    number, name, full_name, roles, one_time, disabled, made_at = row[:7]
    return User(number, name, full_name, parse_roles(roles), one_time, disabled, made_at)
