"""`pitctl journal`: entries as they were posted, for people, programs and other ledgers."""

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
from pitctl.accounting.client import ACCOUNTING, DONE, NOT_DONE
from pitctl.accounting.plain_text import Beancount, Hledger
from pitctl.accounting.report import day_of
from pitctl.accounting.report_files import writing
from pitctl.connection.channel import Place
from pitctl.output.json_out import as_fields
from pitctl.output.text import counted, moment, plain
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub

PAGE_ENTRIES: Final = 500
"""At some ten transfers each, a page is far below what a message may hold."""


class Writer(Protocol):
    """Writes entries one by one, and keeps of them what it needs for the next."""

    def head(self) -> Iterator[str]: ...

    def lines(self, entry: Entry) -> Iterator[str]: ...


def run(
    place: Place, request: FindEntriesRequest, *, day: str, until: str, form: str, output: str
) -> int:
    """All pages, written as they come: a day may have a million entries."""
    return asyncio.run(_run(place, request, day=day, until=until, form=form, output=output))


async def _run(
    place: Place, request: FindEntriesRequest, *, day: str, until: str, form: str, output: str
) -> int:
    async with ACCOUNTING.asking(place) as books:
        try:
            request.from_day = await day_of(books, day)
            request.until_day = await day_of(books, until) if until else ""
            title = await _title(books, request)
            with writing(output) as file:
                count = await _write(file, _entries(books, request), _writer(form, title))
        except grpc.aio.AioRpcError as error:
            raise ACCOUNTING.told(error, place) from None
    if form == "table" or output:
        print(counted(count, "entry", "entries"), file=sys.stderr)
    return DONE if count else NOT_DONE


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
        for each in answer.entries:
            yield each
        request.page_token = answer.next_page_token
        if not request.page_token:
            return


async def _write(file: IO[bytes], entries: AsyncIterator[Entry], writer: Writer) -> int:
    """How many were written."""
    _put(file, writer.head())
    count = 0
    async for entry in entries:
        _put(file, writer.lines(entry))
        count += 1
    return count


def _put(file: IO[bytes], lines: Iterator[str]) -> None:
    file.write("".join(f"{line}\n" for line in lines).encode())


def _writer(form: str, title: str) -> Writer:
    match form:
        case "beancount":
            return Beancount(title)
        case "hledger":
            return Hledger(title)
        case "json":
            return JsonLines()
        case _:
            return Plain()


class JsonLines:
    """One object a line, with the names of the contract."""

    def head(self) -> Iterator[str]:
        yield from ()

    def lines(self, entry: Entry) -> Iterator[str]:
        yield json.dumps(as_fields(entry), ensure_ascii=False)


class Plain:
    """A line for each entry, and one for each of its transfers: amount, debit, credit."""

    def head(self) -> Iterator[str]:
        yield from ()

    def lines(self, entry: Entry) -> Iterator[str]:
        kind = entry.kind.replace("_", " ") + (", adjusting" if entry.adjusting else "")
        about = (entry.round or entry.table_id, entry.author, entry.reason)
        at = moment(read_time(entry.at)) if entry.HasField("at") else ""
        words = (entry.gaming_day, at, kind, *about, f"[{entry.id}]")
        yield plain("  ".join(each for each in words if each))
        for each in entry.transfers:
            yield plain(
                f"{format_cents(each.cents, currency=False):>16}  {each.debit}  from  {each.credit}"
            )
