"""Databases of the shared PostgreSQL, a fresh one for each test."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

TEMPLATES_LOCK = 5_077_001  # an advisory lock's number, of no other meaning


@dataclass(frozen=True, slots=True)
class Database:
    name: str
    url: str

    def connect(self) -> psycopg.Connection:
        return psycopg.connect(self.url)


class Databases:
    def __init__(self, url: str) -> None:
        self.url = url

    def make(self, template: str = "template0") -> Database:
        """A copy of the template, in a tenth of a second."""
        return self._create(f"test_{secrets.token_hex(6)}", template)

    def drop(self, database: Database) -> None:
        """Even if a client is still there."""
        self._publish(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)"), database.name)

    def make_template(self, name: str, prepare: Callable[[Database], None]) -> str:
        """A template made once in a run, whichever worker comes first; `prepare` fills it.

        It has its name only when it is complete, and `prepare` must leave no connection.
        """
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("SELECT pg_advisory_lock(%s)", [TEMPLATES_LOCK])
            query = "SELECT 1 FROM pg_database WHERE datname = %s"
            if connection.execute(query, [name]).fetchone() is None:
                draft = self._create(f"{name}_{secrets.token_hex(6)}", "template0")
                prepare(draft)
                self._publish(sql.SQL("ALTER DATABASE {} RENAME TO {}"), draft.name, name)
        return name

    def _create(self, name: str, template: str) -> Database:
        self._publish(sql.SQL("CREATE DATABASE {} TEMPLATE {}"), name, template)
        return Database(name, urlunsplit(urlsplit(self.url)._replace(path=f"/{name}")))

    def _publish(self, statement: sql.SQL, *names: str) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement.format(*map(sql.Identifier, names)))
