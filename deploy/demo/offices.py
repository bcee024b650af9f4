"""Entries of the promotions desk, the cage and the count team, each fact as its own command.

Rejections are printed. A planted fault may be rejected; it is distinguished from an unplanned
rejection by the coupon's serial number or the slip's table.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

import grpc

from blackjack.facts import CouponPresented
from casino.accounting.v1.cage_event_pb2 import CageEvent
from casino.accounting.v1.promotion_event_pb2 import PromotionEvent
from casino.accounting.v1.service_pb2 import (
    GetDayRequest,
    GetStatusRequest,
    RecordPromotionRequest,
    RecordRequest,
)
from pitctl.accounting.client import ACCOUNTING
from pitctl.connection.channel import Endpoint
from table_simulator.days.day import SimulatedDay
from table_simulator.domain.faults.draft import rounds_of
from table_simulator.grpc.office_entries import cage_events, promotion_events

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub

Report = Callable[[int], None]
Answer = tuple[str, Sequence[str]]
"""The gaming day that a fact was dated to, and remarks for a person to check."""
Event = TypeVar("Event", CageEvent, PromotionEvent)

LOOK_SECONDS: Final = 0.2
STILL_SECONDS_MAX: Final = 60.0
REJECTION_CODES: Final = (
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.ALREADY_EXISTS,
    grpc.StatusCode.FAILED_PRECONDITION,
)
"""Status codes that reject the fact, as opposed to failures of the service."""


class NotPosting(Exception):
    """Accounting makes no progress."""

    def __init__(self, lag: int, seconds: float) -> None:
        self.lag = lag
        super().__init__(
            f"accounting has posted nothing for {seconds:.0f} s; {lag:,} messages waiting"
        )


@dataclass(frozen=True, slots=True)
class EntryRejection:
    """A fact that was not entered, with the reason."""

    what: str
    reason: str
    is_planted: bool


@dataclass(slots=True)
class EntryResult:
    """The entries of one department; `days` are the gaming days that the service assigned."""

    count: int = 0
    days: set[str] = field(default_factory=set)
    rejections: list[EntryRejection] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def ignore(_: int) -> None:
    """Show no progress."""


def begins_at(accounting: Endpoint) -> int:
    """The start of the current gaming day, in microseconds since 1970."""
    answer = ACCOUNTING.call(accounting, lambda books: books.GetDay(GetDayRequest()))
    return answer.day.begins_at.ToMicroseconds()


def wait_until_posted(accounting: Endpoint, report: Report) -> None:
    """Return when every message is posted; `report` gets the number waiting."""
    least, moved_at = -1, time.monotonic()
    while lag := ACCOUNTING.call(accounting, _lag):
        report(lag)
        if least < 0 or lag < least:
            least, moved_at = lag, time.monotonic()
        elif (still := time.monotonic() - moved_at) > STILL_SECONDS_MAX:
            raise NotPosting(lag, still)
        time.sleep(LOOK_SECONDS)
    report(0)


async def _lag(books: AccountingServiceAsyncStub) -> int:
    return (await books.GetStatus(GetStatusRequest())).lag


def enter_promotions(
    accounting: Endpoint,
    day: SimulatedDay,
    *,
    floor: str,
    report: Report = ignore,
    real_time: bool = False,
) -> EntryResult:
    """Enter terms before the coupons that name them, and coupons before they are voided."""
    planted = _planted_coupons(day)

    async def send(books: AccountingServiceAsyncStub, event: PromotionEvent) -> Answer:
        answer = await books.RecordPromotion(RecordPromotionRequest(event=event))
        return answer.event.gaming_day, ()

    def is_planted(event: PromotionEvent) -> bool:
        return event.coupons_issued.serial in planted or any(
            serial in planted for serial in event.coupons_voided.serials
        )

    events = promotion_events(day.desk, floor=floor)
    facts = due_now(events) if real_time else at_once(events)
    return ACCOUNTING.call(accounting, lambda to: _enter(to, facts, send, is_planted, report))


def enter_cage(
    accounting: Endpoint,
    day: SimulatedDay,
    *,
    floor: str,
    report: Report = ignore,
    real_time: bool = False,
) -> EntryResult:
    """Enter fills, credits, redeemed chips and drop counts."""
    planted = {truth.table for truth in day.truths if truth.fault in ("slip gap", "signer missing")}

    async def send(books: AccountingServiceAsyncStub, event: CageEvent) -> Answer:
        answer = await books.Record(RecordRequest(event=event))
        what = (event.WhichOneof("fact") or "").replace("_", " ")
        return answer.event.gaming_day, [f"{event.table_id}, {what}: {r}" for r in answer.remarks]

    def is_planted(event: CageEvent) -> bool:
        return event.table_id in planted and event.WhichOneof("fact") != "drop_counted"

    events = cage_events(day.cage, floor=floor)
    facts = due_now(events) if real_time else at_once(events)
    return ACCOUNTING.call(accounting, lambda to: _enter(to, facts, send, is_planted, report))


async def at_once(events: Iterable[Event]) -> AsyncIterator[Event]:
    """All events in order, without waiting for their times."""
    for event in events:
        yield event


async def due_now(events: Iterable[Event]) -> AsyncIterator[Event]:
    """Each event at its own time, by the system clock."""
    for event in sorted(events, key=lambda event: event.at.ToMicroseconds()):
        await asyncio.sleep(max(event.at.ToMicroseconds() / 1_000_000 - time.time(), 0))
        yield event


async def _enter(
    books: AccountingServiceAsyncStub,
    events: AsyncIterator[Event],
    send: Callable[[AccountingServiceAsyncStub, Event], Awaitable[Answer]],
    is_planted: Callable[[Event], bool],
    report: Report,
) -> EntryResult:
    """Enter one fact after the other: each response arrives once the fact is posted."""
    entered = EntryResult()
    number = 0
    async for event in events:
        number += 1
        try:
            gaming_day, remarks = await send(books, event)
        except grpc.aio.AioRpcError as error:
            if error.code() not in REJECTION_CODES:
                raise
            what = (event.WhichOneof("fact") or "").replace("_", " ")
            entered.rejections.append(
                EntryRejection(what, error.details() or "", is_planted(event))
            )
        else:
            entered.count += 1
            entered.days.add(gaming_day)
            entered.remarks += remarks
        report(number)
    return entered


def _planted_coupons(day: SimulatedDay) -> set[str]:
    """Serial numbers of coupons with a planted fault."""
    serials = {truth.wager for truth in day.truths if truth.fault.startswith("coupon ")}
    wrong = {
        (truth.table, truth.round)
        for truth in day.truths
        if any(kind.value.startswith("coupon.") for kind in truth.kinds)
    }
    for table, entries in day.controllers.items():
        for view in rounds_of([entry.event for entry in entries]):
            if (table, view.id) in wrong:
                serials |= {fact.serial for _, fact in view.of(CouponPresented)}
    return serials
