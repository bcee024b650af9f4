"""Entries as the service shows them, read from the tables of a test's ledger."""

from __future__ import annotations

from casino.accounting.v1.ledger_pb2 import Entry, Source, Transfer
from tests.accounting.books import Books

_ENTRIES = """
SELECT id::text, gaming_day, kind, at, table_id, round, version, seq, author, reason,
    source_topic, source_partition, source_offset
FROM entries ORDER BY gaming_day, at, id
"""
_TRANSFERS = """
SELECT t.entry_id::text, d.code, c.code, t.cents FROM transfers t
JOIN accounts d ON d.id = t.debit JOIN accounts c ON c.id = t.credit ORDER BY t.entry_id, t.line
"""


def entries_of(books: Books) -> list[Entry]:
    """All of them, in the order of day, time and id."""
    entries: dict[str, Entry] = {}
    for id, day, kind, at, table, round, version, seq, author, reason, *source in books.ask(
        _ENTRIES
    ):
        topic, partition, offset = source
        entries[id] = Entry(
            id=id.replace("-", ""),
            gaming_day=day.isoformat(),
            kind=kind,
            table_id=table,
            round=round,
            version=version,
            seq=seq,
            author=author,
            reason=reason,
            source=Source(topic=topic, partition=partition, offset=offset),
        )
        entries[id].at.FromMicroseconds(at)
    for id, debit, credit, cents in books.ask(_TRANSFERS):
        entries[id].transfers.append(Transfer(debit=debit, credit=credit, cents=cents))
    return list(entries.values())
