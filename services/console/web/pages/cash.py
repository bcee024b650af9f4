"""What the cage and the count room enter: fills, credits, counts, and blind recounts.

Whoever counts a box again is shown nothing of the first count; accounting compares, and tells what
differs beside what it has entered.
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
"""Of any value: typed as a list of amounts, in fields named by kind."""
KINDS: Final = {
    "count": "Count of a drop box",
    "recount": "Blind recount of a box",
    "fill": "Fill to a table",
    "credit": "Credit from a table",
}
ENTRIES: Final = ("fill_issued", "credit_accepted", "drop_counted")
PIECES_MAX: Final = 1_000_000
_AMOUNTS: Final = re.compile(rf"amounts\.({'|'.join(AMOUNTS)})")
_FIELD: Final = re.compile(r"pieces\.([a-z]+)\.([0-9]{1,6})")
_COUNT: Final = re.compile(r"[0-9]{1,7}")


@dataclass(frozen=True, slots=True)
class EntryReceipt:
    """What was entered just now, with what a person should look at."""

    words: str
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
        said = error.details() or error.code().name
        return await _page(request, kind, wrong=said, event_id=event.event_id, status=409)
    return await _page(request, kind, entered=_receipt(answer, kind, event))


def build_event(request: Request, kind: str) -> CageEvent:
    """What was typed as a fact. Its id came with the form: sent twice it counts once."""
    table, number = text_of(request, "table"), text_of(request, "number")
    names = [each for each in re.split(r"[,\s]+", text_of(request, "names")) if each]
    if not table or not number or not names:
        raise InvalidInput("entry", "table, number and who signed are needed")
    event = CageEvent(
        event_id=_event_id(request),
        table_id=table,
        gaming_day=read_day("day", text_of(request, "day")),
    )
    if kind in ("count", "recount"):
        counts = [DropCount(kind=k, denomination_cents=c, count=n) for k, c, n in pieces(request)]
        if kind == "count":
            event.drop_counted.CopyFrom(DropCounted(box=number, counts=counts, team=names))
        elif len(names) != 1:
            raise InvalidInput("verifier", "one person counts again")
        else:
            recount = DropRecounted(box=number, counts=counts, verifier=names[0])
            event.drop_recounted.CopyFrom(recount)
        return event
    chips = [ChipCount(denomination_cents=cents, count=n) for _, cents, n in pieces(request)]
    if not chips:
        raise InvalidInput("chips", "how many of which are missing")
    if kind == "fill":
        event.fill_issued.CopyFrom(FillIssued(slip=number, inventory=chips, signers=names))
    else:
        event.credit_accepted.CopyFrom(CreditAccepted(slip=number, inventory=chips, signers=names))
    return event


def pieces(request: Request) -> list[tuple[str, int, int]]:
    """Kind, what a piece is worth, and how many: of every field that is not empty."""
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
    """Amounts between blanks or semicolons; a comma belongs to an amount."""
    amounts = [read_cents(kind, each) for each in re.split(r"[\s;]+", text) if each]
    return [(kind, cents, count) for cents, count in Counter(amounts).items() if cents]


async def _page(
    request: Request,
    kind: str,
    *,
    wrong: str = "",
    entered: EntryReceipt | None = None,
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
    entries.sort(key=lambda each: each.at.ToNanoseconds(), reverse=True)
    typed = form_of(request) if request.method == "POST" and entered is None else {}
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
        entered=entered,
    )


def _receipt(answer: RecordResponse, kind: str, event: CageEvent) -> EntryReceipt:
    words = f"{KINDS[kind]} at {event.table_id} is entered: {format_cents(_total(event))}."
    return EntryReceipt(words, tuple(answer.remarks))


def _total(event: CageEvent) -> int:
    fact = getattr(event, event.WhichOneof("fact") or "fill_issued")
    parts = fact.counts if hasattr(fact, "counts") else fact.inventory
    return sum(each.denomination_cents * each.count for each in parts)


def _kind(text: str) -> str:
    return text if text in KINDS else "count"


def _event_id(request: Request) -> str:
    try:
        return UUID(text_of(request, "event_id")).hex
    except ValueError:
        raise InvalidInput("entry", "the form is damaged: open the page again") from None


ROUTES: Final = (
    read_route(SEE_BOOKS, "/cash", cash_page),
    write_route(ENTER_CASH, "/cash", enter),
)
