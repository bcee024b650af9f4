"""`python -m provisioning database SERVICE`, on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import psycopg
import pytest
from psycopg import conninfo
from psycopg.errors import InsufficientPrivilege
from psycopg.sql import SQL, Identifier

from provisioning.__main__ import main
from runtime.database.roles import application_role, migrating_role
from tests.stack.databases import Database


@pytest.fixture
def service(database: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A service's name, its addresses in the environment; its roles are gone afterwards."""
    name = f"s{uuid4().hex[:10]}"
    roles = {"DATABASE_URL": application_role(name), "DATABASE_MIGRATION_URL": migrating_role(name)}
    monkeypatch.setenv("DATABASE_ADMINISTRATOR_URL", database.url)
    for variable, role in roles.items():
        address = conninfo.make_conninfo(database.url, user=role, password=f"{role} first")
        monkeypatch.setenv(variable, address)
    yield name
    with database.connect() as connection:
        for role in roles.values():
            known = "SELECT 1 FROM pg_roles WHERE rolname = %s"
            if connection.execute(known, [role]).fetchone():
                connection.execute(SQL("DROP OWNED BY {} CASCADE").format(Identifier(role)))
                connection.execute(SQL("DROP ROLE {}").format(Identifier(role)))


def address(database: Database, role: str, password: str) -> str:
    return conninfo.make_conninfo(database.url, user=role, password=password)


def test_a_service_gets_in_with_its_addresses_and_only_one_of_them_makes_tables(
    service: str, database: Database
) -> None:
    migrator, application = migrating_role(service), application_role(service)
    assert main(["database", service]) == 0
    table = SQL("CREATE TABLE {}.rounds (id text)").format(Identifier(service))
    with (
        psycopg.connect(address(database, application, f"{application} first")) as connection,
        pytest.raises(InsufficientPrivilege),
    ):
        connection.execute(table)
    with psycopg.connect(address(database, migrator, f"{migrator} first")) as connection:
        connection.execute(table)


def test_a_new_password_is_taken_up(
    service: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    role = application_role(service)
    assert main(["database", service]) == 0
    monkeypatch.setenv("DATABASE_URL", address(database, role, "second"))
    assert main(["database", service]) == 0
    psycopg.connect(address(database, role, "second")).close()


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"user": "postgres"}, "role is postgres, expected "),
        ({"dbname": "another"}, "database is another, expected "),
        ({"password": ""}, "it has no password"),
    ],
)
def test_an_address_that_would_not_let_the_service_in_is_refused(
    service: str,
    database: Database,
    changed: dict[str, str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    right = {"user": application_role(service), "password": "secret", **changed}
    monkeypatch.setenv("DATABASE_URL", conninfo.make_conninfo(database.url, **right))
    assert main(["database", service]) == 1
    said = capsys.readouterr().err
    assert f"DATABASE_URL: {told}" in said
    assert "secret" not in said
