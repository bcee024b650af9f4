"""The state of each service and the lag of its readers, for `pitctl status`."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import grpc
import msgspec

from casino.operations.v1.readers_pb2 import ListReadersRequest, ListReadersResponse, Reader
from casino.operations.v1.readers_pb2_grpc import ReaderServiceStub
from pitctl.accounting.client import ACCOUNTING
from pitctl.alert_desk.client import ALERT_DESK
from pitctl.archive.client import ARCHIVE
from pitctl.archive.dead_letter_retry import GATEWAY
from pitctl.connection.channel import Endpoint, ServiceClient
from pitctl.errors import RequestRejected, ServiceUnavailable
from pitctl.output.text import Page, count_noun
from pitctl.stack import local_stack

if TYPE_CHECKING:
    from casino.operations.v1.readers_pb2_grpc import ReaderServiceAsyncStub

OK: Final = "ok"
UNAVAILABLE: Final = "unavailable"
_DOWN: Final = ("died", "stopped")
"""Conditions of the local stack in which a service cannot answer."""


class ServiceRow(NamedTuple):
    """One server or service, in a line."""

    name: str
    state: str
    address: str
    reason: str
    """Why it is unavailable; else a note of the stack."""


class ReaderReport(NamedTuple):
    """The readers of one service, or why it did not answer."""

    service: str
    answer: ListReadersResponse | None
    error: str


def _stub(channel: grpc.aio.Channel) -> ReaderServiceAsyncStub:
    return ReaderServiceStub(channel)


READER_CLIENTS: Final[Mapping[str, ServiceClient[ReaderServiceAsyncStub]]] = {
    client.name: ServiceClient(
        name=client.name,
        noun=client.noun,
        address_setting=client.address_setting,
        stub=_stub,
        commands={"ListReaders": "status"},
    )
    for client in (GATEWAY, ARCHIVE, ALERT_DESK, ACCOUNTING)
}
"""In the order in which a fact passes through them."""


def read_stack(folder: str) -> tuple[dict[str, Any] | None, int, str]:
    """The parts of the local stack, its exit status, and the error of the query."""
    done = local_stack.read("status", "--json", folder=folder)
    try:
        stack: dict[str, Any] | None = json.loads(done.stdout or "null")
    except ValueError:
        stack = None
    if stack is None:
        return None, done.returncode or 1, f"the local stack has no status: {_last_line(done)}"
    for part in stack["parts"]:
        # The end of a log is for the log: it may be anything, such as a traceback.
        part.pop("tail", None)
    return stack, done.returncode, ""


def _last_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = (done.stderr or done.stdout).strip().splitlines()
    return lines[-1] if lines else f"it ended with {done.returncode}"


def states_of(stack: Mapping[str, Any] | None) -> list[ServiceRow]:
    return [] if stack is None else [_state(part) for part in stack["parts"]]


def _state(part: Mapping[str, Any]) -> ServiceRow:
    name, address, note = part["name"], part["address"], part["note"]
    if part["condition"] == OK:
        return ServiceRow(name, OK, address, note)
    reason = note or "it is not started"
    if part["condition"] in _DOWN and part["log"]:
        reason += f"; log: {part['log']}"
    return ServiceRow(name, UNAVAILABLE, address, reason)


def down_reason(stack: Mapping[str, Any] | None, service: str) -> str:
    """Why a service of the local stack cannot answer; empty where it may."""
    for part in () if stack is None else stack["parts"]:
        if part["name"] == service and part["condition"] in _DOWN:
            return f"{service} is unavailable: {part['note'] or 'it is not started'}"
    return ""


def finders(
    addresses: Mapping[str, str], *, identity: str, stack: str, local: bool
) -> dict[str, Callable[[], Endpoint | None]]:
    """Where each service answers; None where it has no address here or in the local stack."""

    def find(name: str, address: str) -> Endpoint | None:
        if not (address or local or name == ARCHIVE.name):
            return None
        return READER_CLIENTS[name].find(address, identity, stack)

    return {name: partial(find, name, address) for name, address in addresses.items()}


def query_readers(
    stack: Mapping[str, Any] | None, find: Mapping[str, Callable[[], Endpoint | None]]
) -> list[ReaderReport]:
    """Query all services at once. A service without an address is left out."""

    async def query_all() -> list[ReaderReport | None]:
        return await asyncio.gather(
            *(
                _query(READER_CLIENTS[name], found, down_reason(stack, name))
                for name, found in find.items()
            )
        )

    return [readers for readers in asyncio.run(query_all()) if readers is not None]


async def _query(
    service: ServiceClient[ReaderServiceAsyncStub], find: Callable[[], Endpoint | None], down: str
) -> ReaderReport | None:
    if down:
        return ReaderReport(service.name, None, down)
    try:
        place = find()
        if place is None:
            return None
        answer = await service.call_async(
            place, lambda stub: stub.ListReaders(ListReadersRequest())
        )
    except (ServiceUnavailable, RequestRejected) as error:
        return ReaderReport(service.name, None, f"{service.name} is unavailable: {error}")
    return ReaderReport(service.name, answer, answer.error)


class ReaderRow(msgspec.Struct, frozen=True):
    """One reader over all its topics."""

    service: str
    reader: str
    unread: int
    seconds: float
    topic: str
    """The one whose oldest unread message has waited longest; empty where all is read."""


def reader_rows(readers: Sequence[ReaderReport]) -> list[ReaderRow]:
    by_reader: dict[tuple[str, str], list[Reader]] = {}
    for report in readers:
        for reader in () if report.answer is None else report.answer.readers:
            by_reader.setdefault((reader.service, reader.reader), []).append(reader)
    return [_row(service, name, of) for (service, name), of in by_reader.items()]


def _row(service: str, name: str, topics: Sequence[Reader]) -> ReaderRow:
    oldest = max(topics, key=lambda topic: topic.oldest_unread_seconds)
    unread = sum(topic.unread_messages for topic in topics)
    return ReaderRow(
        service, name, unread, oldest.oldest_unread_seconds, oldest.topic if unread else ""
    )


def print_states(page: Page, states: Sequence[ServiceRow]) -> None:
    if states:
        styles = ["" if row.state == OK else "bold red" for row in states]
        headings = ("service", "state", "address", "")
        page.table(headings, states, indent=0, styles=styles)
        page.blank()


def print_readers(page: Page, readers: Sequence[ReaderReport]) -> None:
    rows = [
        (
            row.service, row.reader, f"{row.unread:,}",
            format_delay(row.seconds) if row.unread else "-", row.topic,
        )
        for row in reader_rows(readers)
    ]  # fmt: skip
    if rows:
        headings = ("service", "reader", "unread", "oldest", "topic")
        page.table(headings, rows, indent=0, align="llrrl")
        page.blank()


def format_delay(seconds: float) -> str:
    """Write a delay for people.

    >>> format_delay(0.4), format_delay(12.6), format_delay(3725)
    ('1 second', '13 seconds', '1 h 2 min')
    """
    whole = max(round(seconds), 1)
    if whole < 60:
        return count_noun(whole, "second")
    minutes, hours = whole // 60, whole // 3600
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min {whole % 60} s"
