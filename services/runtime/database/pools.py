"""Pools of connections, async and not, with the limits of `connecting`.

A connection is checked before it is lent, so that a server that was restarted costs a moment
and not an error. A caller that finds none free within the limit gets `psycopg_pool.PoolTimeout`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from psycopg import AsyncConnection, Connection
from psycopg_pool import AsyncConnectionPool, ConnectionPool

from runtime.database.connection import (
    WAIT_SECONDS_MAX,
    DatabaseSettings,
    session,
    wait_for_server,
)

AsyncPool = AsyncConnectionPool[AsyncConnection[tuple[Any, ...]]]
Pool = ConnectionPool[Connection[tuple[Any, ...]]]
LEND_SECONDS_MAX = 10.0
RECONNECT_SECONDS_MAX = 3.0
"""A pool doubles its pauses as long as it tries: it gives up soon, and tries again on request."""


@asynccontextmanager
async def open_pool(
    service: str, settings: DatabaseSettings, *, wait_seconds_max: float = WAIT_SECONDS_MAX
) -> AsyncIterator[AsyncPool]:
    """A pool of the application role; raises `DatabaseUnreachable` if there is no database."""
    address = _application_session(service, settings)
    await asyncio.to_thread(wait_for_server, address, seconds_max=wait_seconds_max)
    pool: AsyncPool = AsyncConnectionPool(
        address,
        min_size=1,
        max_size=settings.database_connections_max,
        timeout=LEND_SECONDS_MAX,
        check=AsyncConnectionPool.check_connection,
        reconnect_timeout=RECONNECT_SECONDS_MAX,
        open=False,
        name=service,
    )
    async with pool:
        yield pool


@contextmanager
def open_sync_pool(
    service: str, settings: DatabaseSettings, *, wait_seconds_max: float = WAIT_SECONDS_MAX
) -> Iterator[Pool]:
    """The same for threads."""
    address = _application_session(service, settings)
    wait_for_server(address, seconds_max=wait_seconds_max)
    pool: Pool = ConnectionPool(
        address,
        min_size=1,
        max_size=settings.database_connections_max,
        timeout=LEND_SECONDS_MAX,
        check=ConnectionPool.check_connection,
        reconnect_timeout=RECONNECT_SECONDS_MAX,
        open=False,
        name=service,
    )
    with pool:
        yield pool


def _application_session(service: str, settings: DatabaseSettings) -> str:
    return session(
        settings.database_url.get_secret_value(),
        service=service,
        statement_seconds_max=settings.database_statement_seconds_max,
    )
