"""The alert desk, as one of the services that are asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final, TypeVar

import grpc

from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceStub
from pitctl.connection.channel import Place, Service

if TYPE_CHECKING:
    from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceAsyncStub

T = TypeVar("T")
PAGE_MAX: Final = 500


def _stub(channel: grpc.aio.Channel) -> SurveillanceServiceAsyncStub:
    return SurveillanceServiceStub(channel)


DESK: Final = Service(
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


def ask(place: Place, question: Callable[[SurveillanceServiceAsyncStub], Awaitable[T]]) -> T:
    """Ask one thing and wait for the answer."""
    return DESK.ask(place, question)
