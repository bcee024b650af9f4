"""The gaming day: its status, and its close.

A day is closed under the lock of all commands. Checks, variances and positions are read in one
snapshot, and no entry can be made between that and the event that closes the day.
"""

from __future__ import annotations

import asyncio
from datetime import date, tzinfo
from typing import Final
from uuid import uuid4

import grpc

from accounting.config import Settings
from accounting.grpc.command_handler import books_begin
from accounting.grpc.commands import CommandLock, Commands, Submitter
from accounting.grpc.day_range import read_day
from accounting.grpc.errors import NotClosable
from accounting.kafka.ledger_projection import READ
from accounting.postgres.close_checks import DayChecks, DayStatus
from accounting.postgres.entry_lookup import read_rejection
from casino.accounting.v1.cage_event_pb2 import (
    CageEvent,
    CloseOverride,
    DayClosed,
    ReadPosition,
    Variance,
)
from casino.accounting.v1.service_pb2 import (
    DAY_STATE_CLOSED,
    OPEN_ITEM_KIND_ALERT,
    OPEN_ITEM_KIND_MORE_ALERTS,
    OPEN_ITEM_KIND_SURVEILLANCE_UNAVAILABLE,
    Day,
    OpenItem,
)
from casino.surveillance.v1.service_pb2 import CountUrgentAlertsRequest
from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceStub
from report_forms.open_items import describe
from runtime.database.query import Database, DatabaseSnapshot
from runtime.kafka.end_offsets import EndOffsets
from runtime.positions import Partition
from runtime.rpc.links import Links
from wire import topics
from wire.vocabulary import write_time

ALERT_DESK: Final = "alert_desk"
ALERTS_SECONDS_MAX: Final = 3.0
ALERTS_NAMED_MAX: Final = 20
VARIANCES: Final = """
SELECT a.table_id, a.code,
    sum(CASE WHEN t.debit = a.id THEN t.cents ELSE -t.cents END)::bigint AS cents
FROM transfers t JOIN accounts a ON a.id IN (t.debit, t.credit)
WHERE t.gaming_day = %(day)s AND a.kind IN ('tray', 'box')
GROUP BY a.table_id, a.code
HAVING sum(CASE WHEN t.debit = a.id THEN t.cents ELSE -t.cents END) <> 0
ORDER BY a.code
"""


class DayClose:
    def __init__(
        self,
        settings: Settings,
        database: Database,
        commands: Commands,
        ends: EndOffsets,
        links: Links,
    ) -> None:
        self._calendar = settings.calendar
        self._begin_on = settings.books_begin_on
        self._alert_desk = settings.alert_desk_address
        self._database = database
        self._commands = commands
        self._ends = ends
        self._links = links
        self._days = DayChecks(
            prefix=settings.topic_prefix, recount_required=settings.recount_required
        )

    async def get(self, text: str) -> Day:
        now = self._calendar.day_of(self._commands.clock())
        day = read_day("gaming_day", text) if text else now
        ends = await self._ends.of(READ)
        alerts = await self._alerts(day)
        async with self._database.snapshot() as ledger:
            status = await self._days.status_of(ledger, day, ends, alerts)
        return self._write(day, status)

    async def close(self, text: str, override: CloseOverride | None, by: Submitter) -> Day:
        day = read_day("gaming_day", text)
        _, ends_at = self._calendar.bounds(day)
        if self._commands.clock() < ends_at:
            raise NotClosable(text, "it is not over")
        return await self._commands.finish(self._close(day, override, by))

    async def _close(self, day: date, override: CloseOverride | None, by: Submitter) -> Day:
        async with self._commands.lock() as locked:
            ends = await self._ends.of(READ)
            alerts = await self._alerts(day)
            async with self._database.snapshot() as ledger:
                status = await self._days.status_of(ledger, day, ends, alerts)
                variances = await _variances(ledger, day)
            began = await asyncio.to_thread(books_begin, locked.connection, self._begin_on)
            if began is not None and day < began:
                raise NotClosable(day.isoformat(), f"the books begin on {began}")
            _check(day, status, override, by, self._calendar.zone)
            event = self._event(day, status, variances, override, by)
            await _enter(locked, event)
            async with self._database.snapshot() as ledger:
                status = await self._days.status_of(ledger, day, ends, alerts)
        self._commands.count(topics.CAGE_EVENTS, "posted")
        return self._write(day, status)

    def _event(
        self,
        day: date,
        status: DayStatus,
        variances: list[Variance],
        override: CloseOverride | None,
        by: Submitter,
    ) -> CageEvent:
        now = write_time(self._commands.clock())
        # The event that closes the day belongs to it, and is the next one under the lock.
        own = Partition(topics.CAGE_EVENTS, 0)
        positions = {**status.positions, own: status.positions.get(own, 0) + 1}
        closed = DayClosed(
            positions=[
                ReadPosition(topic=place.topic, partition=place.partition, offset=offset)
                for place, offset in sorted(positions.items())
            ],
            variances=variances,
            override=override,
        )
        return CageEvent(
            event_id=str(uuid4()),
            at=now,
            recorded_at=now,
            author=by.author,
            gaming_day=day.isoformat(),
            day_closed=closed,
        )

    async def _alerts(self, day: date) -> list[OpenItem]:
        """The open P1 alerts; an unavailable alert desk is an open item too."""
        if self._alert_desk is None:
            return [_unavailable("ALERT_DESK_ADDRESS is not set")]
        begins_at, ends_at = self._calendar.bounds(day)
        request = CountUrgentAlertsRequest(
            until=write_time(ends_at), **{"from": write_time(begins_at)}
        )
        stub = SurveillanceServiceStub(self._links.to(ALERT_DESK, self._alert_desk))
        try:
            answer = await stub.CountUrgentAlerts(request, timeout=ALERTS_SECONDS_MAX)
        except grpc.aio.AioRpcError as failed:
            return [_unavailable(failed.code().name)]
        named = [
            OpenItem(
                kind=OPEN_ITEM_KIND_ALERT,
                alert_id=alert.id,
                alert_kind=alert.kind,
                table_id=alert.table_id,
                raised_at=alert.raised_at,
            )
            for alert in answer.alerts[:ALERTS_NAMED_MAX]
        ]
        rest = answer.open - len(named)
        more = [OpenItem(kind=OPEN_ITEM_KIND_MORE_ALERTS, count=rest)] if rest > 0 else []
        return [*named, *more]

    def _write(self, day: date, status: DayStatus) -> Day:
        begins_at, ends_at = self._calendar.bounds(day)
        return Day(
            gaming_day=day.isoformat(),
            state=status.state,
            begins_at=write_time(begins_at),
            ends_at=write_time(ends_at),
            checks=status.checks,
            closed_by=status.closed_by,
            override=status.override,
            adjustments=status.adjustments,
        )


def _unavailable(reason: str) -> OpenItem:
    return OpenItem(kind=OPEN_ITEM_KIND_SURVEILLANCE_UNAVAILABLE, reason=reason)


def _check(
    day: date, status: DayStatus, override: CloseOverride | None, by: Submitter, zone: tzinfo
) -> None:
    """Raises `NotClosable` unless all checks are met, or a second approver overrides the rest."""
    name, unmet = day.isoformat(), status.unmet
    if status.state == DAY_STATE_CLOSED:
        raise NotClosable(name, f"it is already closed, by {status.closed_by}")
    if override is None:
        if unmet:
            first_items = "; ".join(
                f"{check.name} ({describe(check.open_items[0], zone)})"
                for check in status.checks
                if not check.met
            )
            raise NotClosable(name, f"checks not met: {first_items}", unmet)
        return
    if set(override.checks) != set(unmet) or len(override.checks) != len(unmet):
        raise NotClosable(
            name,
            "the override must list exactly the checks that are not met: "
            + (", ".join(unmet) or "none"),
            unmet,
        )
    if not unmet:
        raise NotClosable(name, "all checks are met, remove the override")
    if not override.by.strip() or override.by == by.author:
        raise NotClosable(
            name, "the override needs a second approver, not the person who closes", unmet
        )
    if not override.reason.strip():
        raise NotClosable(name, "the override needs a reason", unmet)


async def _variances(ledger: DatabaseSnapshot, day: date) -> list[Variance]:
    """The remainders on trays and boxes, written off so that the next day begins at zero."""
    rows = await ledger.fetch(VARIANCES, {"day": day})
    return [
        Variance(table_id=row["table_id"], account=row["code"], cents=row["cents"]) for row in rows
    ]


async def _enter(locked: CommandLock, event: CageEvent) -> None:
    (source,) = await locked.append(topics.CAGE_EVENTS, [event])
    if found := await asyncio.to_thread(read_rejection, locked.connection, source):
        raise NotClosable(event.gaming_day, f"its close was rejected: {found[1]}")
