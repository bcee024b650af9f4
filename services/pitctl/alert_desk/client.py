"""The client of the alert desk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import grpc

from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceStub
from pitctl.connection.channel import ServiceClient

if TYPE_CHECKING:
    from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceAsyncStub


def _stub(channel: grpc.aio.Channel) -> SurveillanceServiceAsyncStub:
    return SurveillanceServiceStub(channel)


ALERT_DESK: Final = ServiceClient(
    name="alert_desk",
    noun="alert desk",
    address_setting="ALERT_DESK_ADDRESS",
    stub=_stub,
    commands={
        "ListAlerts": "alerts",
        "GetAlert": "alerts show",
        "Acknowledge": "alerts acknowledge",
        "Review": "alerts review",
        "Decide": "alerts decide",
        "Reopen": "alerts reopen",
        "Rebuild": "alerts rebuild",
        "ListCases": "case",
        "GetCase": "case show",
        "ListExclusions": "exclude list",
    },
)
