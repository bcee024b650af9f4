"""Patrons that the surveillance room excludes before the day begins."""

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


def exclude(alert_desk: Endpoint, day: SimulatedDay) -> int:
    """Exclude the patrons that the ground truth names; return their number.

    The day is in the past, so the exclusions are valid from a past time, which the command must
    state. No event of that day has been read yet, so there is nothing to rebuild.
    """
    patrons = [truth.patron for truth in day.truths if truth.pattern == "excluded patron"]
    since = min(frame.ingested_at for frame in day.frames)

    async def change_settings(stub: SurveillanceServiceAsyncStub) -> None:
        for patron in patrons:
            change = SettingChange(
                reason="excluded for the demonstration",
                valid_from=write_time(since),
                needs_rebuild=True,
                patron_excluded=PatronExcluded(patron=patron, basis=EXCLUSION_BASIS_HOUSE),
            )
            await stub.ChangeSetting(ChangeSettingRequest(change=change))

    ALERT_DESK.call(alert_desk, change_settings)
    return len(patrons)
