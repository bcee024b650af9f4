"""Numbered SQL files that apply themselves: each once, in order, and never changed after.

A file is `0001_words_about_it.sql`. It runs in a transaction together with the row that
records it, so that it is applied whole or not at all. Services that start together wait for one
another. The checksum of each applied file is kept: a file that was changed afterwards is rejected,
and so is a database that a later version has migrated already.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

import psycopg
from psycopg import Connection

from runtime import logs
from runtime.database.connection import WAIT_SECONDS_MAX, DatabaseSettings, session, wait_for_server
from runtime.database.errors import (
    BadMigrations,
    DatabaseIsNewer,
    MigrationChanged,
    MigrationFailed,
    MigrationPending,
)

LOCK_SECONDS_MAX = 120.0  # longer than another's migration should take
_FILE = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")
_log = logs.logger(__name__)

_TABLE = """
CREATE TABLE IF NOT EXISTS applied_migrations (
    set_name text NOT NULL,
    number integer NOT NULL,
    name text NOT NULL,
    sha256 text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (set_name, number)
)
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One file: which set it belongs to, its number, its name, and what it does."""

    set_name: str
    number: int
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()

    def __str__(self) -> str:
        return f"{self.set_name}/{self.name}"


def read_migrations(set_name: str, folder: Traversable) -> tuple[Migration, ...]:
    """The files of a folder, numbered from 1 without a gap; anything else is rejected."""
    found = []
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if not file.name.endswith(".sql"):
            continue
        named = _FILE.fullmatch(file.name)
        if named is None:
            raise BadMigrations(set_name, f"{file.name} is not named 0001_like_this.sql")
        found.append(Migration(set_name, int(named[1]), file.name, file.read_text("utf-8")))
    numbers = [migration.number for migration in found]
    if numbers != list(range(1, len(found) + 1)):
        raise BadMigrations(set_name, f"numbers are {numbers}, not 1 to {len(found)}")
    return tuple(found)


def migrations_of(service: str, package: str | None = None) -> tuple[Migration, ...]:
    """The runtime's own, then those in the folder `migrations` of the service's `postgres`."""
    own = read_migrations("runtime", resources.files("runtime.database") / "migrations")
    return own + read_migrations(
        service, resources.files(package or f"{service}.postgres") / "migrations"
    )


def migrate(
    service: str,
    settings: DatabaseSettings,
    migrations: Sequence[Migration],
    *,
    wait_seconds_max: float = WAIT_SECONDS_MAX,
) -> None:
    """Brings the schema of `service` up to date, or, without that right, checks that it is."""
    url = settings.database_migration_url or settings.database_url
    may_apply = settings.database_migration_url is not None
    address = session(
        url.get_secret_value(),
        service=service,
        statement_seconds_max=None,  # an index over years of rows takes its time
        lock_seconds_max=LOCK_SECONDS_MAX,
    )
    wait_for_server(address, seconds_max=wait_seconds_max)
    with psycopg.connect(address, autocommit=True) as connection:
        if not may_apply:
            pending = _pending(connection, migrations)
            if pending:
                raise MigrationPending(tuple(map(str, pending)))
            return
        connection.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [service])
        connection.execute(_TABLE)
        for migration in _pending(connection, migrations):
            _apply(connection, migration)


def _pending(
    connection: Connection[tuple[object, ...]], migrations: Sequence[Migration]
) -> list[Migration]:
    """Migrations not applied yet; raises for files that were changed or are unknown."""
    known = connection.execute("SELECT to_regclass('applied_migrations')").fetchone()
    rows: list[tuple[object, ...]] = []
    if known != (None,):
        rows = connection.execute(
            "SELECT set_name, number, name, sha256 FROM applied_migrations ORDER BY 1, 2"
        ).fetchall()
    applied = {(row[0], row[1]): (row[2], row[3]) for row in rows}
    pending = []
    for migration in migrations:
        found = applied.pop((migration.set_name, migration.number), None)
        if found is None:
            pending.append(migration)
        elif found != (migration.name, migration.sha256):
            raise MigrationChanged(str(migration))
    if applied:
        raise DatabaseIsNewer(tuple(f"{key[0]}/{name}" for key, (name, _) in applied.items()))
    return pending


def _apply(connection: Connection[tuple[object, ...]], migration: Migration) -> None:
    try:
        with connection.transaction():
            connection.execute(migration.sql)
            connection.execute(
                "INSERT INTO applied_migrations (set_name, number, name, sha256)"
                " VALUES (%s, %s, %s, %s)",
                [migration.set_name, migration.number, migration.name, migration.sha256],
            )
    except psycopg.Error as error:
        raise MigrationFailed(str(migration), str(error).strip()) from error
    _log.info("migration applied", migration=str(migration))
