"""Rejections: messages that were not posted, and commands that did not reach the log."""

from __future__ import annotations

from typing import Any, Final

from casino.accounting.v1.ledger_pb2 import Source
from casino.accounting.v1.service_pb2 import FindRefusalsRequest, FindRefusalsResponse, Refusal
from runtime.database.query import Database
from runtime.rpc.page_tokens import PAGES, Paging
from wire.vocabulary import write_time

_KEYS: Final = {"at": int, "topic": str, "partition": int, "offset": int}
_FIND: Final = """
SELECT topic, partition, "offset", at, code, reason, author FROM refusals {where}
ORDER BY at DESC, topic DESC, partition DESC, "offset" DESC LIMIT {limit}
"""


async def find_rejections(database: Database, request: FindRefusalsRequest) -> FindRefusalsResponse:
    paging = Paging(request, PAGES.of(request.page_size), request.page_token, _KEYS)
    where: list[str] = []
    values: dict[str, Any] = {}
    if request.code:
        where.append("code = %(code)s")
        values["code"] = request.code
    query = _FIND.format(where=paging.where(where, values), limit=paging.limit)
    shown, token = paging.cut(await database.fetch(query, values))
    return FindRefusalsResponse(
        refusals=[
            Refusal(
                code=row["code"],
                reason=row["reason"],
                source=Source(topic=row["topic"], partition=row["partition"], offset=row["offset"]),
                at=write_time(row["at"]),
                author=row["author"],
            )
            for row in shown
        ],
        next_page_token=token,
    )
