"""The status of the ledger: lag, entries, rejections."""

from __future__ import annotations

from typing import Final

from accounting.config import Settings
from accounting.grpc.commands import now
from accounting.kafka.ledger_projection import CONSUMER, READ
from casino.accounting.v1.service_pb2 import GetStatusResponse
from runtime.database.query import Database
from runtime.kafka.end_offsets import EndOffsets
from runtime.positions import Partition

_POSITIONS: Final = """
SELECT topic, partition, next_offset FROM consumed_positions WHERE consumer = %s
"""
_COUNTS: Final = """
SELECT (SELECT count(*) FROM entries) AS entries, (SELECT count(*) FROM refusals) AS refusals
"""


class LedgerStatus:
    def __init__(self, settings: Settings, database: Database, ends: EndOffsets) -> None:
        self._settings = settings
        self._database = database
        self._ends = ends

    async def get(self) -> GetStatusResponse:
        lag = await self.lag()
        (counts,) = await self._database.fetch(_COUNTS)
        settings = self._settings
        return GetStatusResponse(
            lag=lag,
            entries=counts["entries"],
            refusals=counts["refusals"],
            gaming_day=settings.calendar.day_of(now()).isoformat(),
            property=settings.property_name,
            time_zone=settings.property_time_zone,
            roll_over=settings.gaming_day_roll_over.isoformat("minutes"),
        )

    async def ends(self) -> dict[Partition, int]:
        return await self._ends.of(READ)

    async def lag(self, ends: dict[Partition, int] | None = None) -> int:
        """Messages not posted yet, up to these end offsets; by default, up to the current ones."""
        # The ledger first: messages that arrive meanwhile make the lag too large, never negative.
        rows = await self._database.fetch(_POSITIONS, [CONSUMER])
        prefix = self._settings.topic_prefix
        read = {
            Partition(row["topic"].removeprefix(prefix), row["partition"]): row["next_offset"]
            for row in rows
        }
        goals = ends if ends is not None else await self.ends()
        return sum(max(end - read.get(place, 0), 0) for place, end in goals.items())
