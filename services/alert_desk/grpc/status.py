"""The state of the alert desk, and the open P1 alerts that keep a gaming day from closing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from alert_desk.config import Settings
from alert_desk.grpc.alert_queries import AlertQueries
from alert_desk.grpc.errors import AlertDeskBehind
from alert_desk.kafka.projection import CONSUMER, READ
from alert_desk.postgres.alert_filters import time_of
from casino.surveillance.v1 import service_pb2 as pb
from runtime.database.query import Database
from runtime.database.rebuild import count_unread, is_rebuilding, read_offsets
from runtime.kafka.end_offsets import EndOffsets
from runtime.positions import Partition
from runtime.query_errors import InvalidQuery
from wire.vocabulary import write_time

NAMED_MAX: Final = 100
CATCH_UP_SECONDS_MAX: Final = 3.0
LOOK_SECONDS: Final = 0.05
_COUNTS: Final = """
SELECT a.level, coalesce(w.state, 1) AS state, count(*) AS count
FROM alerts a LEFT JOIN work w ON w.alert_id = a.id
WHERE a.stands AND NOT a.suppressed GROUP BY 1, 2 ORDER BY 1, 2
"""
_OLDEST: Final = """
SELECT a.id FROM alerts a LEFT JOIN work w ON w.alert_id = a.id
WHERE a.stands AND NOT a.suppressed AND a.level = 1 AND coalesce(w.state, 1) = 1
ORDER BY a.raised_at, a.id LIMIT 1
"""
_OTHERS: Final = """
SELECT
    (SELECT count(*) FROM cases c LEFT JOIN case_closings x ON x.case_number = c.number
        WHERE x.case_number IS NULL) AS open_cases,
    (SELECT count(*) FROM deadlines d LEFT JOIN deadlines_met m ON m.deadline = d.number
        WHERE m.deadline IS NULL AND d.due_at <= %(now)s) AS missed_deadlines,
    (SELECT count(*) FROM deliveries
        WHERE delivered_at IS NULL AND given_up_at IS NULL) AS webhooks_waiting,
    (SELECT count(*) FROM unreadable) AS unreadable
"""
_URGENT: Final = """
SELECT a.id, a.kind, a.table_id, a.raised_at, count(*) OVER () AS open
FROM alerts a LEFT JOIN work w ON w.alert_id = a.id
WHERE a.stands AND NOT a.suppressed AND a.level = 1 AND coalesce(w.state, 1) <> 4
    AND a.raised_at >= %(from)s AND a.raised_at < %(until)s
ORDER BY a.raised_at, a.id LIMIT %(limit)s
"""


class AlertDeskStatus:
    def __init__(
        self,
        settings: Settings,
        database: Database,
        ends: EndOffsets,
        alerts: AlertQueries,
        clock: Callable[[], int],
    ) -> None:
        self._settings = settings
        self._database = database
        self._ends = ends
        self._alerts = alerts
        self._clock = clock

    async def get(self, *, with_hidden: bool) -> pb.GetStatusResponse:
        # The tables first: messages that arrive meanwhile make the lag too large, never negative.
        stored = await read_offsets(self._database, CONSUMER)
        positions = self._without_prefix(stored)
        counts = await self._database.fetch(_COUNTS)
        oldest = await self._database.fetch(_OLDEST)
        (others,) = await self._database.fetch(_OTHERS, {"now": self._clock()})
        ends = await self.ends()
        return pb.GetStatusResponse(
            lag=count_unread(positions, ends),
            alerts=[
                pb.AlertCount(level=row["level"], state=row["state"], count=row["count"])
                for row in counts
            ],
            oldest_urgent=(
                await self._alerts.get(oldest[0]["id"], with_hidden=with_hidden) if oldest else None
            ),
            rebuilding=await is_rebuilding(self._database, stored),
            property=self._settings.property_name,
            time_zone=self._settings.property_time_zone,
            **others,
        )

    async def count_urgent(
        self, request: pb.CountUrgentAlertsRequest
    ) -> pb.CountUrgentAlertsResponse:
        """Count open P1 alerts, once every alert in the topic at the time of the call is read."""
        begins_at = time_of("from", getattr(request, "from"))
        ends_at = time_of("until", request.until)
        if not begins_at < ends_at:
            raise InvalidQuery("until", "must be after from")
        await self.catch_up()
        values = {"from": begins_at, "until": ends_at, "limit": NAMED_MAX}
        rows = await self._database.fetch(_URGENT, values)
        return pb.CountUrgentAlertsResponse(
            open=rows[0]["open"] if rows else 0,
            alert_ids=[row["id"] for row in rows],
            alerts=[
                pb.UrgentAlert(
                    id=row["id"],
                    kind=row["kind"],
                    table_id=row["table_id"],
                    raised_at=write_time(row["raised_at"]),
                )
                for row in rows
            ],
        )

    async def catch_up(self) -> None:
        ends = await self.ends()
        deadline = time.monotonic() + CATCH_UP_SECONDS_MAX
        while unread := count_unread(await self.positions(), ends):
            if time.monotonic() > deadline:
                raise AlertDeskBehind(unread, CATCH_UP_SECONDS_MAX)
            await asyncio.sleep(LOOK_SECONDS)

    async def ends(self) -> dict[Partition, int]:
        return await self._ends.of(READ)

    async def positions(self) -> dict[Partition, int]:
        """The next offset of each partition, by topic without the prefix."""
        return self._without_prefix(await read_offsets(self._database, CONSUMER))

    def _without_prefix(self, offsets: dict[Partition, int]) -> dict[Partition, int]:
        prefix = self._settings.topic_prefix
        return {
            Partition(at.topic.removeprefix(prefix), at.partition): offset
            for at, offset in offsets.items()
        }
