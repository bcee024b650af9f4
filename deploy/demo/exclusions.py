"""Whom the surveillance room has excluded before the day begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.surveillance.v1.service_pb2 import ChangeSettingRequest
from casino.surveillance.v1.settings_pb2 import (
    EXCLUSION_BASIS_HOUSE,
    PatronExcluded,
    SettingChange,
)
from pitctl.alert_desk.client import ALERT_DESK
from pitctl.connection.channel import Endpoint
from table_simulator.days.day import SimulatedDay
from wire.vocabulary import write_time

if TYPE_CHECKING:
    from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceAsyncStub


def exclude(desk: Endpoint, day: SimulatedDay) -> int:
    """The list that the truth of the day is: how many are on it.

    The day is one that is over. So the list counts from a time that is over too, which has to be
    said; nothing of that day has been read yet, so that nothing has to be made anew.
    """
    patrons = [truth.patron for truth in day.truths if truth.pattern == "excluded patron"]
    since = min(frame.ingested_at for frame in day.frames)

    async def asked(stub: SurveillanceServiceAsyncStub) -> None:
        for patron in patrons:
            change = SettingChange(
                reason="barred for the demonstration",
                valid_from=write_time(since),
                needs_rebuild=True,
                patron_excluded=PatronExcluded(patron=patron, basis=EXCLUSION_BASIS_HOUSE),
            )
            await stub.ChangeSetting(ChangeSettingRequest(change=change))

    ALERT_DESK.call(desk, asked)
    return len(patrons)
