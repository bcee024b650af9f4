"""Entries of the journal, for answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from accounting.postgres.report_inputs.snapshot import DatabaseSnapshot, Row
from casino.accounting.v1 import ledger_pb2
from casino.accounting.v1.ledger_pb2 import Entry, Source, Transfer
from wire.vocabulary import write_time

# Entries behind the read positions of a closed day are adjustments; the closing entry is not.
IS_ADJUSTING: Final = """(
    c.gaming_day IS NOT NULL AND e.kind <> 'day_closed' AND e.source_offset >=
        coalesce((c.positions ->> (e.source_topic || '/' || e.source_partition))::bigint, 0)
)"""
_FIND: Final = """
SELECT e.gaming_day::text AS day, replace(e.id::text, '-', '') AS id, e.kind, e.at, e.table_id,
    e.round, e.version, e.seq, e.author, e.reason, e.source_topic, e.source_partition,
    e.source_offset, {adjusting} AS adjusting
FROM entries e LEFT JOIN closed_days c ON c.gaming_day = e.gaming_day
WHERE {where}
ORDER BY e.gaming_day, e.at, e.id
LIMIT {limit}
"""
_NAMED: Final = "e.gaming_day = ANY(%(days)s::date[]) AND e.id = ANY(%(ids)s::uuid[])"
_TRANSFERS: Final = """
SELECT t.gaming_day::text AS day, replace(t.entry_id::text, '-', '') AS id, d.code AS debit,
    c.code AS credit, t.cents
FROM transfers t JOIN accounts d ON d.id = t.debit JOIN accounts c ON c.id = t.credit
WHERE t.gaming_day = ANY(%(days)s::date[]) AND t.entry_id = ANY(%(ids)s::uuid[])
ORDER BY t.gaming_day, t.entry_id, t.line
"""
_CLOSED: Final = """
SELECT gaming_day::text AS day, positions FROM closed_days WHERE gaming_day = ANY(%(days)s::date[])
"""
_CLASSES: Final = {
    name.removeprefix("ACCOUNT_CLASS_").lower(): number
    for name, number in ledger_pb2.AccountClass.items()
}


def class_number(name: str) -> ledger_pb2.AccountClass.ValueType:
    return _CLASSES.get(name, ledger_pb2.ACCOUNT_CLASS_UNSPECIFIED)


async def find_entries(
    snapshot: DatabaseSnapshot, where: Sequence[str], values: Mapping[str, Any], limit: int
) -> list[Row]:
    """Entries in the order of day, time and id."""
    query = _FIND.format(adjusting=IS_ADJUSTING, where=" AND ".join(where), limit=limit)
    return await snapshot.fetch(query, values)


async def named_entries(
    snapshot: DatabaseSnapshot, names: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], Entry]:
    """Entries by day and id, without those that move no money."""
    values = _values(names)
    query = _FIND.format(adjusting=IS_ADJUSTING, where=_NAMED, limit="ALL")
    rows = await snapshot.fetch(query, values)
    return {(entry.gaming_day, entry.id): entry for entry in await with_transfers(snapshot, rows)}


async def with_transfers(snapshot: DatabaseSnapshot, rows: Sequence[Row]) -> list[Entry]:
    """Entries with their transfers."""
    values = _values((row["day"], row["id"]) for row in rows)
    moved: dict[tuple[str, str], list[Transfer]] = {}
    for row in await snapshot.fetch(_TRANSFERS, values) if rows else ():
        transfer = Transfer(debit=row["debit"], credit=row["credit"], cents=row["cents"])
        moved.setdefault((row["day"], row["id"]), []).append(transfer)
    return [
        Entry(
            id=row["id"],
            gaming_day=row["day"],
            kind=row["kind"],
            at=write_time(row["at"]),
            table_id=row["table_id"],
            round=row["round"],
            version=row["version"],
            seq=row["seq"],
            adjusting=row["adjusting"],
            author=row["author"],
            reason=row["reason"],
            source=Source(
                topic=row["source_topic"],
                partition=row["source_partition"],
                offset=row["source_offset"],
            ),
            transfers=moved.get((row["day"], row["id"]), ()),
        )
        for row in rows
    ]


async def closed_positions(
    snapshot: DatabaseSnapshot, days: Iterable[str]
) -> dict[str, Mapping[str, int]]:
    """The read positions at the close of each closed day."""
    rows = await snapshot.fetch(_CLOSED, {"days": sorted(set(days))})
    return {row["day"]: row["positions"] for row in rows}


def _values(names: Iterable[tuple[str, str]]) -> dict[str, Any]:
    every = set(names)
    return {"days": sorted({day for day, _ in every}), "ids": sorted({name for _, name in every})}
