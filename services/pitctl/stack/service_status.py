"""What `pitctl status` shows of each service: whether it answers, and how far its readers are."""

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
from pitctl.alert_desk.client import DESK
from pitctl.archive.client import ARCHIVE
from pitctl.archive.dead_letter_retry import GATEWAY
from pitctl.connection.channel import NoAnswer, Place, Refused, Service
from pitctl.output.text import Page, counted
from pitctl.stack import local_stack

if TYPE_CHECKING:
    from casino.operations.v1.readers_pb2_grpc import ReaderServiceAsyncStub

OK: Final = "ok"
UNAVAILABLE: Final = "unavailable"
_DOWN: Final = ("died", "stopped")
"""Conditions of the local stack in which there is no one to ask."""


class ServiceState(NamedTuple):
    """One server or service, in a line."""

    name: str
    state: str
    address: str
    reason: str
    """Why it is unavailable; where it is well, what runs."""


class Readers(NamedTuple):
    """What one service answered about readers, or why it did not."""

    service: str
    answer: ListReadersResponse | None
    error: str


def _stub(channel: grpc.aio.Channel) -> ReaderServiceAsyncStub:
    return ReaderServiceStub(channel)


ASKED: Final[Mapping[str, Service[ReaderServiceAsyncStub]]] = {
    each.name: Service(
        name=each.name,
        noun=each.noun,
        address_setting=each.address_setting,
        stub=_stub,
        commands={"ListReaders": "status"},
    )
    for each in (GATEWAY, ARCHIVE, DESK, ACCOUNTING)
}
"""In the order in which a fact passes through them."""


def read_stack(folder: str) -> tuple[dict[str, Any] | None, int, str]:
    """The parts of the local stack, its exit status, and why it could not be asked."""
    said = local_stack.read("status", "--json", folder=folder)
    try:
        stack: dict[str, Any] | None = json.loads(said.stdout or "null")
    except ValueError:
        stack = None
    if stack is None:
        return None, said.returncode or 1, f"the local stack cannot be asked: {_last_line(said)}"
    for part in stack["parts"]:
        # The end of a log is for the log: it may be anything, such as a traceback.
        part.pop("tail", None)
    return stack, said.returncode, ""


def _last_line(said: subprocess.CompletedProcess[str]) -> str:
    lines = (said.stderr or said.stdout).strip().splitlines()
    return lines[-1] if lines else f"it ended with {said.returncode}"


def states_of(stack: Mapping[str, Any] | None) -> list[ServiceState]:
    return [] if stack is None else [_state(part) for part in stack["parts"]]


def _state(part: Mapping[str, Any]) -> ServiceState:
    name, address, note = part["name"], part["address"], part["note"]
    if part["condition"] == OK:
        return ServiceState(name, OK, address, note)
    reason = note or "it is not started"
    if part["condition"] in _DOWN and part["log"]:
        reason += f"; log: {part['log']}"
    return ServiceState(name, UNAVAILABLE, address, reason)


def down_reason(stack: Mapping[str, Any] | None, service: str) -> str:
    """Why it is idle to ask a service, as the local stack knows it; empty where it is not."""
    for part in () if stack is None else stack["parts"]:
        if part["name"] == service and part["condition"] in _DOWN:
            return f"{service} is unavailable: {part['note'] or 'it is not started'}"
    return ""


def finders(
    addresses: Mapping[str, str], *, identity: str, stack: str, local: bool
) -> dict[str, Callable[[], Place | None]]:
    """Where each service answers; None where it has no address here or in the local stack."""

    def find(name: str, address: str) -> Place | None:
        if not (address or local or name == ARCHIVE.name):
            return None
        return ASKED[name].find(address, identity, stack)

    return {name: partial(find, name, address) for name, address in addresses.items()}


def ask_readers(
    stack: Mapping[str, Any] | None, find: Mapping[str, Callable[[], Place | None]]
) -> list[Readers]:
    """All of them at once. A service that has no address anywhere is left out."""

    async def ask_all() -> list[Readers | None]:
        return await asyncio.gather(
            *(_ask(ASKED[name], found, down_reason(stack, name)) for name, found in find.items())
        )

    return [readers for readers in asyncio.run(ask_all()) if readers is not None]


async def _ask(
    service: Service[ReaderServiceAsyncStub], find: Callable[[], Place | None], down: str
) -> Readers | None:
    if down:
        return Readers(service.name, None, down)
    try:
        place = find()
        if place is None:
            return None
        answer = await service.answer(place, lambda stub: stub.ListReaders(ListReadersRequest()))
    except (NoAnswer, Refused) as error:
        return Readers(service.name, None, f"{service.name} is unavailable: {error}")
    return Readers(service.name, answer, answer.error)


class ReaderRow(msgspec.Struct, frozen=True):
    """One reader over all its topics."""

    service: str
    reader: str
    unread: int
    seconds: float
    topic: str
    """The one whose oldest unread message has waited longest; empty where all is read."""


def reader_rows(readers: Sequence[Readers]) -> list[ReaderRow]:
    by_reader: dict[tuple[str, str], list[Reader]] = {}
    for asked in readers:
        for reader in () if asked.answer is None else asked.answer.readers:
            by_reader.setdefault((reader.service, reader.reader), []).append(reader)
    return [_row(service, name, of) for (service, name), of in by_reader.items()]


def _row(service: str, name: str, topics: Sequence[Reader]) -> ReaderRow:
    oldest = max(topics, key=lambda topic: topic.oldest_unread_seconds)
    unread = sum(topic.unread_messages for topic in topics)
    return ReaderRow(
        service, name, unread, oldest.oldest_unread_seconds, oldest.topic if unread else ""
    )


def print_states(page: Page, states: Sequence[ServiceState]) -> None:
    if states:
        styles = ["" if each.state == OK else "bold red" for each in states]
        headings = ("service", "state", "address", "")
        page.table(headings, states, indent=0, styles=styles)
        page.blank()


def print_readers(page: Page, readers: Sequence[Readers]) -> None:
    rows = [
        (
            row.service, row.reader, f"{row.unread:,}",
            behind(row.seconds) if row.unread else "-", row.topic,
        )
        for row in reader_rows(readers)
    ]  # fmt: skip
    if rows:
        headings = ("service", "reader", "unread", "oldest", "topic")
        page.table(headings, rows, indent=0, align="llrrl")
        page.blank()


def behind(seconds: float) -> str:
    """How long something has waited, for a person.

    >>> behind(0.4), behind(12.6), behind(3725)
    ('1 second', '13 seconds', '1 h 2 min')
    """
    whole = max(round(seconds), 1)
    if whole < 60:
        return counted(whole, "second")
    minutes, hours = whole // 60, whole // 3600
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min {whole % 60} s"
