"""Alerts as rows of a page, and the live feeds of them.

There are two feeds: one for roles that may know a hole card before it is shown, one for others.
Each is one watch of the alert desk by the console, with a role of the same visibility.
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
    """An alert as a row of a list."""

    alert: Alert
    work: Work
    masked: bool
    level: str
    raised_at: datetime
    state: str
    decision: str
    is_withdrawn: bool
    hand: str
    """The address of the hand; empty if there is none."""


def row_of(worked: WorkedAlert) -> AlertRow:
    """Prepare an alert for a list."""
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
    """The two feeds, each shared by all open pages."""

    def __init__(
        self, clients: ServiceClients, templates: Templates, property_status: PropertyStatus
    ) -> None:
        self._clients = clients
        self._templates = templates
        self._property_status = property_status
        self._resume_tokens: dict[Role, str] = {}
        """The position of each watch, to resume from after an interruption."""
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
        """Yield rows for the list, each rendered once for all pages."""
        watcher = User(0, "console", "", frozenset({role}), one_time=False)
        watch = WatchRequest(
            journal=role in SEES_HIDDEN, resume_token=self._resume_tokens.get(role, "")
        )
        metadata = self._clients.metadata_for(watcher)
        async for message in self._clients.alerts.Watch(watch, metadata=metadata):
            self._resume_tokens[role] = message.resume_token
            match message.WhichOneof("what"):
                case "alert" if message.alert.revision <= 1:
                    work = Work(state=WorkState.WORK_STATE_NEW)
                    yield self._render(
                        WorkedAlert(alert=message.alert, work=work, masked=message.masked)
                    )
                case "alert":
                    yield self._render(await self._fetch(message.alert.id, watcher))
                case "entry" if message.entry.alert_id:
                    yield self._render(await self._fetch(message.entry.alert_id, watcher))
                case _:
                    yield KEEP_ALIVE

    async def _fetch(self, alert_id: str, watcher: User) -> WorkedAlert:
        answer = await self._clients.alerts.GetAlert(
            GetAlertRequest(alert_id=alert_id), metadata=self._clients.metadata_for(watcher)
        )
        return answer.alert

    def _render(self, worked: WorkedAlert) -> FeedItem:
        values = {"row": row_of(worked), "property": self._property_status.known}
        return ("alert", self._templates.render("alert_row.html", values))
