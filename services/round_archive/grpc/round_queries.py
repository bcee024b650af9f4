"""Queries of rounds."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from casino.settlement.v1.service_pb2 import (
    FindRoundsRequest,
    FindRoundsResponse,
    FoundFinding,
    GetRoundRequest,
    GetRoundResponse,
    RoundName,
    RoundSummary,
)
from casino.settlement.v1.settled_round_pb2 import SettledRound
from round_archive.grpc.errors import AmbiguousRound, RoundNotFound, VersionNotFound
from round_archive.grpc.finding_queries import read_found
from round_archive.postgres.index_writer import KINDS
from round_archive.postgres.round_filters import PAGES, conditions
from runtime.database.column_values import column_text
from runtime.database.query import Database, Row
from runtime.query_errors import InvalidQuery
from runtime.rpc.page_tokens import Paging
from wire.vocabulary import write_time

CANDIDATES_MAX: Final = 10
_KEYS: Final = {"opened_at": int, "table_id": str, "round": str, "opening_seq": int}

_NAMED: Final = """
SELECT table_id, round, opening_seq, version, opened_at, since_seq, until_seq, first_seq, last_seq
FROM rounds WHERE round = %(round)s {more}
ORDER BY opened_at DESC, table_id, opening_seq LIMIT {limit}
"""
_VERSIONS: Final = """
SELECT version, counts, value, digest, source_partition, source_offset FROM round_versions
WHERE table_id = %(table_id)s AND round = %(round)s AND opening_seq = %(opening_seq)s
ORDER BY version, counts DESC, digest
"""
_FINDINGS: Final = """
SELECT finding, withdrawal, tells_hole_card AND seq > %(last_seq)s AS masked FROM findings
WHERE table_id = %(table_id)s AND round = %(round)s AND seq >= %(since_seq)s
    AND (%(until_seq)s::bigint IS NULL OR seq < %(until_seq)s)
ORDER BY seq, id
"""
_FIND: Final = """
SELECT r.table_id, r.round, r.opening_seq, r.version, r.status, r.game, r.dealer, r.opened_at,
    r.closed_at, r.wager_count, r.stake_cents, r.owed_cents, r.paid_cents, r.difference_cents,
    r.kinds, r.level
FROM rounds r
{where}
ORDER BY r.opened_at DESC, r.table_id DESC, r.round DESC, r.opening_seq DESC
LIMIT {limit}
"""
_KINDS: Final = "SELECT of FROM counts WHERE what = %s AND of ^@ %s"


async def find_named_round(database: Database, name: RoundName) -> Row:
    """The one round of this name; or `RoundNotFound`, or `AmbiguousRound`."""
    if not name.round:
        raise InvalidQuery("name.round", "must not be empty")
    more = ""
    values: dict[str, str | int] = {"round": column_text(name.round)}
    if name.table_id:
        more += " AND table_id = %(table_id)s"
        values["table_id"] = column_text(name.table_id)
    if name.first_seq:
        more += " AND opening_seq = %(opening_seq)s"
        values["opening_seq"] = name.first_seq
    rows = await database.fetch(_NAMED.format(more=more, limit=CANDIDATES_MAX + 1), values)
    if not rows:
        raise RoundNotFound(name.table_id, name.round)
    if len(rows) > 1:
        listed = [_candidate(row) for row in rows[:CANDIDATES_MAX]]
        if len(rows) > len(listed):
            listed.append("and more")
        raise AmbiguousRound(name.round, listed)
    return rows[0]


async def versions_of(database: Database, found: Row, version: int) -> tuple[Row, list[Row]]:
    """The requested version, 0 for the one in force; and the rows of all versions."""
    rows = await database.fetch(_VERSIONS, found)
    wanted = version or found["version"]
    for row in rows:
        if row["version"] == wanted and row["counts"]:
            return row, rows
    raise VersionNotFound(found["round"], wanted, found["version"])


async def findings_of(database: Database, found: Row) -> list[FoundFinding]:
    """All findings of a round. It is over, so only those are masked that may belong to another
    round in progress with the same id."""
    return [read_found(row) for row in await database.fetch(_FINDINGS, found)]


async def get_round(
    database: Database, request: GetRoundRequest, *, with_masked: bool
) -> GetRoundResponse:
    found = await find_named_round(database, request.name)
    row, rows = await versions_of(database, found, request.version)
    others = [
        SettledRound.FromString(other["value"])
        for other in rows
        if other["version"] == row["version"] and not other["counts"]
    ]
    return GetRoundResponse(
        round=SettledRound.FromString(row["value"]),
        findings=[
            finding
            for finding in await findings_of(database, found)
            if with_masked or not finding.masked
        ],
        versions=max(version["version"] for version in rows),
        conflicting=others,
    )


async def find_rounds(database: Database, request: FindRoundsRequest) -> FindRoundsResponse:
    paging = Paging(request, PAGES.of(request.page_size), request.page_token, _KEYS, of="r")
    kinds: list[str] = []
    if request.finding_kind:
        known = await database.fetch(_KINDS, [KINDS, column_text(request.finding_kind)])
        kinds = [row["of"] for row in known]
    where, values = conditions(request, kinds)
    query = _FIND.format(where=paging.where(where, values), limit=paging.limit)
    rows, token = paging.cut(await database.fetch(query, values))
    return FindRoundsResponse(rounds=map(_summary, rows), next_page_token=token)


def _summary(row: Row) -> RoundSummary:
    return RoundSummary(
        table_id=row["table_id"],
        round=row["round"],
        version=row["version"],
        status=row["status"],
        game=row["game"],
        dealer=row["dealer"],
        opened_at=write_time(row["opened_at"]),
        closed_at=write_time(row["closed_at"]),
        wagers=row["wager_count"],
        stake_cents=row["stake_cents"],
        owed_cents=row["owed_cents"],
        paid_cents=row["paid_cents"],
        difference_cents=row["difference_cents"],
        finding_kinds=row["kinds"],
        level=row["level"],
        first_seq=row["opening_seq"],
    )


def _candidate(row: Row) -> str:
    at = datetime.fromtimestamp(row["opened_at"] // 1_000_000, UTC)
    return f"table {row['table_id']}, first_seq {row['opening_seq']}, {at:%Y-%m-%d %H:%M:%S} UTC"
