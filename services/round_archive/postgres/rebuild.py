"""The index emptied and made anew from the topics.

Rows go and positions go back to the beginning in one transaction; whoever fills the index finds
its position moved and begins again. Until it is whole again, questions find only what is there.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

import psycopg

from casino.settlement.v1.service_pb2 import RebuildResponse
from round_archive.grpc.status import INDEXED, ArchiveStatus
from round_archive.postgres.index_writer import CONSUMER
from runtime import logs
from runtime.database.pools import AsyncPool
from runtime.database.read_logs import FORGET
from runtime.positions import Partition
from runtime.query_errors import DatabaseUnavailable
from wire import topics

TABLES: Final = (
    "rounds, round_versions, findings, dead_letters, retried_letters, definitions, counts, rebuilds"
)
_EMPTY: Final = f"TRUNCATE {TABLES}"
_BACK: Final = (
    "UPDATE consumed_positions SET next_offset = 0, changed_at = now() WHERE consumer = %s"
)
_GOAL: Final = "INSERT INTO rebuilds (topic, partition, end_offset) VALUES (%s, %s, %s)"
_TELL_SECONDS: Final = 0.5
_log = logs.logger(__name__)


async def rebuild(
    pool: AsyncPool, status: ArchiveStatus, prefix: str
) -> AsyncIterator[RebuildResponse]:
    """Tells how far it is until it is done; it is done also if nobody listens any more."""
    names = {prefix + each for each in (*INDEXED, topics.TABLE_EVENTS)}
    goals = {place: end for place, end in (await status.log()).ends.items() if place.topic in names}
    try:
        async with pool.connection() as connection, connection.transaction():
            # The rows before the positions, as the indexer does: neither waits for the other.
            await connection.execute(_EMPTY.encode())
            await connection.execute(_BACK.encode(), [CONSUMER])
            await connection.execute(FORGET.encode(), [CONSUMER])
            async with connection.cursor() as cursor:
                await cursor.executemany(
                    _GOAL.encode(), [(*place, end) for place, end in goals.items()]
                )
    except psycopg.OperationalError:
        raise DatabaseUnavailable from None
    _log.warning("index emptied", messages=sum(goals.values()))
    while True:
        positions = await status.positions()
        answer = RebuildResponse(done=_done(positions, goals), total=sum(goals.values()))
        yield answer
        if answer.done >= answer.total:
            return
        await asyncio.sleep(_TELL_SECONDS)


def _done(positions: dict[Partition, int], goals: dict[Partition, int]) -> int:
    return sum(min(positions.get(place, 0), end) for place, end in goals.items())
