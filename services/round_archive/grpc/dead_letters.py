"""Queries of dead letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from casino.settlement.v1.service_pb2 import (
    DeadLetter,
    FindDeadLettersRequest,
    FindDeadLettersResponse,
    RetryWay,
)
from round_archive.kafka.decoder import BIGINT_MAX
from round_archive.postgres.round_filters import PAGES
from runtime.database.column_values import column_text
from runtime.database.query import Database
from runtime.rpc.page_tokens import Paging
from wire.dead_letters import RetryService, way_of
from wire.events import EVENT_BYTES_MAX
from wire.vocabulary import write_time

OVERSIZED: Final = "oversized"
"""The gateway's code for events that are kept in part only."""
_KEYS: Final = {"at": int, "partition": int, "offset": int}
PAGE_BYTES_MAX: Final = 2 * 1024 * 1024
"""A dead letter can have 64 KiB and a response 4 MiB: a page ends early rather than fails."""
_FIND: Final = """
SELECT partition, page."offset", page.at, table_id, code, reason, peer, source, value,
    retried.at AS retried_at, retried.author AS retried_by,
    sum(octet_length(value))
        OVER (ORDER BY page.at DESC, partition DESC, page."offset" DESC) AS bytes
FROM (
    SELECT * FROM dead_letters {where}
    ORDER BY at DESC, partition DESC, "offset" DESC LIMIT {limit}
) page
LEFT JOIN retried_letters retried ON retried."offset" = page."offset"
ORDER BY page.at DESC, partition DESC, page."offset" DESC
"""
_WAYS: Final = {
    RetryService.NONE: RetryWay.RETRY_WAY_UNSPECIFIED,
    RetryService.GATEWAY: RetryWay.RETRY_WAY_TABLE_GATEWAY,
    RetryService.ACCOUNTING: RetryWay.RETRY_WAY_ACCOUNTING,
}


@dataclass(frozen=True, slots=True)
class DeadLetterAccess:
    """Whose bytes the caller sees: a rejected event may hold a hole card, an entry cannot."""

    events: bool
    entries: bool

    def may_read(self, way: RetryService) -> bool:
        return self.events or (self.entries and way is RetryService.ACCOUNTING)


async def find_dead_letters(
    database: Database,
    request: FindDeadLettersRequest,
    access: DeadLetterAccess,
    *,
    prefix: str = "",
) -> FindDeadLettersResponse:
    paging = Paging(request, PAGES.of(request.page_size), request.page_token, _KEYS)
    where: list[str] = []
    values: dict[str, Any] = {}
    if request.table_id:
        where.append("table_id = %(table_id)s")
        values["table_id"] = column_text(request.table_id)
    if request.reason:
        where.append("reason ^@ %(reason)s")
        values["reason"] = column_text(request.reason)
    if request.HasField("offset"):
        where.append('"offset" = %(only)s')
        values["only"] = min(request.offset, BIGINT_MAX)
    query = _FIND.format(where=paging.where(where, values), limit=paging.limit)
    rows = await database.fetch(query, values)
    page, token = paging.cut(rows, lambda row: row["bytes"] <= PAGE_BYTES_MAX)
    return FindDeadLettersResponse(
        dead_letters=[_dead_letter(row, access, prefix) for row in page], next_page_token=token
    )


def _dead_letter(row: dict[str, Any], access: DeadLetterAccess, prefix: str) -> DeadLetter:
    topic, _, place = row["source"].partition("/")
    way, no_retry = way_of(
        code=row["code"],
        topic=topic.removeprefix(prefix),
        has_place=bool(place.strip("/")),
        is_whole=row["code"] != OVERSIZED and len(row["value"]) != EVENT_BYTES_MAX,
    )
    retried = row["retried_at"] is not None
    return DeadLetter(
        offset=row["offset"],
        at=write_time(row["at"]),
        table_id=row["table_id"],
        code=row["code"],
        reason=row["reason"],
        peer=row["peer"],
        source=row["source"],
        value=row["value"] if access.may_read(way) else b"",
        retry=_WAYS[way],
        no_retry=no_retry,
        retried_at=write_time(row["retried_at"]) if retried else None,
        retried_by=row["retried_by"] if retried else "",
    )
