"""A batch of messages into the database: its rows and the positions after it in one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from psycopg import Connection
from psycopg.types.json import Jsonb

from casino.settlement.v1.finding_pb2 import Finding, Withdrawal
from round_archive.kafka.decoder import FindingEntry, RoundEntry, finding_columns, round_columns
from runtime import logs
from runtime.database.column_values import column_text
from runtime.database.positions import advance_sync
from runtime.positions import OffsetRange
from wire.generations import Generation, GenerationVerdict, place

CONSUMER: Final = "index"
KINDS: Final = "findings"
"""The name of the counts of findings: how often each kind was published."""
REPLACED_WITHIN: Final = 4_096
"""A finding is published again, with another event as its proof, only while the engine still has
the first one in memory: it keeps no more events. A later one with the same id is another one."""

Key = tuple[str, str]
_log = logs.logger(__name__)

_GENERATIONS: Final = """
SELECT v.table_id, v.round, v.opening_seq, v.version, v.digest
FROM round_versions v
JOIN unnest(%s::text[], %s::text[]) AS wanted (table_id, round) USING (table_id, round)
ORDER BY v.counts DESC
"""
_VERSION: Final = """
INSERT INTO round_versions (table_id, round, opening_seq, version, digest, counts, value,
    source_partition, source_offset)
VALUES (%(table_id)s, %(round)s, %(opening_seq)s, %(version)s, %(digest)s, %(counts)s, %(value)s,
    %(source_partition)s, %(source_offset)s)
"""
_IN_FORCE: Final = (
    "version", "status", "game", "dealer", "opened_at", "closed_at", "first_seq", "last_seq",
    "wager_count", "stake_cents", "owed_cents", "paid_cents", "difference_cents",
    "greatest_stake_cents", "marks", "names", "hands", "wagers",
)  # fmt: skip
_ROUND: Final = f"""
INSERT INTO rounds (table_id, round, opening_seq, {", ".join(_IN_FORCE)},
    since_seq, source_partition, source_offset)
VALUES (%(table_id)s, %(round)s, %(opening_seq)s, {", ".join(f"%({name})s" for name in _IN_FORCE)},
    0, %(source_partition)s, %(source_offset)s)
ON CONFLICT (table_id, round, opening_seq) DO UPDATE
SET {", ".join(f"{name} = excluded.{name}" for name in _IN_FORCE)}
"""
_NEIGHBORS: Final = """
UPDATE rounds r SET since_seq = n.since_seq, until_seq = n.until_seq
FROM (
    SELECT table_id, round, opening_seq,
        CASE WHEN lag(opening_seq) OVER w IS NULL THEN 0 ELSE opening_seq END AS since_seq,
        lead(opening_seq) OVER w AS until_seq
    FROM rounds WHERE table_id = %s AND round = %s
    WINDOW w AS (ORDER BY opening_seq)
) n
WHERE (r.table_id, r.round, r.opening_seq) = (n.table_id, n.round, n.opening_seq)
"""
_REPLACE_FINDING: Final = """
UPDATE findings SET withdrawal = %(withdrawal)s
WHERE table_id = %(table_id)s AND id = %(id)s AND withdrawal IS NULL
    AND seq <> %(seq)s AND abs(seq - %(seq)s) <= %(within)s
"""
_FINDING: Final = """
INSERT INTO findings AS known (table_id, id, seq, kind, level, at, round, patron, dealer,
    tells_hole_card, finding, source_offset)
VALUES (%(table_id)s, %(id)s, %(seq)s, %(kind)s, %(level)s, %(at)s, %(round)s, %(patron)s,
    %(dealer)s, %(tells_hole_card)s, %(finding)s, %(source_offset)s)
ON CONFLICT (table_id, id, seq) DO UPDATE
SET kind = excluded.kind, level = excluded.level, at = excluded.at, round = excluded.round,
    patron = excluded.patron, dealer = excluded.dealer, finding = excluded.finding,
    tells_hole_card = excluded.tells_hole_card, withdrawal = NULL,
    source_offset = coalesce(excluded.source_offset, known.source_offset)
-- A repeat of a finding from before its withdrawal does not bring it back.
WHERE excluded.source_offset IS NULL OR known.source_offset IS NULL
    OR excluded.source_offset >= known.source_offset
"""
_WITHDRAWAL: Final = """
UPDATE findings SET withdrawal = %(withdrawal)s,
    source_offset = coalesce(%(source_offset)s, source_offset)
WHERE (table_id, id, seq) = (
    SELECT table_id, id, seq FROM findings
    WHERE table_id = %(table_id)s AND id = %(id)s AND withdrawal IS NULL
    ORDER BY seq DESC LIMIT 1
)
"""
_KINDS: Final = """
UPDATE rounds r SET kinds = n.kinds, level = n.level
FROM (
    SELECT r.table_id, r.round, r.opening_seq, coalesce(min(f.level), 0) AS level,
        coalesce(array_agg(DISTINCT f.kind) FILTER (WHERE f.kind IS NOT NULL), '{}') AS kinds
    FROM unnest(%s::text[], %s::text[]) AS touched (table_id, round)
    JOIN rounds r USING (table_id, round)
    LEFT JOIN findings f ON f.table_id = r.table_id AND f.round = r.round
        AND f.seq >= r.since_seq AND (r.until_seq IS NULL OR f.seq < r.until_seq)
        AND f.withdrawal IS NULL
    GROUP BY r.table_id, r.round, r.opening_seq
) n
WHERE (r.table_id, r.round, r.opening_seq) = (n.table_id, n.round, n.opening_seq)
    AND (r.kinds <> n.kinds OR r.level <> n.level)
"""
_DEAD_LETTER: Final = """
INSERT INTO dead_letters (partition, "offset", at, table_id, code, reason, peer, source, value)
VALUES (%(partition)s, %(offset)s, %(at)s, %(table_id)s, %(code)s, %(reason)s, %(peer)s,
    %(source)s, %(value)s)
ON CONFLICT DO NOTHING
"""
_RETRIED: Final = """
INSERT INTO retried_letters ("offset", at, author) VALUES (%(offset)s, %(at)s, %(author)s)
ON CONFLICT DO NOTHING
"""
_DEFINITION: Final = """
INSERT INTO definitions (table_id, kind, name, source_partition, source_offset, event)
VALUES (%(table_id)s, %(kind)s, %(name)s, %(source_partition)s, %(source_offset)s, %(event)s)
ON CONFLICT DO NOTHING
"""
_COUNT: Final = """
INSERT INTO counts AS known (what, of, count) VALUES (%s, %s, %s)
ON CONFLICT (what, of) DO UPDATE SET count = known.count + excluded.count
"""


@dataclass(slots=True)
class IndexBatch:
    """The rows of a batch, in the order of each table's messages."""

    rounds: list[RoundEntry] = field(default_factory=list)
    findings: list[FindingEntry] = field(default_factory=list)
    dead_letters: list[Mapping[str, Any]] = field(default_factory=list)
    retried: list[Mapping[str, Any]] = field(default_factory=list)
    definitions: list[Mapping[str, Any]] = field(default_factory=list)


def write(connection: Connection[Any], entries: IndexBatch, readings: Sequence[OffsetRange]) -> int:
    """Write a batch in one transaction; return how many versions have other bytes than before.

    `PositionConflict`: another process has read on, or the index was emptied; nothing is written.
    """
    with connection.transaction(), connection.cursor() as cursor:
        counted: Counter[Key] = Counter()
        conflicts = _write_rounds(connection, entries.rounds, counted)
        with connection.pipeline():
            for entry in entries.findings:
                _write_finding(connection, entry, counted)
        _write_kinds(connection, entries)
        if entries.dead_letters:
            cursor.executemany(_DEAD_LETTER, entries.dead_letters)
            counted["dead letters", ""] += len(entries.dead_letters)
        if entries.retried:
            cursor.executemany(_RETRIED, entries.retried)
        if entries.definitions:
            cursor.executemany(_DEFINITION, entries.definitions)
        if counted:
            # In one order everywhere: two writers must not wait for each other.
            rows = [(what, table, count) for (what, table), count in sorted(counted.items())]
            cursor.executemany(_COUNT, rows)
        for reading in readings:
            advance_sync(connection, CONSUMER, reading)
    return conflicts


def _write_rounds(
    connection: Connection[Any], entries: Sequence[RoundEntry], counted: Counter[Key]
) -> int:
    if not entries:
        return 0
    known = _generations(connection, {entry.name for entry in entries})
    versions: list[dict[str, Any]] = []
    in_force: dict[tuple[Key, int], dict[str, Any]] = {}
    again: set[Key] = set()
    conflicts = 0
    for entry in entries:
        settled = entry.round
        generations = known.setdefault(entry.name, [])
        home, verdict = place(
            generations, version=settled.version, first_seq=settled.first_seq, digest=entry.digest
        )
        if verdict is GenerationVerdict.REPEAT:
            continue
        if verdict is GenerationVerdict.CONFLICT:
            conflicts += 1
            _log.error(
                "other bytes under the same version",
                table=settled.table_id,
                round=settled.round,
                version=settled.version,
                digest=entry.digest.hex(),
            )
        row = _version_row(entry, home, counts=verdict is GenerationVerdict.NEW)
        versions.append(row)
        if len(home.versions) == 1 and verdict is GenerationVerdict.NEW:
            counted["rounds", entry.name[0]] += 1
            if len(generations) > 1:
                again.add(entry.name)
        if verdict is GenerationVerdict.NEW and settled.version == home.in_force:
            earlier = in_force.get((entry.name, home.opening_seq), row)
            source = {name: earlier[name] for name in ("source_partition", "source_offset")}
            in_force[entry.name, home.opening_seq] = {**row, **_columns(entry), **source}
    with connection.cursor() as cursor:
        cursor.executemany(_VERSION, versions)
        cursor.executemany(_ROUND, list(in_force.values()))
        cursor.executemany(_NEIGHBORS, sorted(again))
    return conflicts


def _generations(connection: Connection[Any], names: Iterable[Key]) -> dict[Key, list[Generation]]:
    tables, rounds = map(list, zip(*sorted(names), strict=True))
    known: dict[Key, dict[int, Generation]] = {}
    for table, name, opening_seq, version, digest in connection.execute(
        _GENERATIONS, [tables, rounds]
    ):
        of = known.setdefault((table, name), {})
        home = of.setdefault(opening_seq, Generation(opening_seq))
        home.versions.setdefault(version, []).append(bytes(digest))
    return {key: list(of.values()) for key, of in known.items()}


def _version_row(entry: RoundEntry, home: Generation, *, counts: bool) -> dict[str, Any]:
    table, name = entry.name
    return {
        "table_id": table,
        "round": name,
        "opening_seq": home.opening_seq,
        "version": entry.round.version,
        "digest": entry.digest,
        "counts": counts,
        "value": entry.value,
        "source_partition": entry.source_partition,
        "source_offset": entry.source_offset,
    }


def _columns(entry: RoundEntry) -> dict[str, Any]:
    columns = round_columns(entry)
    return columns | {"hands": Jsonb(columns["hands"]), "wagers": Jsonb(columns["wagers"])}


def _write_kinds(connection: Connection[Any], entries: IndexBatch) -> None:
    """Copy the kinds of findings to their rounds: either may come first."""
    touched = {entry.name for entry in entries.rounds}
    touched |= {
        (column_text(entry.record.table_id), column_text(entry.record.round))
        for entry in entries.findings
        if entry.record.round
    }
    if touched:
        connection.execute(_KINDS, [list(column) for column in zip(*sorted(touched), strict=True)])


def _write_finding(connection: Connection[Any], entry: FindingEntry, counted: Counter[Key]) -> None:
    record = entry.record
    if isinstance(record, Withdrawal):
        values = {
            "table_id": column_text(record.table_id),
            "id": column_text(record.id),
            "withdrawal": record.SerializeToString(deterministic=True),
            "source_offset": entry.source_offset,
        }
        connection.execute(_WITHDRAWAL, values)
        return
    columns = finding_columns(record) | {"source_offset": entry.source_offset}
    replaced = {
        **columns,
        "withdrawal": _replacement(record).SerializeToString(deterministic=True),
        "within": REPLACED_WITHIN,
    }
    counted[KINDS, columns["kind"]] += 1
    connection.execute(_REPLACE_FINDING, replaced)
    connection.execute(_FINDING, columns)


def _replacement(finding: Finding) -> Withdrawal:
    return Withdrawal(
        id=finding.id,
        table_id=finding.table_id,
        seq=finding.seq,
        reason=f"replaced: event {finding.seq} proves it",
        round=finding.round,
    )
