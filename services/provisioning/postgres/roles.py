"""The schema and the two roles of a service, with the passwords that its addresses hold."""

from __future__ import annotations

from psycopg import conninfo

from provisioning.config import DatabaseRoleSettings
from provisioning.errors import NoPassword, WrongAddress
from runtime.database.connection import wait_for_server
from runtime.database.roles import application_role, migrating_role, prepare_service


def prepare(service: str, settings: DatabaseRoleSettings) -> None:
    """Create them, so that the service can connect with its two URLs.

    The roles' passwords are read from the addresses that the service itself is given, so that
    one secret holds them and they cannot differ.
    """
    administrator = settings.database_administrator_url.get_secret_value()
    database = str(conninfo.conninfo_to_dict(administrator).get("dbname") or "")
    migrating_password = _password(
        "DATABASE_MIGRATION_URL",
        settings.database_migration_url.get_secret_value(),
        role=migrating_role(service),
        database=database,
    )
    application_password = _password(
        "DATABASE_URL",
        settings.database_url.get_secret_value(),
        role=application_role(service),
        database=database,
    )
    wait_for_server(administrator)
    prepare_service(
        administrator,
        service,
        migrating_password=migrating_password,
        application_password=application_password,
    )


def _password(variable: str, address: str, *, role: str, database: str) -> str:
    parts = conninfo.conninfo_to_dict(address)
    for what, key, expected in (("role", "user", role), ("database", "dbname", database)):
        found = str(parts.get(key) or "")
        if found != expected:
            raise WrongAddress(variable, what=what, expected=expected, found=found)
    password = str(parts.get("password") or "")
    if not password:
        raise NoPassword(variable)
    return password
