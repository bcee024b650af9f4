"""Queries of findings."""

from __future__ import annotations

from typing import Any, Final

from casino.settlement.v1.finding_pb2 import Finding, Level, Withdrawal
from casino.settlement.v1.service_pb2 import (
    FindFindingsRequest,
    FindFindingsResponse,
    FoundFinding,
)
from round_archive.grpc.masking import mask
from round_archive.postgres.round_filters import PAGES, time_of
from runtime.database.column_values import column_text
from runtime.database.query import Database, Row
from runtime.query_errors import member
from runtime.rpc.page_tokens import Paging

_KEYS: Final = {"at": int, "table_id": str, "id": str, "seq": int}
MASKED: Final = """(f.tells_hole_card AND NOT EXISTS (
        SELECT FROM rounds r WHERE r.table_id = f.table_id AND r.round = f.round
            AND f.seq >= r.since_seq AND (r.until_seq IS NULL OR f.seq < r.until_seq)
            AND f.seq <= r.last_seq
    ))"""
"""Whether a finding `f` would reveal the hole card of a round in progress."""
_FIND: Final = f"""
SELECT f.table_id, f.id, f.seq, f.at, f.finding, f.withdrawal, {MASKED} AS masked
FROM findings f
{{where}}
ORDER BY f.at DESC, f.table_id DESC, f.id DESC, f.seq DESC
LIMIT {{limit}}
"""


async def find_findings(
    database: Database, request: FindFindingsRequest, *, with_masked: bool
) -> FindFindingsResponse:
    """`with_masked`: whether masked findings are listed at all."""
    paging = Paging(request, PAGES.of(request.page_size), request.page_token, _KEYS, of="f")
    where, values = _conditions(request)
    if not with_masked:
        where.append(f"NOT {MASKED}")
    query = _FIND.format(where=paging.where(where, values), limit=paging.limit)
    rows, token = paging.cut(await database.fetch(query, values))
    return FindFindingsResponse(findings=map(read_found, rows), next_page_token=token)


def read_found(row: Row) -> FoundFinding:
    """A finding from its row; the query has `masked` where the round may be in progress."""
    finding = Finding.FromString(row["finding"])
    masked = row.get("masked", False)
    found = FoundFinding(finding=mask(finding) if masked else finding, masked=masked)
    if row["withdrawal"] is not None:
        found.withdrawal.CopyFrom(Withdrawal.FromString(row["withdrawal"]))
    return found


def _conditions(request: FindFindingsRequest) -> tuple[list[str], dict[str, Any]]:
    where: list[str] = []
    values: dict[str, Any] = {}
    for name in ("table_id", "round", "patron", "dealer"):
        if given := getattr(request, name):
            where.append(f"f.{name} = %({name})s")
            values[name] = column_text(given)
    if request.kind:
        where.append("f.kind ^@ %(kind)s")
        values["kind"] = column_text(request.kind)
    if request.level:
        where.append("f.level BETWEEN 1 AND %(level)s")
        values["level"] = member("level", request.level, Level.values())
    if request.HasField("from"):
        where.append("f.at >= %(from)s")
        values["from"] = time_of("from", getattr(request, "from"))
    if request.HasField("until"):
        where.append("f.at < %(until)s")
        values["until"] = time_of("until", request.until)
    if not request.with_withdrawn:
        where.append("f.withdrawal IS NULL")
    return where, values
