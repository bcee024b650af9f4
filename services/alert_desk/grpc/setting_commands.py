"""Exclusions, thresholds, levels, suppressions: checked, appended to their topic, read back.

One at a time over all instances, by a lock of the database: what is checked is what the tables
know of everything that was set before. The answer comes when the tables have read it back; whoever
judges by it reads the same topic. The topic is its own journal: it has who set what, when and why.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final
from uuid import uuid4

from alert_desk.config import Settings
from alert_desk.grpc.access import author
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
from wire import topics
from wire.vocabulary import write_time

AHEAD_US: Final = 5_000_000
"""A clock of ours may be so much behind that of whoever states a time."""
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
        """What was begun is finished, also if the caller has gone."""
        return await asyncio.shield(asyncio.ensure_future(self._change(request.change, author())))

    async def _change(self, said: SettingChange, by: str) -> ChangeSettingResponse:
        async with self._journal.writing(_LOCK) as desk:
            await self._catch_up(desk)
            if said.change_id:
                rows = await desk.ask(_KNOWN, [said.change_id])
                if rows:
                    return ChangeSettingResponse(change=SettingChange.FromString(rows[0]["change"]))
            change = _complete(said, by, desk.now)
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
        """Waits until the tables have read so far."""
        deadline = time.monotonic() + self._seconds_max
        while True:
            (row,) = await desk.ask(_POSITION, [CONSUMER, self._topic])
            if row["next"] >= offset:
                return True
            if time.monotonic() > deadline:
                return False
            await asyncio.sleep(LOOK_SECONDS)


def _complete(said: SettingChange, by: str, now: int) -> SettingChange:
    """With all that the service states."""
    change = SettingChange()
    change.CopyFrom(said)
    change.change_id = said.change_id or str(uuid4())
    change.author = by
    stamp = write_time(now)
    assert stamp is not None
    change.recorded_at.CopyFrom(stamp)
    if not said.HasField("valid_from"):
        change.valid_from.CopyFrom(stamp)
        return change
    valid_from = time_of("change.valid_from", said.valid_from)
    if valid_from < now - AHEAD_US and not said.needs_rebuild:
        raise InvalidQuery(
            "change.valid_from",
            "it is over: what was judged since then is judged anew only when surveillance is made"
            " anew; say so with needs_rebuild",
        )
    return change


def _remarks(change: SettingChange) -> list[str]:
    if change.needs_rebuild:
        return ["what was judged since then changes when surveillance is made anew"]
    return []
