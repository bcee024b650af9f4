"""Addresses, the limits of a session, and waiting for a server that is still starting."""

from __future__ import annotations

import time
from typing import Any

import psycopg
from psycopg import conninfo
from pydantic import SecretStr

from runtime import logs
from runtime.database.errors import DatabaseUnreachable
from runtime.settings import Settings

WAIT_SECONDS_MAX = 30.0
CONNECT_SECONDS_MAX = 5

_log = logs.logger(__name__)


class DatabaseSettings(Settings):
    """How a service finds its database."""

    database_url: SecretStr
    """The PostgreSQL address of the service's application role, with its password."""
    database_migration_url: SecretStr | None = None
    """The address of the service's migrating role; unset: the schema must be migrated already."""
    database_connections_max: int = 10
    """How many connections the service holds at most."""
    database_statement_seconds_max: float = 30.0
    """How long a single statement may take."""


def session(
    url: str,
    *,
    service: str,
    statement_seconds_max: float | None,
    lock_seconds_max: float = 10.0,
    idle_transaction_seconds_max: float = 60.0,
) -> str:
    """The address with the limits that every session of `service` has.

    A statement, a wait for a lock and an idle transaction end by themselves: one that hangs
    must not keep the others waiting for ever. Times are UTC, and names are found in the
    service's own schema first.
    """
    limits = {
        "statement_timeout": _milliseconds(statement_seconds_max or 0),
        "lock_timeout": _milliseconds(lock_seconds_max),
        "idle_in_transaction_session_timeout": _milliseconds(idle_transaction_seconds_max),
        "timezone": "UTC",
        "search_path": service,
    }
    given = str(conninfo.conninfo_to_dict(url).get("options") or "")
    options = " ".join([given, *(f"-c {name}={value}" for name, value in limits.items())])
    return conninfo.make_conninfo(
        url,
        application_name=service,
        connect_timeout=CONNECT_SECONDS_MAX,
        options=options.strip(),
    )


def wait_for_server(address: str, *, seconds_max: float = WAIT_SECONDS_MAX) -> None:
    """Returns when the database accepts the login, or states the reason."""
    started = time.monotonic()
    is_logged = False
    while True:
        try:
            psycopg.connect(address).close()
        except psycopg.OperationalError as error:
            waited = time.monotonic() - started
            reason = " ".join(str(error).split())
            if waited >= seconds_max:
                raise DatabaseUnreachable(
                    where=where(address), seconds=waited, reason=reason
                ) from None
            if not is_logged:
                _log.warning("waiting for the database", at=where(address), reason=reason)
                is_logged = True
            time.sleep(0.25)
        else:
            return


def where(address: str) -> str:
    """An address as it may be shown: without the password.

    >>> where("postgresql://app:secret@db:5432/casino")
    'app@db:5432/casino'
    """
    parts: dict[str, Any] = conninfo.conninfo_to_dict(address)
    host, port = parts.get("host", "localhost"), parts.get("port", 5432)
    return f"{parts.get('user', '')}@{host}:{port}/{parts.get('dbname', '')}"


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
