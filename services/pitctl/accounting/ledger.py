"""`pitctl ledger`: rejected postings, and the rebuild of the ledger."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from casino.accounting.v1.service_pb2 import (
    FindRefusalsRequest,
    RebuildRequest,
    Refusal,
)
from pitctl.accounting.client import ACCOUNTING
from pitctl.connection.channel import Endpoint
from pitctl.connection.pages import collect_pages
from pitctl.output.exit import OK
from pitctl.output.json_out import fields_of
from pitctl.output.text import Page, count_noun, escape, format_moment
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub


def list_rejections(place: Endpoint, *, code: str, limit: int, as_json: bool) -> int:
    """List messages and entries that were not posted, newest first."""

    async def find(accounting: AccountingServiceAsyncStub) -> list[Refusal]:
        found, _ = await collect_pages(
            accounting.FindRefusals,
            FindRefusalsRequest(code=code),
            lambda answer: answer.refusals,
            limit=limit,
        )
        return found

    rejections = ACCOUNTING.call(place, find)
    if as_json:
        rows = [fields_of(rejection) for rejection in rejections]
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return OK
    page = Page(sys.stdout)
    if not rejections:
        page.line(("No rejected postings.", "green"))
    for rejection in rejections:
        source = rejection.source
        at = format_moment(read_time(rejection.at))
        author = f"  {escape(rejection.author)}".rstrip()
        page.line(f"{at}  ", (escape(rejection.code), "bold"), author)
        page.line(escape(rejection.reason), indent=2, hang=2)
        page.line(
            (f"{source.topic}, partition {source.partition}, offset {source.offset}", "dim"),
            indent=2,
        )
    return OK


def rebuild(place: Endpoint, *, as_json: bool) -> int:
    """Rebuild the ledger, and show the progress."""

    async def work(accounting: AccountingServiceAsyncStub) -> AsyncIterator[tuple[int, int]]:
        total: int | None = None
        async for answer in accounting.Rebuild(RebuildRequest()):
            total = answer.lag if total is None else total
            yield max(total - answer.lag, 0), total

    total = ACCOUNTING.follow(place, "rebuilding", work)
    if as_json:
        print(json.dumps({"messages": total}))
    else:
        print(f"ledger rebuilt from {count_noun(total, 'message')}")
    return OK
