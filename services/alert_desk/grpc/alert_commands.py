"""Commands on alerts: acknowledge, review, decide, reopen, assign, add a note.

Each is one transaction: the current alert, the step that the workflow allows, the row, the audit
log. A command that is repeated returns its first result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from alert_desk.domain import workflow
from alert_desk.domain.workflow import AlertVersion, Decision, StepNotAllowed, Work
from alert_desk.grpc.alert_queries import AlertQueries
from alert_desk.grpc.errors import ActionRejected, AlertChanged, RecordNotFound
from alert_desk.kafka.projection import alert_version
from alert_desk.postgres import alert_work
from alert_desk.postgres.alert_filters import case_number
from alert_desk.postgres.audit_log import AuditLog, AuditRecord, AuditTransaction
from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.work_pb2 import Decision as DecisionNumber
from casino.surveillance.v1.work_pb2 import JournalEntry, WorkedAlert
from runtime.query_errors import InvalidQuery, member
from runtime.rpc.calls import caller_name

WorkflowStep = Callable[[Work, AlertVersion], Work]
_IS_CASE: Final = "SELECT 1 FROM cases WHERE number = %s"


class AlertCommands:
    def __init__(self, journal: AuditLog, alerts: AlertQueries) -> None:
        self._journal = journal
        self._alerts = alerts

    async def acknowledge(self, request: pb.AcknowledgeRequest) -> WorkedAlert:
        by = caller_name()
        return await self._step(
            request, "acknowledged", lambda work, _: workflow.acknowledge(work, by=by)
        )

    async def review(self, request: pb.ReviewRequest) -> WorkedAlert:
        by = caller_name()
        return await self._step(
            request,
            "taken into review",
            lambda work, _: workflow.review(work, by=by),
            text=request.note,
        )

    async def decide(self, request: pb.DecideRequest) -> WorkedAlert:
        by = caller_name()
        reason = require_text("reason", request.reason)
        decision = Decision(member("decision", request.decision, DecisionNumber.values()))

        def step(work: Work, alert: AlertVersion) -> Work:
            if request.revision and request.revision != alert.revision:
                raise AlertChanged(request.alert_id, request.revision, alert.revision)
            return workflow.decide(work, alert, decision, reason=reason, by=by)

        return await self._step(request, "decided", step, text=reason)

    async def reopen(self, request: pb.ReopenRequest) -> WorkedAlert:
        by = caller_name()
        reason = require_text("reason", request.reason)
        return await self._step(
            request, "reopened", lambda work, _: workflow.reopen(work, by=by), text=reason
        )

    async def assign(self, request: pb.AssignRequest) -> WorkedAlert:
        assignee = request.assignee.strip()
        return await self._step(
            request,
            "assigned",
            lambda work, _: workflow.assign(work, assignee),
            text=assignee or "unassigned",
        )

    async def note(self, request: pb.AddNoteRequest) -> JournalEntry:
        text = require_text("text", request.text)
        about = request.WhichOneof("about")
        if about is None:
            raise InvalidQuery("alert_id", "set alert_id or case_number")
        async with self._journal.transaction() as desk:
            if done := await desk.find_command(request.command_id):
                return done
            alert_id, number = "", 0
            if about == "alert_id":
                alert_id = await self._alerts.find(request.alert_id, desk)
            else:
                number = case_number("case_number", request.case_number)
                if not await desk.fetch(_IS_CASE, [number]):
                    raise RecordNotFound("case", str(number))
            entry = AuditRecord(
                caller_name(),
                "noted",
                alert_id=alert_id,
                case_number=number,
                text=text,
                command_id=request.command_id or None,
            )
            return await desk.append(entry)

    async def _step(
        self,
        request: (
            pb.AcknowledgeRequest
            | pb.ReviewRequest
            | pb.DecideRequest
            | pb.ReopenRequest
            | pb.AssignRequest
        ),
        action: str,
        step: WorkflowStep,
        *,
        text: str = "",
    ) -> WorkedAlert:
        async with self._journal.transaction() as desk:
            alert_id = await self._alerts.find(request.alert_id, desk)
            if not await desk.find_command(request.command_id):
                await self._apply(desk, alert_id, action, step, text, request.command_id)
            return await self._alerts.get(alert_id, with_hidden=True, source=desk)

    async def _apply(
        self,
        desk: AuditTransaction,
        alert_id: str,
        action: str,
        step: WorkflowStep,
        text: str,
        command_id: str,
    ) -> None:
        worked = await self._alerts.get(alert_id, with_hidden=True, source=desk)
        alert = alert_version(worked.alert)
        before = await alert_work.read(desk, alert_id)
        try:
            after = step(before, alert)
        except StepNotAllowed as error:
            raise ActionRejected(f"alert {alert_id}", error.reason) from None
        await alert_work.write(desk, alert_id, after)
        await desk.append(
            AuditRecord(
                caller_name(),
                action,
                alert_id=alert_id,
                revision=alert.revision,
                text=text,
                state=int(after.state) if after.state is not before.state else 0,
                decision=int(after.decision),
                command_id=command_id or None,
            )
        )


def require_text(field: str, text: str) -> str:
    """The text without blanks around it; `InvalidQuery` where it is empty."""
    if not text.strip():
        raise InvalidQuery(field, "must not be empty")
    return text.strip()
