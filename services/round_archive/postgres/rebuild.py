"""The index, emptied and rebuilt from the topics; until then queries find only a part of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from casino.settlement.v1.service_pb2 import RebuildResponse
from round_archive.grpc.status import INDEXED, ArchiveStatus
from round_archive.postgres.index_writer import CONSUMER
from runtime.database.pools import AsyncPool
from runtime.database.query import in_plain_words
from runtime.database.rebuild import follow_rebuild, reset_positions
from wire import topics

TABLES: Final = (
    "rounds, round_versions, findings, dead_letters, retried_letters, definitions, counts, rebuilds"
)
_EMPTY: Final = f"TRUNCATE {TABLES}"
_GOAL: Final = "INSERT INTO rebuilds (topic, partition, end_offset) VALUES (%s, %s, %s)"


async def rebuild(
    pool: AsyncPool, status: ArchiveStatus, prefix: str
) -> AsyncIterator[RebuildResponse]:
    names = {prefix + topic for topic in (*INDEXED, topics.TABLE_EVENTS)}
    goals = {at: end for at, end in (await status.log()).ends.items() if at.topic in names}
    with in_plain_words():
        async with pool.connection() as connection, connection.transaction():
            await connection.execute(_EMPTY.encode())
            await reset_positions(connection, CONSUMER)
            async with connection.cursor() as cursor:
                rows = [(*at, end) for at, end in goals.items()]
                await cursor.executemany(_GOAL.encode(), rows)
    async for progress in follow_rebuild(status.positions, goals):
        yield RebuildResponse(done=progress.done, total=progress.total)
