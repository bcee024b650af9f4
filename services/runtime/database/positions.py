"""Position in a topic, stored in the transaction of its effects.

`advance` moves a partition's position from where the batch began to where it ended, and fails if
it is no longer where the batch began: then another worker has read on, and the whole transaction
must be rolled back. The row is locked until the transaction ends, so that of two workers which
both believe to own a partition only one can post. So each message has its effect once, even if
Kafka hands it out twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from psycopg import AsyncConnection, Connection

from runtime.database.errors import PositionConflict
from runtime.positions import OffsetRange, Position

_ADVANCE = """
INSERT INTO consumed_positions AS known (consumer, topic, partition, next_offset)
VALUES (%(consumer)s, %(topic)s, %(partition)s, %(end)s)
ON CONFLICT (consumer, topic, partition) DO UPDATE
SET next_offset = excluded.next_offset, changed_at = now()
WHERE known.next_offset = %(begin)s
RETURNING next_offset
"""
_FIND = """
SELECT next_offset FROM consumed_positions
WHERE consumer = %(consumer)s AND topic = %(topic)s AND partition = %(partition)s
"""
_READ = """
SELECT topic, partition, next_offset FROM consumed_positions
WHERE consumer = %s AND topic = ANY(%s)
ORDER BY topic, partition
"""


def read_positions(
    connection: Connection[Any], consumer: str, topics: Sequence[str]
) -> tuple[Position, ...]:
    """Where `consumer` goes on in every partition that it has read of."""
    rows = connection.execute(_READ, [consumer, list(topics)]).fetchall()
    return tuple(Position(*row) for row in rows)


def advance_sync(connection: Connection[Any], consumer: str, reading: OffsetRange) -> None:
    """Within the caller's transaction; `PositionConflict` means: roll back."""
    values = _values(consumer, reading)
    if connection.execute(_ADVANCE, values).fetchone() is None:
        _reject(values, connection.execute(_FIND, values).fetchone())


async def advance(connection: AsyncConnection[Any], consumer: str, reading: OffsetRange) -> None:
    """Within the caller's transaction; `PositionConflict` means: roll back."""
    values = _values(consumer, reading)
    if await (await connection.execute(_ADVANCE, values)).fetchone() is None:
        _reject(values, await (await connection.execute(_FIND, values)).fetchone())


def _values(consumer: str, reading: OffsetRange) -> dict[str, Any]:
    if reading.end <= reading.begin:
        raise ValueError(f"a reading ends after it begins, unlike {reading}")
    return {"consumer": consumer, **reading._asdict()}


def _reject(values: dict[str, Any], found: Any) -> None:
    raise PositionConflict(
        consumer=values["consumer"],
        topic=values["topic"],
        partition=values["partition"],
        expected=values["begin"],
        found=found[0] if found else -1,
    )
