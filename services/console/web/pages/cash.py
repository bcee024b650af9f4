"""Entries of the cage and the count room: fills, credits, counts and blind recounts.

A recount page shows nothing of the first count; accounting compares the two and returns the
differences as remarks.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final
from uuid import UUID, uuid4

import grpc
from starlette.requests import Request
from starlette.responses import Response

from blackjack.money import format_cents
from casino.accounting.v1.cage_event_pb2 import CageEvent, DropRecounted
from casino.accounting.v1.ledger_pb2 import Entry
from casino.accounting.v1.service_pb2 import (
    FindEntriesRequest,
    RecordRequest,
    RecordResponse,
)  # fmt: skip
from casino.table.v1.facts_money_pb2 import CreditAccepted, DropCount, DropCounted, FillIssued
from casino.table.v1.facts_table_pb2 import ChipCount
from console.users.roles import ENTER_CASH, SEE_BOOKS
from console.web.audit import audited
from console.web.errors import InvalidInput
from console.web.form_fields import read_cents, read_day
from console.web.guard import form_of, read_route, services_of, text_of, user_of, write_route
from console.web.page import render_page

NOTES: Final = (10_000, 5_000, 2_000, 1_000, 500, 200, 100)
CHIPS: Final = (100_000, 50_000, 10_000, 2_500, 500, 100, 50)
DROP: Final = {
    "currency": NOTES,
    "debit": (10_000, 5_000, 2_000),
    "coupons": (5_000, 2_500, 1_000, 500),
    "chips": CHIPS,
}
AMOUNTS: Final = {"tickets": "Tickets", "checks": "Checks"}
"""Kinds without denominations: entered as a list of amounts."""
KINDS: Final = {
    "count": "Drop box count",
    "recount": "Blind recount",
    "fill": "Fill",
    "credit": "Credit",
}
ENTRIES: Final = ("fill_issued", "credit_accepted", "drop_counted")
PIECES_MAX: Final = 1_000_000
_AMOUNTS: Final = re.compile(rf"amounts\.({'|'.join(AMOUNTS)})")
_FIELD: Final = re.compile(r"pieces\.([a-z]+)\.([0-9]{1,6})")
_COUNT: Final = re.compile(r"[0-9]{1,7}")


@dataclass(frozen=True, slots=True)
class EntryReceipt:
    """The entry just made, with remarks of accounting."""

    summary: str
    remarks: tuple[str, ...]


async def cash_page(request: Request) -> Response:
    return await _page(request, _kind(request.query_params.get("kind", "count")))


async def enter(request: Request) -> Response:
    kind = _kind(text_of(request, "kind"))
    try:
        event = build_event(request, kind)
    except InvalidInput as error:
        return await _page(request, kind, wrong=str(error), status=400)
    services = services_of(request)
    call = services.clients.books.Record(
        RecordRequest(event=event), metadata=services.clients.metadata_for(user_of(request))
    )
    words = f"{KINDS[kind]}, {format_cents(_total(event))}"
    try:
        answer = await audited(
            request, call, what=kind, subject=event.table_id, words=f"{words}, id {event.event_id}"
        )
    except grpc.aio.AioRpcError as error:
        reason = error.details() or error.code().name
        return await _page(request, kind, wrong=reason, event_id=event.event_id, status=409)
    return await _page(request, kind, receipt=_receipt(answer, kind, event))


def build_event(request: Request, kind: str) -> CageEvent:
    """Build the event of a form. Its id comes with the form: sent twice, it counts once."""
    table, number = text_of(request, "table"), text_of(request, "number")
    names = [name for name in re.split(r"[,\s]+", text_of(request, "names")) if name]
    if not table or not number or not names:
        raise InvalidInput("entry", "enter table, number and signers")
    event = CageEvent(
        event_id=_event_id(request),
        table_id=table,
        gaming_day=read_day("day", text_of(request, "day")),
    )
    if kind in ("count", "recount"):
        counts = [
            DropCount(kind=k, denomination_cents=c, count=n) for k, c, n in read_pieces(request)
        ]
        if kind == "count":
            event.drop_counted.CopyFrom(DropCounted(box=number, counts=counts, team=names))
        elif len(names) != 1:
            raise InvalidInput("verifier", "enter exactly one person")
        else:
            recount = DropRecounted(box=number, counts=counts, verifier=names[0])
            event.drop_recounted.CopyFrom(recount)
        return event
    chips = [ChipCount(denomination_cents=cents, count=n) for _, cents, n in read_pieces(request)]
    if not chips:
        raise InvalidInput("chips", "enter at least one chip")
    if kind == "fill":
        event.fill_issued.CopyFrom(FillIssued(slip=number, inventory=chips, signers=names))
    else:
        event.credit_accepted.CopyFrom(CreditAccepted(slip=number, inventory=chips, signers=names))
    return event


def read_pieces(request: Request) -> list[tuple[str, int, int]]:
    """Kind, denomination and count of every field that is not empty."""
    found = []
    for name, value in form_of(request).multi_items():
        field = _FIELD.fullmatch(name)
        text = value.strip() if isinstance(value, str) else ""
        if listed := _AMOUNTS.fullmatch(name):
            found += parse_amounts(listed[1], text)
        if field is None or not text:
            continue
        if not _COUNT.fullmatch(text) or int(text) > PIECES_MAX:
            raise InvalidInput(
                f"{field[1]} of {format_cents(int(field[2]))}",
                f'Invalid count "{text}": enter a whole number up to {PIECES_MAX:,}.',
            )
        if int(text):
            found.append((field[1], int(field[2]), int(text)))
    return found


def parse_amounts(kind: str, text: str) -> list[tuple[str, int, int]]:
    """Parse amounts separated by blanks or semicolons; a comma belongs to an amount."""
    amounts = [read_cents(kind, amount) for amount in re.split(r"[\s;]+", text) if amount]
    return [(kind, cents, count) for cents, count in Counter(amounts).items() if cents]


async def _page(
    request: Request,
    kind: str,
    *,
    wrong: str = "",
    receipt: EntryReceipt | None = None,
    event_id: str = "",
    status: int = 200,
) -> Response:
    services = services_of(request)
    user = user_of(request)
    prop = await services.property_status.current(user)
    day = read_day("day", request.query_params.get("day", "")) or prop.gaming_day
    entries: list[Entry] = []
    if day:
        for name in ENTRIES:
            answer = await services.clients.books.FindEntries(
                FindEntriesRequest(from_day=day, kind=name, page_size=30),
                metadata=services.clients.metadata_for(user),
            )
            entries += answer.entries
    entries.sort(key=lambda entry: entry.at.ToNanoseconds(), reverse=True)
    typed = form_of(request) if request.method == "POST" and receipt is None else {}
    return await render_page(
        request,
        "cash.html",
        status=status,
        kind=kind,
        kinds=KINDS,
        day=day,
        columns=DROP if kind in ("count", "recount") else {"chips": CHIPS},
        amounts=AMOUNTS if kind in ("count", "recount") else {},
        may_enter=user.may(ENTER_CASH),
        event_id=event_id or uuid4().hex,
        typed=typed,
        entries=entries,
        wrong=wrong,
        receipt=receipt,
    )


def _receipt(answer: RecordResponse, kind: str, event: CageEvent) -> EntryReceipt:
    summary = f"Entered: {KINDS[kind]} at {event.table_id}, {format_cents(_total(event))}."
    return EntryReceipt(summary, tuple(answer.remarks))


def _total(event: CageEvent) -> int:
    fact = getattr(event, event.WhichOneof("fact") or "fill_issued")
    parts = fact.counts if hasattr(fact, "counts") else fact.inventory
    return sum(part.denomination_cents * part.count for part in parts)


def _kind(text: str) -> str:
    return text if text in KINDS else "count"


def _event_id(request: Request) -> str:
    try:
        return UUID(text_of(request, "event_id")).hex
    except ValueError:
        raise InvalidInput("entry", "the form is invalid: reload the page") from None


ROUTES: Final = (
    read_route(SEE_BOOKS, "/cash", cash_page),
    write_route(ENTER_CASH, "/cash", enter),
)
