"""Alerts as rows of a page, and the feeds that tell of them.

There are two feeds: one for those who may know a hole card before it is shown, one for the others.
Each is one watch of the desk, in the name of the console, with a role that sees just so much.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from casino.settlement.v1.finding_pb2 import Level as WireLevel
from casino.surveillance.v1.alert_pb2 import Alert, AlertState
from casino.surveillance.v1.service_pb2 import GetAlertRequest, WatchRequest
from casino.surveillance.v1.work_pb2 import Decision, Work, WorkedAlert, WorkState
from console.grpc.clients import ServiceClients
from console.grpc.property_status import PropertyStatus
from console.grpc.shared_feed import KEEP_ALIVE, FeedItem, SharedFeed
from console.users.roles import Role
from console.users.user import User
from console.web.display.addresses import hand_address
from console.web.template_engine import Templates

STATES: Final = {
    WorkState.WORK_STATE_NEW: "new",
    WorkState.WORK_STATE_ACKNOWLEDGED: "acknowledged",
    WorkState.WORK_STATE_IN_REVIEW: "in review",
    WorkState.WORK_STATE_CLOSED: "closed",
}
DECISIONS: Final = {
    Decision.DECISION_CONFIRMED: "confirmed",
    Decision.DECISION_ERROR: "error without intent",
    Decision.DECISION_ADVANTAGE_PLAY: "advantage play",
    Decision.DECISION_FALSE_ALARM: "false alarm",
}
SEES_HIDDEN: Final = frozenset({Role.SURVEILLANCE, Role.AUDITOR, Role.ADMINISTRATOR})


@dataclass(frozen=True, slots=True)
class AlertRow:
    """An alert as a list shows it."""

    alert: Alert
    work: Work
    masked: bool
    level: str
    raised_at: datetime
    state: str
    decision: str
    is_withdrawn: bool
    hand: str
    """Where the hand is shown that it is about; empty where there is none."""


def row_of(worked: WorkedAlert) -> AlertRow:
    alert = worked.alert
    return AlertRow(
        alert=alert,
        work=worked.work,
        masked=worked.masked,
        level=WireLevel.Name(alert.level).removeprefix("LEVEL_") if alert.level else "P4",
        raised_at=alert.raised_at.ToDatetime(UTC),
        state=STATES.get(worked.work.state, "new"),
        decision=DECISIONS.get(worked.work.decision, ""),
        is_withdrawn=alert.state == AlertState.ALERT_STATE_WITHDRAWN,
        hand=hand_address(alert.table_id, alert.round) if alert.round else "",
    )


class AlertFeeds:
    def __init__(
        self, clients: ServiceClients, templates: Templates, property_status: PropertyStatus
    ) -> None:
        self._clients = clients
        self._templates = templates
        self._property_status = property_status
        self._places: dict[Role, str] = {}
        """How far each watch was: it goes on there when the desk is back."""
        self._whole = SharedFeed("alerts", lambda: self._follow(Role.AUDITOR))
        self._masked = SharedFeed("alerts, masked", lambda: self._follow(Role.PIT))

    def feed_for(self, user: User) -> SharedFeed:
        return self._whole if user.roles & SEES_HIDDEN else self._masked

    def end(self) -> None:
        self._whole.end()
        self._masked.end()

    @property
    def pages(self) -> int:
        return self._whole.pages + self._masked.pages

    async def _follow(self, role: Role) -> AsyncIterator[FeedItem]:
        """Rows to put into the list, each drawn once for all who look."""
        watcher = User(0, "console", "", frozenset({role}), one_time=False)
        question = WatchRequest(
            journal=role in SEES_HIDDEN, resume_token=self._places.get(role, "")
        )
        metadata = self._clients.metadata_for(watcher)
        async for said in self._clients.alerts.Watch(question, metadata=metadata):
            self._places[role] = said.resume_token
            match said.WhichOneof("what"):
                case "alert" if said.alert.revision <= 1:
                    work = Work(state=WorkState.WORK_STATE_NEW)
                    yield self._drawn(WorkedAlert(alert=said.alert, work=work, masked=said.masked))
                case "alert":
                    yield self._drawn(await self._asked(said.alert.id, watcher))
                case "entry" if said.entry.alert_id:
                    yield self._drawn(await self._asked(said.entry.alert_id, watcher))
                case _:
                    yield KEEP_ALIVE

    async def _asked(self, alert_id: str, watcher: User) -> WorkedAlert:
        answer = await self._clients.alerts.GetAlert(
            GetAlertRequest(alert_id=alert_id), metadata=self._clients.metadata_for(watcher)
        )
        return answer.alert

    def _drawn(self, worked: WorkedAlert) -> FeedItem:
        values = {"row": row_of(worked), "property": self._property_status.known, "is_live": True}
        return ("alert", self._templates.render("alert_row.html", values))
