"""Rebuilds the ledger from the topics.

One transaction empties the tables and resets the positions, with the rights of the role that owns
the tables: the application may not change a row. The projector finds the positions moved and
starts again; commands wait until earlier entries are posted.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

import psycopg
from psycopg import sql

from accounting.config import Settings
from accounting.grpc.commands import SERVICE
from accounting.grpc.errors import NotRebuildable
from accounting.grpc.status import LedgerStatus
from accounting.kafka.ledger_projection import CONSUMER
from accounting.postgres.batch_writer import COLUMNS
from casino.accounting.v1.service_pb2 import RebuildResponse
from runtime import logs
from runtime.database.connection import session
from runtime.database.read_logs import FORGET
from runtime.query_errors import DatabaseUnavailable

REPORT_SECONDS: Final = 0.5
ATTEMPTS_MAX: Final = 10
"""The projector locks tables in another order, so that one of the two may be rolled back."""
_BACK: Final = (
    "UPDATE consumed_positions SET next_offset = 0, changed_at = now() WHERE consumer = %s"
)
_log = logs.logger(__name__)


async def rebuild(settings: Settings, status: LedgerStatus) -> AsyncIterator[RebuildResponse]:
    """Rebuild and report the lag until it is zero; the rebuild goes on without a caller."""
    if settings.database_migration_url is None:
        raise NotRebuildable
    address = session(
        settings.database_migration_url.get_secret_value(),
        service=SERVICE,
        statement_seconds_max=None,
    )
    goals = await status.ends()
    try:
        await asyncio.to_thread(_empty, address)
    except psycopg.OperationalError as failed:
        _log.warning("ledger not emptied", reason=" ".join(str(failed).split()))
        raise DatabaseUnavailable from None
    _log.warning("ledger emptied", messages=sum(goals.values()))
    while True:
        lag = await status.lag(goals)
        yield RebuildResponse(lag=lag, done=not lag)
        if not lag:
            return
        await asyncio.sleep(REPORT_SECONDS)


def _empty(address: str) -> None:
    tables = sql.SQL(", ").join(map(sql.Identifier, sorted(COLUMNS)))
    for attempt in range(1, ATTEMPTS_MAX + 1):
        try:
            with psycopg.connect(address) as connection:
                connection.execute(sql.SQL("TRUNCATE {}").format(tables))
                connection.execute(_BACK, [CONSUMER])
                connection.execute(FORGET, [CONSUMER])
            return
        except (psycopg.errors.DeadlockDetected, psycopg.errors.LockNotAvailable):
            if attempt == ATTEMPTS_MAX:
                raise
