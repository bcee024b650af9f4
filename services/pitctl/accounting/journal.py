"""`pitctl journal`: posted entries for people, programs and other ledgers."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterator
from typing import IO, TYPE_CHECKING, Final, Protocol

import grpc

from blackjack.money import format_cents
from casino.accounting.v1.ledger_pb2 import Entry
from casino.accounting.v1.service_pb2 import FindEntriesRequest, GetStatusRequest
from pitctl.accounting.client import ACCOUNTING
from pitctl.accounting.plain_text import BeancountEntries, HledgerEntries
from pitctl.accounting.report import day_of
from pitctl.connection.channel import Endpoint
from pitctl.output.exit import NEGATIVE, OK
from pitctl.output.files import open_output
from pitctl.output.json_out import fields_of
from pitctl.output.text import count_noun, escape, format_moment
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub

PAGE_ENTRIES: Final = 500
"""At some ten transfers each, a page is far below what a message may hold."""


class EntryFormat(Protocol):
    """Writes entries one by one."""

    def head(self) -> Iterator[str]: ...

    def lines(self, entry: Entry) -> Iterator[str]: ...


def run(
    place: Endpoint, request: FindEntriesRequest, *, day: str, until: str, form: str, output: str
) -> int:
    """Write all pages as they come: a day may have a million entries."""
    return asyncio.run(_run(place, request, day=day, until=until, form=form, output=output))


async def _run(
    place: Endpoint, request: FindEntriesRequest, *, day: str, until: str, form: str, output: str
) -> int:
    async with ACCOUNTING.connected(place) as books:
        try:
            request.from_day = await day_of(books, day)
            request.until_day = await day_of(books, until) if until else ""
            title = await _title(books, request)
            with open_output(output) as file:
                count = await _write(file, _entries(books, request), _writer(form, title))
        except grpc.aio.AioRpcError as error:
            raise ACCOUNTING.error_of(error, place) from None
    if form == "table" or output:
        print(count_noun(count, "entry", "entries"), file=sys.stderr)
    return OK if count else NEGATIVE


async def _title(books: AccountingServiceAsyncStub, request: FindEntriesRequest) -> str:
    status = await books.GetStatus(GetStatusRequest())
    last = request.until_day or request.from_day
    days = f"gaming day {last}" if last == request.from_day else f"{request.from_day} to {last}"
    return f"{status.property or 'Pitledger'}, {days}"


async def _entries(
    books: AccountingServiceAsyncStub, request: FindEntriesRequest
) -> AsyncIterator[Entry]:
    request.page_size = PAGE_ENTRIES
    while True:
        answer = await books.FindEntries(request)
        for entry in answer.entries:
            yield entry
        request.page_token = answer.next_page_token
        if not request.page_token:
            return


async def _write(file: IO[bytes], entries: AsyncIterator[Entry], form: EntryFormat) -> int:
    """Write entries; return their number."""
    _put(file, form.head())
    count = 0
    async for entry in entries:
        _put(file, form.lines(entry))
        count += 1
    return count


def _put(file: IO[bytes], lines: Iterator[str]) -> None:
    file.write("".join(f"{line}\n" for line in lines).encode())


def _writer(form: str, title: str) -> EntryFormat:
    match form:
        case "beancount":
            return BeancountEntries(title)
        case "hledger":
            return HledgerEntries(title)
        case "json":
            return JsonEntries()
        case _:
            return PlainEntries()


class JsonEntries:
    """One object a line, with the names of the contract."""

    def head(self) -> Iterator[str]:
        yield from ()

    def lines(self, entry: Entry) -> Iterator[str]:
        yield json.dumps(fields_of(entry), ensure_ascii=False)


class PlainEntries:
    """A line for each entry, and one for each of its transfers: amount, debit, credit."""

    def head(self) -> Iterator[str]:
        yield from ()

    def lines(self, entry: Entry) -> Iterator[str]:
        kind = entry.kind.replace("_", " ") + (", adjusting" if entry.adjusting else "")
        about = (entry.round or entry.table_id, entry.author, entry.reason)
        at = format_moment(read_time(entry.at)) if entry.HasField("at") else ""
        words = (entry.gaming_day, at, kind, *about, f"[{entry.id}]")
        yield escape("  ".join(word for word in words if word))
        for transfer in entry.transfers:
            cents = format_cents(transfer.cents, currency=False)
            yield escape(f"{cents:>16}  {transfer.debit}  from  {transfer.credit}")
