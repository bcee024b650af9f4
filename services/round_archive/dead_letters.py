"""Questions about what was set aside."""

from __future__ import annotations

from typing import Any, Final

from casino.settlement.v1.service_pb2 import (
    DeadLetter,
    FindDeadLettersRequest,
    FindDeadLettersResponse,
)
from round_archive.criteria import PAGES
from round_archive.entries import plain
from runtime.database.asking import Database
from runtime.rpc.paging import Paging
from wire.vocabulary import write_time

_KEYS: Final = {"at": int, "partition": int, "offset": int}
PAGE_BYTES_MAX: Final = 2 * 1024 * 1024
"""A dead letter can have 64 KiB and an answer 4 MiB: a page ends early rather than fails."""
_FIND: Final = """
SELECT partition, "offset", at, table_id, code, reason, peer, source, value,
    sum(octet_length(value)) OVER (ORDER BY at DESC, partition DESC, "offset" DESC) AS bytes
FROM (
    SELECT * FROM dead_letters {where}
    ORDER BY at DESC, partition DESC, "offset" DESC LIMIT {limit}
) page
ORDER BY at DESC, partition DESC, "offset" DESC
"""


async def find_dead_letters(
    database: Database, request: FindDeadLettersRequest, *, with_bytes: bool
) -> FindDeadLettersResponse:
    """Without their bytes for whom a hole card is hidden: a refused event may hold one."""
    paging = Paging(request, PAGES.of(request.page_size), request.page_token, _KEYS)
    where: list[str] = []
    values: dict[str, Any] = {}
    if request.table_id:
        where.append("table_id = %(table_id)s")
        values["table_id"] = plain(request.table_id)
    if request.reason:
        where.append("reason ^@ %(reason)s")
        values["reason"] = plain(request.reason)
    query = _FIND.format(where=paging.where(where, values), limit=paging.limit)
    rows = await database.ask(query, values)
    shown, token = paging.cut(rows, lambda row: row["bytes"] <= PAGE_BYTES_MAX)
    return FindDeadLettersResponse(
        dead_letters=[
            DeadLetter(
                offset=row["offset"],
                at=write_time(row["at"]),
                table_id=row["table_id"],
                code=row["code"],
                reason=row["reason"],
                peer=row["peer"],
                source=row["source"],
                value=row["value"] if with_bytes else b"",
            )
            for row in shown
        ],
        next_page_token=token,
    )
