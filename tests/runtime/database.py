"""A database of its own for each test, on the server of the run's stack."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import psycopg
import pytest
from psycopg import conninfo
from psycopg.sql import SQL, Identifier
from pydantic import SecretStr

from runtime.database.connection import DatabaseSettings
from runtime.database.roles import application_role, migrating_role, prepare_service

_SERVER: dict[str, str] = {}

needs_database = pytest.mark.usefixtures("real_database")


def server(url: str = "") -> str:
    """The address of an administrator of the run's PostgreSQL, once somebody has asked for it."""
    if url:
        _SERVER["url"] = url
    return _SERVER["url"]


@contextmanager
def new_database() -> Iterator[str]:
    """The address of an administrator in a new, empty database."""
    name = f"test_{uuid4().hex[:12]}"
    with psycopg.connect(server(), autocommit=True) as connection:
        connection.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
    try:
        yield conninfo.make_conninfo(server(), dbname=name)
    finally:
        with psycopg.connect(server(), autocommit=True) as connection:
            connection.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))


@contextmanager
def new_service(administrator: str) -> Iterator[tuple[str, DatabaseSettings]]:
    """A service of a unique name with its two roles, which belong to the whole server."""
    service = f"example_{uuid4().hex[:8]}"
    prepare(administrator, service)
    try:
        yield service, settings_of(administrator, service)
    finally:
        _drop_roles(administrator, service)


def prepare(administrator: str, service: str) -> None:
    prepare_service(administrator, service, migrating_password="m'1", application_password="a")


def settings_of(administrator: str, service: str, **changed: object) -> DatabaseSettings:
    def url(role: str, password: str) -> SecretStr:
        return SecretStr(conninfo.make_conninfo(administrator, user=role, password=password))

    return DatabaseSettings.model_validate(
        {
            "database_url": url(application_role(service), "a"),
            "database_migration_url": url(migrating_role(service), "m'1"),
            **changed,
        }
    )


def _drop_roles(administrator: str, service: str) -> None:
    with psycopg.connect(administrator) as connection:
        for role in (application_role(service), migrating_role(service)):
            connection.execute(SQL("DROP OWNED BY {} CASCADE").format(Identifier(role)))
            connection.execute(SQL("DROP ROLE {}").format(Identifier(role)))
