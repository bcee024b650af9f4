"""Recording of one entry of the cage, the count room, an accountant or the promotions desk.

An entry has an id of its own: typed again with the same id it is recorded once. Where no answer
comes, the error names the id with which the command can be repeated.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

import grpc

from blackjack.money import format_cents
from casino.accounting.v1.cage_event_pb2 import CageEvent
from casino.accounting.v1.ledger_pb2 import Entry
from casino.accounting.v1.promotion_event_pb2 import PromotionEvent
from casino.accounting.v1.service_pb2 import (
    ImportCountsRequest,
    ImportCountsResponse,
    RecordPromotionRequest,
    RecordPromotionResponse,
    RecordRequest,
    RecordResponse,
)
from pitctl.accounting.client import ACCOUNTING
from pitctl.accounting.report import day_of
from pitctl.arguments import read_stamp
from pitctl.connection.channel import UNAVAILABLE_CODES, Endpoint
from pitctl.errors import ServiceUnavailable
from pitctl.output.exit import NEGATIVE, OK, command_name
from pitctl.output.json_out import fields_of, write_json
from pitctl.output.text import Page, count_noun, escape

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub

T = TypeVar("T")


class PostingUnknown(ServiceUnavailable):
    """The entry was sent, and its posting was not confirmed: it may be in the log."""

    def __init__(self, reason: str, event_id: str) -> None:
        super().__init__(
            f"the posting is not confirmed ({reason}): repeat the command with --id {event_id}; "
            "it is recorded once"
        )
        self.event_id = event_id


def record(
    place: Endpoint, event: CageEvent, *, day: str, at: str, event_id: str, as_json: bool
) -> int:
    """Record an entry of the cage, and print its transfers."""
    _identify(event, event_id, at)

    async def enter(books: AccountingServiceAsyncStub) -> RecordResponse:
        event.gaming_day = await day_of(books, day) if day else ""
        return await _sent(books.Record(RecordRequest(event=event)), event.event_id)

    answer = ACCOUNTING.call(place, enter)
    if as_json:
        write_json(sys.stdout.buffer, fields_of(answer))
    else:
        entry = answer.entry if answer.HasField("entry") else None
        print_entered(Page(sys.stdout), answer.event, entry, answer.remarks)
    return OK


def record_promotion(
    place: Endpoint, event: PromotionEvent, *, day: str, at: str, event_id: str, as_json: bool
) -> int:
    """Record an entry of the promotions desk."""
    _identify(event, event_id, at)

    async def enter(books: AccountingServiceAsyncStub) -> RecordPromotionResponse:
        event.gaming_day = await day_of(books, day) if day else ""
        call = books.RecordPromotion(RecordPromotionRequest(event=event))
        return await _sent(call, event.event_id)

    answer = ACCOUNTING.call(place, enter)
    if as_json:
        write_json(sys.stdout.buffer, fields_of(answer))
    else:
        entry = answer.entry if answer.HasField("entry") else None
        print_entered(Page(sys.stdout), answer.event, entry)
    return OK


def _identify(event: CageEvent | PromotionEvent, event_id: str, at: str) -> None:
    """Without a time the service sets it, so that a repeated command is the same event."""
    event.event_id = event_id or uuid4().hex
    if at:
        event.at.CopyFrom(read_stamp(at))


async def _sent(call: Awaitable[T], event_id: str) -> T:
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        if error.code() in UNAVAILABLE_CODES:
            raise PostingUnknown(error.details() or "no answer", event_id) from None
        raise


def print_entered(
    page: Page, event: CageEvent | PromotionEvent, entry: Entry | None, remarks: Any = ()
) -> None:
    """The entry, its transfers, and the remarks of the service."""
    kind = (event.WhichOneof("fact") or "").replace("_", " ")
    table = event.table_id if isinstance(event, CageEvent) else ""
    at = f" at {escape(table)}" if table else ""
    page.line(("✓ " if page.has_signs else "", "green"), f"{kind}{at}, {event.gaming_day}")
    page.line((f"id {escape(event.event_id)}, entered by {escape(event.author)}", "dim"), indent=2)
    if entry is not None:
        for transfer in entry.transfers:
            moved = escape(f"{transfer.debit}  from  {transfer.credit}")
            page.line(
                f"{format_cents(transfer.cents, currency=False):>12}  {moved}", indent=2, hang=14
            )
    for remark in remarks:
        page.line((escape(remark), "yellow"), indent=2, hang=2)


# A count room's file ---------------------------------------------------------------------


def import_counts(place: Endpoint, csv: str, *, day: str, dry_run: bool, as_json: bool) -> int:
    async def send(books: AccountingServiceAsyncStub) -> ImportCountsResponse:
        gaming_day = await day_of(books, day) if day else ""
        request = ImportCountsRequest(csv=csv, gaming_day=gaming_day, dry_run=dry_run)
        return await books.ImportCounts(request)

    answer = ACCOUNTING.call(place, send)
    if as_json:
        write_json(sys.stdout.buffer, fields_of(answer))
    else:
        print_imported(Page(sys.stdout), answer, dry_run=dry_run)
    return NEGATIVE if any(count.refused for count in answer.counts) else OK


def print_imported(page: Page, answer: ImportCountsResponse, *, dry_run: bool) -> None:
    rows = [
        (
            str(count.line),
            count.table_id,
            count.box,
            format_cents(count.cents, currency=False),
            count.refused,
        )
        for count in answer.counts
    ]
    styles = ["red" if count.refused else "" for count in answer.counts]
    headings = ("line", "table", "box", "count_noun", "rejected")
    page.table(headings, rows, indent=0, align="rllrl", styles=styles)
    rejected = sum(bool(count.refused) for count in answer.counts)
    good = count_noun(len(answer.counts) - rejected, "box", "boxes")
    page.blank()
    done = "would be entered" if dry_run else "entered"
    page.line(f"{good} {done}, {rejected:,} rejected")
    if rejected:
        page.line(("fix the rejected lines, and import a file with those boxes", "dim"))
    elif dry_run:
        page.line((f"{command_name()} count --import FILE without --dry-run enters them", "dim"))
