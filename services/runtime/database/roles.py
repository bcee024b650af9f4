"""Two roles a service: one makes the tables, the other works with them.

The application role may read and insert; updating and deleting is granted by a migration, table
by table, where the trade allows it. So a ledger is append-only by right and not by habit. Each
service has a schema of its own and sees no other.
"""

from __future__ import annotations

import psycopg
from psycopg import Connection
from psycopg.sql import SQL, Composed, Identifier, Literal


def migrating_role(service: str) -> str:
    return f"{service}_migrator"


def application_role(service: str) -> str:
    return f"{service}_application"


def prepare_service(
    administrator_url: str, service: str, *, migrating_password: str, application_password: str
) -> None:
    """Makes the schema and the two roles, or sets them right; may be called again at any time.

    The caller is a role that may create roles and schemas: the database administrator.
    """
    migrator, application = migrating_role(service), application_role(service)
    with psycopg.connect(administrator_url) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('pitledger roles', 0))")
        _ensure_role(connection, migrator, migrating_password)
        _ensure_role(connection, application, application_password)
        names = {
            "schema": Identifier(service),
            "migrator": Identifier(migrator),
            "application": Identifier(application),
            "database": Identifier(connection.info.dbname),
        }
        for statement in _STATEMENTS:
            connection.execute(SQL(statement).format(**names))


_STATEMENTS = (
    "GRANT CONNECT ON DATABASE {database} TO {migrator}, {application}",
    # Needed to make a schema that belongs to it, unless we are a superuser.
    "GRANT {migrator} TO CURRENT_USER",
    "CREATE SCHEMA IF NOT EXISTS {schema} AUTHORIZATION {migrator}",
    "REVOKE ALL ON SCHEMA {schema} FROM PUBLIC",
    "GRANT USAGE ON SCHEMA {schema} TO {application}",
    "ALTER DEFAULT PRIVILEGES FOR ROLE {migrator} IN SCHEMA {schema} "
    "GRANT SELECT, INSERT ON TABLES TO {application}",
    "ALTER DEFAULT PRIVILEGES FOR ROLE {migrator} IN SCHEMA {schema} "
    "GRANT USAGE, SELECT ON SEQUENCES TO {application}",
)


def _ensure_role(connection: Connection[tuple[object, ...]], role: str, password: str) -> None:
    exists = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone()
    # Hashed here, so that the server's log of statements never shows it.
    hashed = connection.pgconn.encrypt_password(
        password.encode(), role.encode(), b"scram-sha-256"
    ).decode()
    statement: Composed = SQL("{verb} ROLE {role} LOGIN PASSWORD {password}").format(
        verb=SQL("ALTER" if exists else "CREATE"), role=Identifier(role), password=Literal(hashed)
    )
    connection.execute(statement)
