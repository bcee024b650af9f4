"""The projected tables, emptied and rebuilt from the topics.

The work of people stays: the audit log and the cases are not made from topics.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Final

from psycopg import AsyncConnection

from alert_desk.grpc.status import AlertDeskStatus
from alert_desk.kafka.projection import CONSUMER
from casino.surveillance.v1.service_pb2 import RebuildResponse
from runtime.database.pools import AsyncPool
from runtime.database.query import in_plain_words
from runtime.database.rebuild import follow_rebuild, reset_positions
from runtime.positions import Partition

_BEFORE: Final = "SELECT topic, partition, read_offset FROM rebuilds"
_READ: Final = "SELECT topic, partition, next_offset FROM consumed_positions WHERE consumer = %s"
_EMPTY: Final = "TRUNCATE alerts, setting_changes, unreadable, rebuilds"
_GOAL: Final = """
INSERT INTO rebuilds (topic, partition, end_offset, read_offset) VALUES (%s, %s, %s, %s)
"""
PartitionOffset = tuple[Partition, int]


async def rebuild(
    pool: AsyncPool, status: AlertDeskStatus, prefix: str
) -> AsyncIterator[RebuildResponse]:
    goals = await status.ends()
    with in_plain_words():
        async with pool.connection() as connection, connection.transaction():
            read = await _offsets(connection, _BEFORE)
            await connection.execute(_EMPTY.encode())
            read += await _offsets(connection, _READ, CONSUMER)
            await reset_positions(connection, CONSUMER)
            async with connection.cursor() as cursor:
                await cursor.executemany(_GOAL.encode(), _goals(goals, read, prefix))
    async for progress in follow_rebuild(status.positions, goals):
        yield RebuildResponse(done=progress.done, total=progress.total)


async def _offsets(
    connection: AsyncConnection[Any], query: str, *values: str
) -> list[PartitionOffset]:
    rows = await (await connection.execute(query.encode(), values)).fetchall()
    return [(Partition(topic, partition), offset) for topic, partition, offset in rows]


def _goals(
    ends: dict[Partition, int], read: Sequence[PartitionOffset], prefix: str
) -> Iterator[tuple[str, int, int, int]]:
    """The end of each partition, and the highest offset that was ever read."""
    for at, end in ends.items():
        stored = Partition(prefix + at.topic, at.partition)
        highest = max((offset for partition, offset in read if partition == stored), default=0)
        yield (*stored, end, highest)
