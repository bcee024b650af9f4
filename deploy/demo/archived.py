"""Waits until the archive has indexed the day, so that its rounds can be queried."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from casino.settlement.v1.service_pb2 import GetStatusRequest, GetStatusResponse
from pitctl.archive.client import ADDRESS, find_archive, query_archive
from pitctl.connection.channel import IDENTITY, Endpoint

if TYPE_CHECKING:
    from casino.settlement.v1.service_pb2_grpc import SettlementServiceAsyncStub

LOOK_SECONDS: Final = 0.2
STILL_SECONDS_MAX: Final = 60.0


class NotIndexing(Exception):
    """The archive makes no progress."""

    def __init__(self, lag: int, seconds: float) -> None:
        self.lag = lag
        super().__init__(
            f"the round archive has indexed nothing for {seconds:.0f} s; {lag:,} messages waiting"
        )


def archive_of(environment: Mapping[str, str]) -> Endpoint:
    return find_archive(environment.get(ADDRESS, ""), environment.get(IDENTITY, ""))


def wait_until_indexed(archive: Endpoint, report: Callable[[int], None]) -> None:
    """Return when every message of settlement is indexed; `report` gets the number waiting."""
    least, moved_at = -1, time.monotonic()
    while lag := query_archive(archive, _status).index_lag:
        report(lag)
        if least < 0 or lag < least:
            least, moved_at = lag, time.monotonic()
        elif (still := time.monotonic() - moved_at) > STILL_SECONDS_MAX:
            raise NotIndexing(lag, still)
        time.sleep(LOOK_SECONDS)
    report(0)


async def _status(archive: SettlementServiceAsyncStub) -> GetStatusResponse:
    return await archive.GetStatus(GetStatusRequest())
