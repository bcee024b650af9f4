"""Which logs a consumer has read, remembered beside its positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from psycopg import Connection

from runtime.database.positions import read_positions
from runtime.kafka.log_identity import LogMark

FORGET: Final = "DELETE FROM read_logs WHERE consumer = %s"
"""What a rebuild does in the transaction that sets the positions back: it accepts the logs that
are there."""
_READ: Final = "SELECT topic, topic_id FROM read_logs WHERE consumer = %s"
_NOTE: Final = """
INSERT INTO read_logs (consumer, topic, topic_id) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING
"""


def read_marks(
    connection: Connection[Any], consumer: str, topics: Sequence[str]
) -> dict[str, LogMark]:
    """The stored mark of each topic; one that was never read has no id and no positions."""
    ids: dict[str, str] = dict(connection.execute(_READ, [consumer]).fetchall())
    positions: dict[str, dict[int, int]] = {topic: {} for topic in topics}
    for position in read_positions(connection, consumer, topics):
        positions[position.topic][position.partition] = position.offset
    return {topic: LogMark(topic, ids.get(topic, ""), of) for topic, of in positions.items()}


def note_ids(connection: Connection[Any], consumer: str, ids: Mapping[str, str]) -> None:
    """Of topics that have none yet; stored marks stay."""
    with connection.cursor() as cursor:
        cursor.executemany(_NOTE, [(consumer, topic, found) for topic, found in ids.items()])
