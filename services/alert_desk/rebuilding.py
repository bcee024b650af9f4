"""The tables that are made of the topics alone, emptied and made anew.

Rows go and positions go back to the beginning in one transaction; whoever fills the tables finds
its position moved and begins again. What people did stays: the journal is not made of the topics.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from alert_desk.projection import CONSUMER
from alert_desk.status import Status, lag
from casino.surveillance.v1.service_pb2 import RebuildResponse
from runtime import logs
from runtime.database.asking import in_plain_words
from runtime.database.pools import AsyncPool

_EMPTY: Final = "TRUNCATE alerts, setting_changes, unreadable, rebuilds"
_BACK: Final = (
    "UPDATE consumed_positions SET next_offset = 0, changed_at = now() WHERE consumer = %s"
)
_GOAL: Final = "INSERT INTO rebuilds (topic, partition, end_offset) VALUES (%s, %s, %s)"
_TELL_SECONDS: Final = 0.5
_log = logs.logger(__name__)


async def rebuild(pool: AsyncPool, status: Status, prefix: str) -> AsyncIterator[RebuildResponse]:
    """Tells how far it is until it is done; it is done also if nobody listens any more."""
    goals = await status.ends()
    with in_plain_words():
        async with pool.connection() as connection, connection.transaction():
            # The rows before the positions, as the projection does: neither waits for the other.
            await connection.execute(_EMPTY)
            await connection.execute(_BACK, [CONSUMER])
            async with connection.cursor() as cursor:
                await cursor.executemany(
                    _GOAL, [(prefix + at.topic, at.partition, end) for at, end in goals.items()]
                )
    total = sum(goals.values())
    _log.warning("tables emptied", messages=total)
    while True:
        left = lag(await status.positions(), goals)
        yield RebuildResponse(done=total - left, total=total)
        if not left:
            return
        await asyncio.sleep(_TELL_SECONDS)
