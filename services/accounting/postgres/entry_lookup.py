"""The rejection or the entry of one entered message."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from psycopg import Connection

from accounting.domain.entry import LogPosition
from casino.accounting.v1 import ledger_pb2
from wire.vocabulary import write_time

_ENTRY: Final = """
SELECT e.kind, e.at, e.table_id, e.round, e.version, e.seq, e.author, e.reason, e.source_topic,
    e.source_partition, e.source_offset,
    coalesce(e.source_offset >=
        (c.positions ->> (e.source_topic || '/' || e.source_partition))::bigint, false)
FROM entries e LEFT JOIN closed_days c USING (gaming_day)
WHERE e.gaming_day = %s AND e.id = %s
"""
_TRANSFERS: Final = """
SELECT d.code, c.code, t.cents FROM transfers t
JOIN accounts d ON d.id = t.debit JOIN accounts c ON c.id = t.credit
WHERE t.gaming_day = %s AND t.entry_id = %s ORDER BY t.line
"""
_REJECTION: Final = """
SELECT code, reason FROM refusals WHERE topic = %s AND partition = %s AND "offset" = %s
"""


def read_rejection(connection: Connection[Any], source: LogPosition) -> tuple[str, str] | None:
    """The code and the reason of a message that was not posted, or None."""
    found = connection.execute(
        _REJECTION, [source.topic, source.partition, source.offset]
    ).fetchone()
    return None if found is None else (str(found[0]), str(found[1]))


def read_entry(connection: Connection[Any], day: str, entry_id: str) -> ledger_pb2.Entry | None:
    """Read an entry of a day; None for a fact that moved no money."""
    place = [date.fromisoformat(day), entry_id]
    found = connection.execute(_ENTRY, place).fetchone()
    if found is None:
        return None
    kind, at, table, round_, version, seq, author, reason, topic, partition, offset, late = found
    return ledger_pb2.Entry(
        id=entry_id,
        gaming_day=day,
        kind=kind,
        at=write_time(at),
        table_id=table,
        round=round_,
        version=version,
        seq=seq,
        adjusting=late,
        author=author,
        reason=reason,
        source=ledger_pb2.Source(topic=topic, partition=partition, offset=offset),
        transfers=[
            ledger_pb2.Transfer(debit=debit, credit=credit, cents=cents)
            for debit, credit, cents in connection.execute(_TRANSFERS, place)
        ],
    )
