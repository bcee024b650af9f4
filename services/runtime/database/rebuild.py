"""Projected tables emptied, to be filled again from the topics.

Rows are deleted and positions go back to the beginning in one transaction; the projector finds its
positions moved and begins again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple

from psycopg import AsyncConnection

from runtime import logs
from runtime.database.query import Database, Row
from runtime.database.read_logs import FORGET
from runtime.positions import Partition

Offsets = Mapping[Partition, int]
_POSITIONS: Final = """
SELECT topic, partition, next_offset FROM consumed_positions WHERE consumer = %s
"""
_GOALS: Final = "SELECT topic, partition, end_offset FROM rebuilds"
_RESET: Final = (
    "UPDATE consumed_positions SET next_offset = 0, changed_at = now() WHERE consumer = %s"
)
_PROGRESS_SECONDS: Final = 0.5
_log = logs.logger(__name__)


class RebuildProgress(NamedTuple):
    """How many messages of a rebuild are projected again."""

    done: int
    total: int


async def read_offsets(database: Database, consumer: str) -> dict[Partition, int]:
    """The next offset of each partition that a consumer has read."""
    return _by_partition(await database.fetch(_POSITIONS, [consumer]), "next_offset")


async def is_rebuilding(database: Database, offsets: Offsets) -> bool:
    """Whether the topics are not read yet to where they ended when the tables were emptied."""
    goals = _by_partition(await database.fetch(_GOALS), "end_offset")
    return count_unread(offsets, goals) > 0


def count_unread(offsets: Offsets, ends: Offsets) -> int:
    return sum(max(end - offsets.get(at, 0), 0) for at, end in ends.items())


async def reset_positions(connection: AsyncConnection[Any], consumer: str) -> None:
    """Set the positions back, and accept the logs that are there.

    Within the transaction that empties the tables, after that, as the projector does: neither
    waits for the other.
    """
    await connection.execute(_RESET.encode(), [consumer])
    await connection.execute(FORGET.encode(), [consumer])


async def follow_rebuild(
    read: Callable[[], Awaitable[Offsets]], goals: Offsets
) -> AsyncIterator[RebuildProgress]:
    """The progress until it is done; the rebuild goes on even if its caller goes away."""
    total = sum(goals.values())
    _log.warning("tables emptied", messages=total)
    while True:
        unread = count_unread(await read(), goals)
        yield RebuildProgress(total - unread, total)
        if not unread:
            return
        await asyncio.sleep(_PROGRESS_SECONDS)


def _by_partition(rows: list[Row], column: str) -> dict[Partition, int]:
    return {Partition(row["topic"], row["partition"]): row[column] for row in rows}
