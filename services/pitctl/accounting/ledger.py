"""`pitctl ledger`: what was not posted, and the ledger made anew."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Final

from casino.accounting.v1.service_pb2 import (
    FindRefusalsRequest,
    RebuildRequest,
    Refusal,
)
from pitctl.accounting.client import ACCOUNTING, DONE
from pitctl.connection.channel import Place
from pitctl.output.json_out import as_fields
from pitctl.output.text import Page, counted, moment, plain
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub

PAGE: Final = 500


def show_refusals(place: Place, *, code: str, limit: int, as_json: bool) -> int:
    """The newest first: what was in the log or was entered, and did not become an entry."""

    async def find(accounting: AccountingServiceAsyncStub) -> list[Refusal]:
        request = FindRefusalsRequest(code=code, page_size=min(limit, PAGE))
        found: list[Refusal] = []
        while True:
            answer = await accounting.FindRefusals(request)
            found += answer.refusals
            request.page_token = answer.next_page_token
            if not request.page_token or len(found) >= limit:
                return found[:limit]

    refusals = ACCOUNTING.ask(place, find)
    if as_json:
        rows = [as_fields(each) for each in refusals]
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return DONE
    page = Page(sys.stdout)
    if not refusals:
        page.line(("nothing was refused", "green"))
    for each in refusals:
        source = each.source
        at = moment(read_time(each.at))
        page.line(f"{at}  ", (plain(each.code), "bold"), f"  {plain(each.author)}".rstrip())
        page.line(plain(each.reason), indent=2, hang=2)
        page.line(
            (f"{source.topic}, partition {source.partition}, offset {source.offset}", "dim"),
            indent=2,
        )
    return DONE


def rebuild(place: Place, *, as_json: bool) -> int:
    """Make the ledger anew, and show how far it is."""

    async def work(accounting: AccountingServiceAsyncStub) -> AsyncIterator[tuple[int, int]]:
        total: int | None = None
        async for answer in accounting.Rebuild(RebuildRequest()):
            total = answer.lag if total is None else total
            yield max(total - answer.lag, 0), total

    total = ACCOUNTING.follow(place, "rebuilding", work)
    if as_json:
        print(json.dumps({"messages": total}))
    else:
        print(f"the ledger was made anew from {counted(total, 'message')}")
    return DONE
