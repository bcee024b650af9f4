"""The gRPC service: checks the caller's rights and passes each call to its handler."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final

import grpc
from google.protobuf.message import Message

from alert_desk.grpc.access import (
    ADMINISTER,
    VIEW_ALERTS,
    VIEW_CASES,
    VIEW_EXCLUSIONS,
    WORK,
    check_person,
    may_read_audit_log,
    may_see_hidden,
)
from alert_desk.grpc.alert_commands import AlertCommands
from alert_desk.grpc.alert_queries import AlertQueries
from alert_desk.grpc.alert_stream import AlertStream
from alert_desk.grpc.case_commands import CaseCommands
from alert_desk.grpc.case_queries import CaseQueries
from alert_desk.grpc.errors import PermissionDenied
from alert_desk.grpc.replay_client import ReplayClient, ReplayUnavailable
from alert_desk.grpc.setting_commands import SettingCommands
from alert_desk.grpc.setting_queries import SettingQueries
from alert_desk.grpc.status import AlertDeskStatus
from alert_desk.grpc.webhook_commands import WebhookCommands
from alert_desk.postgres.audit_log import AuditLog
from alert_desk.postgres.rebuild import rebuild
from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.service_pb2_grpc import (
    SurveillanceServiceServicer,
    add_SurveillanceServiceServicer_to_server,
)
from runtime.database.pools import AsyncPool
from runtime.rpc.access import Access
from runtime.rpc.server import Servicer
from runtime.rpc.text_limits import reject_bad_texts

SERVICE: Final = "casino.surveillance.v1.SurveillanceService"
NAME_MAX: Final = 200
LONG: Final = {
    "reason": 2_000, "note": 10_000, "text": 10_000, "conclusion": 10_000, "words": 2_000,
    "url": 2_000, "resume_token": 10_000, "page_token": 10_000,
}  # fmt: skip
"""Maximum characters of fields that are longer than a name."""
Context = grpc.aio.ServicerContext[Any, Any]


@dataclass(frozen=True, slots=True)
class AlertDeskHandlers:
    """The handlers of the RPCs."""

    pool: AsyncPool
    prefix: str
    alerts: AlertQueries
    journal: AuditLog
    working: AlertCommands
    cases: CaseCommands
    case_reading: CaseQueries
    changes: SettingCommands
    settings: SettingQueries
    webhooks: WebhookCommands
    watching: AlertStream
    replaying: ReplayClient
    status: AlertDeskStatus


class AlertDeskServicer(SurveillanceServiceServicer):
    """`casino.surveillance.v1.SurveillanceService`."""

    def __init__(self, desk: AlertDeskHandlers) -> None:
        self._desk = desk

    def servicer(self) -> Servicer:
        return Servicer(SERVICE, lambda to: add_SurveillanceServiceServicer_to_server(self, to))

    # Alerts ---------------------------------------------------------------------------

    async def CountUrgentAlerts(  # noqa: N802
        self, request: pb.CountUrgentAlertsRequest, context: Context
    ) -> pb.CountUrgentAlertsResponse:
        del context
        _check(request, VIEW_ALERTS)
        return await self._desk.status.count_urgent(request)

    async def ListAlerts(  # noqa: N802
        self, request: pb.ListAlertsRequest, context: Context
    ) -> pb.ListAlertsResponse:
        del context
        _check(request, VIEW_ALERTS)
        return await self._desk.alerts.page(request, with_hidden=may_see_hidden())

    async def GetAlert(  # noqa: N802
        self, request: pb.GetAlertRequest, context: Context
    ) -> pb.GetAlertResponse:
        del context
        _check(request, VIEW_ALERTS)
        alert_id = await self._desk.alerts.find(request.alert_id)
        found = await self._desk.alerts.get(alert_id, with_hidden=may_see_hidden())
        answer = pb.GetAlertResponse(alert=found)
        if may_read_audit_log():
            answer.journal.extend(await self._desk.journal.of_alert(alert_id))
        if request.with_replay and found.masked:
            answer.without_replay = "the round is not over"
        elif request.with_replay:
            try:
                replay = await self._desk.replaying.replay(found.alert, request.round)
                answer.replay.CopyFrom(replay)
            except ReplayUnavailable as none:
                answer.without_replay = str(none)
        return answer

    def Watch(  # noqa: N802
        self, request: pb.WatchRequest, context: Context
    ) -> AsyncIterator[pb.WatchResponse]:
        del context
        _check(request, VIEW_ALERTS)
        if request.journal and not may_read_audit_log():
            raise PermissionDenied("journal: the role pit may not read notes and activity")
        return self._desk.watching.watch(request, with_hidden=may_see_hidden())

    async def Acknowledge(  # noqa: N802
        self, request: pb.AcknowledgeRequest, context: Context
    ) -> pb.AcknowledgeResponse:
        del context
        _check(request, WORK)
        return pb.AcknowledgeResponse(alert=await self._desk.working.acknowledge(request))

    async def Review(  # noqa: N802
        self, request: pb.ReviewRequest, context: Context
    ) -> pb.ReviewResponse:
        del context
        _check(request, WORK)
        return pb.ReviewResponse(alert=await self._desk.working.review(request))

    async def Decide(  # noqa: N802
        self, request: pb.DecideRequest, context: Context
    ) -> pb.DecideResponse:
        del context
        _check(request, WORK)
        return pb.DecideResponse(alert=await self._desk.working.decide(request))

    async def Reopen(  # noqa: N802
        self, request: pb.ReopenRequest, context: Context
    ) -> pb.ReopenResponse:
        del context
        _check(request, WORK)
        return pb.ReopenResponse(alert=await self._desk.working.reopen(request))

    async def Assign(  # noqa: N802
        self, request: pb.AssignRequest, context: Context
    ) -> pb.AssignResponse:
        del context
        _check(request, WORK)
        return pb.AssignResponse(alert=await self._desk.working.assign(request))

    async def AddNote(  # noqa: N802
        self, request: pb.AddNoteRequest, context: Context
    ) -> pb.AddNoteResponse:
        del context
        _check(request, WORK)
        return pb.AddNoteResponse(entry=await self._desk.working.note(request))

    # Cases ----------------------------------------------------------------------------

    async def OpenCase(  # noqa: N802
        self, request: pb.OpenCaseRequest, context: Context
    ) -> pb.OpenCaseResponse:
        del context
        _check(request, WORK)
        return pb.OpenCaseResponse(case=await self._desk.cases.open(request))

    async def AddToCase(  # noqa: N802
        self, request: pb.AddToCaseRequest, context: Context
    ) -> pb.AddToCaseResponse:
        del context
        _check(request, WORK)
        return pb.AddToCaseResponse(case=await self._desk.cases.add(request))

    async def HoldEvidence(  # noqa: N802
        self, request: pb.HoldEvidenceRequest, context: Context
    ) -> pb.HoldEvidenceResponse:
        del context
        _check(request, WORK)
        return pb.HoldEvidenceResponse(case=await self._desk.cases.hold(request))

    async def ReleaseEvidence(  # noqa: N802
        self, request: pb.ReleaseEvidenceRequest, context: Context
    ) -> pb.ReleaseEvidenceResponse:
        del context
        _check(request, WORK)
        return pb.ReleaseEvidenceResponse(case=await self._desk.cases.release(request))

    async def SetDeadline(  # noqa: N802
        self, request: pb.SetDeadlineRequest, context: Context
    ) -> pb.SetDeadlineResponse:
        del context
        _check(request, WORK)
        return pb.SetDeadlineResponse(case=await self._desk.cases.set_deadline(request))

    async def MeetDeadline(  # noqa: N802
        self, request: pb.MeetDeadlineRequest, context: Context
    ) -> pb.MeetDeadlineResponse:
        del context
        _check(request, WORK)
        return pb.MeetDeadlineResponse(case=await self._desk.cases.meet_deadline(request))

    async def CloseCase(  # noqa: N802
        self, request: pb.CloseCaseRequest, context: Context
    ) -> pb.CloseCaseResponse:
        del context
        _check(request, WORK)
        return pb.CloseCaseResponse(case=await self._desk.cases.close(request))

    async def ListCases(  # noqa: N802
        self, request: pb.ListCasesRequest, context: Context
    ) -> pb.ListCasesResponse:
        del context
        _check(request, VIEW_CASES)
        return await self._desk.case_reading.page(request)

    async def GetCase(  # noqa: N802
        self, request: pb.GetCaseRequest, context: Context
    ) -> pb.GetCaseResponse:
        del context
        _check(request, VIEW_CASES)
        return pb.GetCaseResponse(case=await self._desk.case_reading.get(request.number))

    # Settings -------------------------------------------------------------------------

    async def ChangeSetting(  # noqa: N802
        self, request: pb.ChangeSettingRequest, context: Context
    ) -> pb.ChangeSettingResponse:
        del context
        _check(request, WORK)
        return await self._desk.changes.change(request)

    async def ListSettings(  # noqa: N802
        self, request: pb.ListSettingsRequest, context: Context
    ) -> pb.ListSettingsResponse:
        del context
        _check(request, VIEW_CASES)
        return await self._desk.settings.in_force(request)

    async def ListSettingChanges(  # noqa: N802
        self, request: pb.ListSettingChangesRequest, context: Context
    ) -> pb.ListSettingChangesResponse:
        del context
        _check(request, VIEW_CASES)
        return await self._desk.settings.changes(request)

    async def ListExclusions(  # noqa: N802
        self, request: pb.ListExclusionsRequest, context: Context
    ) -> pb.ListExclusionsResponse:
        del context
        _check(request, VIEW_EXCLUSIONS)
        return await self._desk.settings.exclusions(request)

    # Webhooks -------------------------------------------------------------------------

    async def SetWebhook(  # noqa: N802
        self, request: pb.SetWebhookRequest, context: Context
    ) -> pb.SetWebhookResponse:
        del context
        _check(request, WORK)
        return await self._desk.webhooks.set(request)

    async def RemoveWebhook(  # noqa: N802
        self, request: pb.RemoveWebhookRequest, context: Context
    ) -> pb.RemoveWebhookResponse:
        del context
        _check(request, WORK)
        await self._desk.webhooks.remove(request.name)
        return pb.RemoveWebhookResponse()

    async def ListWebhooks(  # noqa: N802
        self, request: pb.ListWebhooksRequest, context: Context
    ) -> pb.ListWebhooksResponse:
        del context
        _check(request, VIEW_CASES)
        return pb.ListWebhooksResponse(webhooks=await self._desk.webhooks.every())

    async def TestWebhook(  # noqa: N802
        self, request: pb.TestWebhookRequest, context: Context
    ) -> pb.TestWebhookResponse:
        del context
        _check(request, WORK)
        return await self._desk.webhooks.test(request.name)

    # The alert desk itself ------------------------------------------------------------

    async def GetStatus(  # noqa: N802
        self, request: pb.GetStatusRequest, context: Context
    ) -> pb.GetStatusResponse:
        del context
        _check(request, VIEW_ALERTS)
        return await self._desk.status.get(with_hidden=may_see_hidden())

    def Rebuild(  # noqa: N802
        self, request: pb.RebuildRequest, context: Context
    ) -> AsyncIterator[pb.RebuildResponse]:
        del context
        _check(request, ADMINISTER)
        return rebuild(self._desk.pool, self._desk.status, self._desk.prefix)


def _check(request: Message, access: Access) -> None:
    """Reject texts that no row can hold, and persons without a role whom an operator names."""
    check_person(access)
    reject_bad_texts(request, NAME_MAX, longer=LONG)
