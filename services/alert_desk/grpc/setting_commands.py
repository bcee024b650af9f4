"""Exclusions, thresholds, priorities, suppressions: validated, appended to their topic, read back.

One at a time over all instances, by a lock of the database: a change is validated against all
earlier ones. The call returns when the tables have read the change back; surveillance reads the
same topic. The topic is its own audit log: it has author, time and reason of every change.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final
from uuid import uuid4

from alert_desk.config import Settings
from alert_desk.grpc.errors import AlertDeskBehind, ChangeUnacknowledged, SettingNotApplied
from alert_desk.grpc.setting_checks import check_by_itself, check_with_others
from alert_desk.kafka.decoder import about
from alert_desk.kafka.projection import CONSUMER
from alert_desk.postgres.alert_filters import time_of
from alert_desk.postgres.audit_log import AuditLog, AuditTransaction
from casino.surveillance.v1.service_pb2 import ChangeSettingRequest, ChangeSettingResponse
from casino.surveillance.v1.settings_pb2 import SettingChange
from runtime.kafka.end_offsets import EndOffsets
from runtime.kafka.producer import AcknowledgedProducer, NotWritten
from runtime.kafka.records import Output
from runtime.positions import Partition
from runtime.query_errors import InvalidQuery
from runtime.rpc.calls import caller_name
from wire import topics
from wire.vocabulary import write_time

AHEAD_US: Final = 5_000_000
"""Tolerance between this machine's clock and the caller's."""
LOOK_SECONDS: Final = 0.02
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('alert_desk settings', 0))"
_KNOWN: Final = "SELECT change FROM setting_changes WHERE change_id = %s"
_POSITION: Final = """
SELECT coalesce(max(next_offset), 0) AS next FROM consumed_positions
WHERE consumer = %s AND topic = %s
"""
_PLACE: Final = Partition(topics.SURVEILLANCE_SETTINGS, 0)


class SettingCommands:
    def __init__(
        self,
        settings: Settings,
        journal: AuditLog,
        producer: AcknowledgedProducer,
        ends: EndOffsets,
    ) -> None:
        self._journal = journal
        self._producer = producer
        self._ends = ends
        self._topic = settings.topic_prefix + topics.SURVEILLANCE_SETTINGS
        self._seconds_max = settings.command_seconds_max

    async def change(self, request: ChangeSettingRequest) -> ChangeSettingResponse:
        """Apply a change; one that was begun is finished even if the caller goes away."""
        return await asyncio.shield(
            asyncio.ensure_future(self._change(request.change, caller_name()))
        )

    async def _change(self, stated: SettingChange, by: str) -> ChangeSettingResponse:
        async with self._journal.transaction(_LOCK) as desk:
            await self._catch_up(desk)
            if stated.change_id:
                rows = await desk.fetch(_KNOWN, [stated.change_id])
                if rows:
                    return ChangeSettingResponse(change=SettingChange.FromString(rows[0]["change"]))
            change = _complete(stated, by, desk.now)
            check_by_itself(change)
            await check_with_others(desk, change)
            offset = await self._append(change)
            if not await self._reach(desk, offset + 1):
                raise SettingNotApplied(change.change_id, self._seconds_max)
        return ChangeSettingResponse(change=change, remarks=_remarks(change))

    async def _catch_up(self, desk: AuditTransaction) -> None:
        ends = await self._ends.of([topics.SURVEILLANCE_SETTINGS])
        if not await self._reach(desk, ends[_PLACE]):
            raise AlertDeskBehind(ends[_PLACE], self._seconds_max)

    async def _append(self, change: SettingChange) -> int:
        value = change.SerializeToString(deterministic=True)
        output = Output(self._topic, value, about(change).encode(), partition=0)
        try:
            (position,) = await self._producer.send([output])
        except NotWritten as failed:
            raise ChangeUnacknowledged(change.change_id, failed.error.str()) from None
        return position.offset

    async def _reach(self, desk: AuditTransaction, offset: int) -> bool:
        """Wait until the tables have read up to this offset."""
        deadline = time.monotonic() + self._seconds_max
        while True:
            (row,) = await desk.fetch(_POSITION, [CONSUMER, self._topic])
            if row["next"] >= offset:
                return True
            if time.monotonic() > deadline:
                return False
            await asyncio.sleep(LOOK_SECONDS)


def _complete(stated: SettingChange, by: str, now: int) -> SettingChange:
    """The change with the fields that the service sets."""
    change = SettingChange()
    change.CopyFrom(stated)
    change.change_id = stated.change_id or str(uuid4())
    change.author = by
    stamp = write_time(now)
    assert stamp is not None
    change.recorded_at.CopyFrom(stamp)
    if not stated.HasField("valid_from"):
        change.valid_from.CopyFrom(stamp)
        return change
    valid_from = time_of("change.valid_from", stated.valid_from)
    if valid_from < now - AHEAD_US and not stated.needs_rebuild:
        raise InvalidQuery(
            "change.valid_from",
            "must not be in the past: alerts since then change only by a rebuild of surveillance;"
            " set needs_rebuild to accept that",
        )
    return change


def _remarks(change: SettingChange) -> list[str]:
    if change.needs_rebuild:
        return ["alerts since then change when surveillance is rebuilt"]
    return []
