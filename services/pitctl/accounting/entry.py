"""One fact of the cage, the count room, an accountant or the promotions desk, entered.

A fact has an id of its own: typed again with the same id it counts once. So whoever does not know
whether it was entered, because no answer came, types it again with the id that is told.
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
from pitctl.accounting.arguments import read_stamp
from pitctl.accounting.client import ACCOUNTING, DONE, NOT_DONE
from pitctl.accounting.report import day_of
from pitctl.connection.channel import AWAY, NoAnswer, Place
from pitctl.output.exit import called
from pitctl.output.json_out import as_fields, write_json
from pitctl.output.text import Page, counted, plain

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub

T = TypeVar("T")


class NotKnown(NoAnswer):
    """The fact was sent, and no answer says that it is posted: it may be in the log."""

    def __init__(self, said: str, event_id: str) -> None:
        super().__init__(
            f"it is not known to be posted ({said}): type it again with --id {event_id}, and it "
            "counts once"
        )
        self.event_id = event_id


def record(
    place: Place, event: CageEvent, *, day: str, at: str, event_id: str, as_json: bool
) -> int:
    """Enter a fact of the cage; what it posted is shown."""
    _identify(event, event_id, at)

    async def enter(books: AccountingServiceAsyncStub) -> RecordResponse:
        event.gaming_day = await day_of(books, day) if day else ""
        return await _sent(books.Record(RecordRequest(event=event)), event.event_id)

    answer = ACCOUNTING.ask(place, enter)
    if as_json:
        write_json(sys.stdout.buffer, as_fields(answer))
    else:
        entry = answer.entry if answer.HasField("entry") else None
        print_entered(Page(sys.stdout), answer.event, entry, answer.remarks)
    return DONE


def record_promotion(
    place: Place, event: PromotionEvent, *, day: str, at: str, event_id: str, as_json: bool
) -> int:
    """Enter a fact of the promotions desk."""
    _identify(event, event_id, at)

    async def enter(books: AccountingServiceAsyncStub) -> RecordPromotionResponse:
        event.gaming_day = await day_of(books, day) if day else ""
        call = books.RecordPromotion(RecordPromotionRequest(event=event))
        return await _sent(call, event.event_id)

    answer = ACCOUNTING.ask(place, enter)
    if as_json:
        write_json(sys.stdout.buffer, as_fields(answer))
    else:
        entry = answer.entry if answer.HasField("entry") else None
        print_entered(Page(sys.stdout), answer.event, entry)
    return DONE


def _identify(event: CageEvent | PromotionEvent, event_id: str, at: str) -> None:
    """The service sets the time where none is said: so the same command again is the same event."""
    event.event_id = event_id or uuid4().hex
    if at:
        event.at.CopyFrom(read_stamp(at))


async def _sent(call: Awaitable[T], event_id: str) -> T:
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        if error.code() in AWAY:
            raise NotKnown(error.details() or "no answer came", event_id) from None
        raise


def print_entered(
    page: Page, event: CageEvent | PromotionEvent, entry: Entry | None, remarks: Any = ()
) -> None:
    """What was entered, what it moved, and what a person should look at."""
    kind = (event.WhichOneof("fact") or "").replace("_", " ")
    table = event.table_id if isinstance(event, CageEvent) else ""
    at = f" at {plain(table)}" if table else ""
    page.line(("✓ " if page.has_signs else "", "green"), f"{kind}{at}, {event.gaming_day}")
    page.line((f"id {plain(event.event_id)}, entered by {plain(event.author)}", "dim"), indent=2)
    if entry is not None:
        for each in entry.transfers:
            moved = plain(f"{each.debit}  from  {each.credit}")
            page.line(f"{format_cents(each.cents, currency=False):>12}  {moved}", indent=2, hang=14)
    for remark in remarks:
        page.line((plain(remark), "yellow"), indent=2, hang=2)


# A count room's file ---------------------------------------------------------------------


def import_counts(place: Place, csv: str, *, day: str, dry_run: bool, as_json: bool) -> int:
    async def send(books: AccountingServiceAsyncStub) -> ImportCountsResponse:
        gaming_day = await day_of(books, day) if day else ""
        request = ImportCountsRequest(csv=csv, gaming_day=gaming_day, dry_run=dry_run)
        return await books.ImportCounts(request)

    answer = ACCOUNTING.ask(place, send)
    if as_json:
        write_json(sys.stdout.buffer, as_fields(answer))
    else:
        print_imported(Page(sys.stdout), answer, dry_run=dry_run)
    return NOT_DONE if any(each.refused for each in answer.counts) else DONE


def print_imported(page: Page, answer: ImportCountsResponse, *, dry_run: bool) -> None:
    rows = [
        (
            str(each.line),
            each.table_id,
            each.box,
            format_cents(each.cents, currency=False),
            each.refused,
        )
        for each in answer.counts
    ]
    styles = ["red" if each.refused else "" for each in answer.counts]
    headings = ("line", "table", "box", "counted", "refused")
    page.table(headings, rows, indent=0, align="rllrl", styles=styles)
    refused = sum(bool(each.refused) for each in answer.counts)
    good = counted(len(answer.counts) - refused, "box", "boxes")
    page.blank()
    done = "would be entered" if dry_run else "entered"
    page.line(f"{good} {done}, {refused:,} refused")
    if refused:
        page.line(("mend what is refused, and import a file with those boxes", "dim"))
    elif dry_run:
        page.line((f"{called()} count --import FILE without --dry-run enters them", "dim"))
