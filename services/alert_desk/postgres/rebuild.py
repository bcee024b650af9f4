"""The tables that are made of the topics alone, emptied and made anew.

Rows go and positions go back to the beginning in one transaction; whoever fills the tables finds
its position moved and begins again. What people did stays: the journal is not made of the topics.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Final

from psycopg import AsyncConnection

from alert_desk.grpc.status import AlertDeskStatus, lag
from alert_desk.kafka.projection import CONSUMER
from casino.surveillance.v1.service_pb2 import RebuildResponse
from runtime import logs
from runtime.database.pools import AsyncPool
from runtime.database.query import in_plain_words
from runtime.database.read_logs import FORGET
from runtime.positions import Partition

_BEFORE: Final = "SELECT topic, partition, read_offset FROM rebuilds"
_READ: Final = "SELECT topic, partition, next_offset FROM consumed_positions WHERE consumer = %s"
_EMPTY: Final = "TRUNCATE alerts, setting_changes, unreadable, rebuilds"
_BACK: Final = (
    "UPDATE consumed_positions SET next_offset = 0, changed_at = now() WHERE consumer = %s"
)
_GOAL: Final = """
INSERT INTO rebuilds (topic, partition, end_offset, read_offset) VALUES (%s, %s, %s, %s)
"""
_TELL_SECONDS: Final = 0.5
_log = logs.logger(__name__)


async def rebuild(
    pool: AsyncPool, status: AlertDeskStatus, prefix: str
) -> AsyncIterator[RebuildResponse]:
    """Tells how far it is until it is done; it is done also if nobody listens any more."""
    goals = await status.ends()
    with in_plain_words():
        async with pool.connection() as connection, connection.transaction():
            read = await _offsets(connection, _BEFORE)
            # The rows before the positions, as the projection does: neither waits for the other.
            await connection.execute(_EMPTY)
            read += await _offsets(connection, _READ, CONSUMER)
            await connection.execute(_BACK, [CONSUMER])
            await connection.execute(FORGET, [CONSUMER])
            async with connection.cursor() as cursor:
                await cursor.executemany(_GOAL, _goals(goals, read, prefix))
    total = sum(goals.values())
    _log.warning("tables emptied", messages=total)
    while True:
        left = lag(await status.positions(), goals)
        yield RebuildResponse(done=total - left, total=total)
        if not left:
            return
        await asyncio.sleep(_TELL_SECONDS)


Offset = tuple[Partition, int]


async def _offsets(connection: AsyncConnection[Any], query: str, *values: str) -> list[Offset]:
    rows = await (await connection.execute(query.encode(), values)).fetchall()
    return [(Partition(topic, partition), offset) for topic, partition, offset in rows]


def _goals(
    ends: dict[Partition, int], read: Sequence[Offset], prefix: str
) -> Iterator[tuple[str, int, int, int]]:
    """Where each partition ends, and how far it was ever read."""
    for at, end in ends.items():
        place = Partition(prefix + at.topic, at.partition)
        yield (*place, end, max((offset for of, offset in read if of == place), default=0))
