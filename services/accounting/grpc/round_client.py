"""Rounds of a drill-down, queried from the round archive; an answer may go without them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol

import grpc

from casino.settlement.v1.service_pb2 import FindRoundsRequest, RoundSummary
from casino.settlement.v1.service_pb2_grpc import SettlementServiceStub
from runtime import logs
from runtime.addresses import Address

SERVICE: Final = "round_archive"
SECONDS_MAX: Final = 5.0
"""The deadline for all rounds of an answer together."""
ONE_BY_ONE_MAX: Final = 4
"""Up to this many rounds of a table are queried by name; more, by their range of time."""
CALLS_AT_ONCE: Final = 8
PAGE_SIZE: Final = 500
_log = logs.logger(__name__)

Name = tuple[str, str, int]
"""Table, round, and the number of the event that opened it."""


class Channels(Protocol):
    """The part of `runtime.rpc.links.Links` that is used."""

    def to(self, service: str, address: Address) -> grpc.aio.Channel: ...


class RoundClient:
    def __init__(self, links: Channels | None, address: Address | None) -> None:
        self._links = links
        self._address = address

    async def find(
        self, wanted: Iterable[tuple[Name, int]]
    ) -> tuple[dict[Name, RoundSummary], str]:
        """Find summaries of rounds by name and opening time; also why some are missing."""
        opened = dict(wanted)
        if not opened:
            return {}, ""
        if self._links is None or self._address is None:
            return {}, "ROUND_ARCHIVE_ADDRESS is not set"
        stub: Any = SettlementServiceStub(self._links.to(SERVICE, self._address))
        by_table: dict[str, list[tuple[Name, int]]] = {}
        for name, at in opened.items():
            by_table.setdefault(name[0], []).append((name, at))
        gate = asyncio.Semaphore(CALLS_AT_ONCE)
        found: dict[Name, RoundSummary] = {}

        async def query_rounds(question: FindRoundsRequest, names: frozenset[Name]) -> None:
            async with gate:
                await _gather(stub, question, names, found)

        try:
            async with asyncio.timeout(SECONDS_MAX), asyncio.TaskGroup() as group:
                for some in by_table.values():
                    for question, names in _questions(some):
                        group.create_task(query_rounds(question, names))
        except TimeoutError:
            return found, f"round_archive did not return all of them within {SECONDS_MAX:g} s"
        except ExceptionGroup as group:
            failed, others = group.split(grpc.aio.AioRpcError)
            if others is not None or failed is None:
                raise
            first = next(iter(_leaves(failed)))
            _log.warning("rounds not found", code=first.code().name, reason=first.details())
            return found, f"round_archive failed: {first.code().name.lower()}"
        left = len(opened) - len(found)
        return found, f"round_archive does not have {left} of them yet" if left else ""


def _questions(
    some: Sequence[tuple[Name, int]],
) -> Iterable[tuple[FindRoundsRequest, frozenset[Name]]]:
    """A few rounds of a table by name, many by the time between the first and the last."""
    table = some[0][0][0]
    if len(some) <= ONE_BY_ONE_MAX:
        for name, at in some:
            question = FindRoundsRequest(table_id=table, round=name[1], page_size=PAGE_SIZE)
            question.around.FromMicroseconds(at)
            yield question, frozenset({name})
        return
    question = FindRoundsRequest(table_id=table, page_size=PAGE_SIZE)
    getattr(question, "from").FromMicroseconds(min(at for _, at in some))
    question.until.FromMicroseconds(max(at for _, at in some) + 1)
    yield question, frozenset(name for name, _ in some)


async def _gather(
    stub: Any, question: FindRoundsRequest, names: frozenset[Name], found: dict[Name, RoundSummary]
) -> None:
    left = set(names)
    while left:
        answer = await stub.FindRounds(question)
        for summary in answer.rounds:
            name = (summary.table_id, summary.round, summary.first_seq)
            if name in left:
                found[name] = summary
                left.discard(name)
        if not answer.next_page_token:
            return
        question.page_token = answer.next_page_token


def _leaves(group: ExceptionGroup[grpc.aio.AioRpcError]) -> Iterable[grpc.aio.AioRpcError]:
    for exception in group.exceptions:
        if isinstance(exception, ExceptionGroup):
            yield from _leaves(exception)
        else:
            yield exception
