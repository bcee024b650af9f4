"""Alerts acknowledged, looked into, decided, opened again, given to somebody, noted on.

Each is one transaction: the alert as it stands, the step that the work flow allows, the row, the
journal. The same command again is answered with what it came to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from alert_desk.domain import workflow
from alert_desk.domain.workflow import Decision, NotPossible, Standing, Work
from alert_desk.grpc.access import author
from alert_desk.grpc.alert_queries import Alerts
from alert_desk.grpc.errors import ChangedSince, NotFound, Refused
from alert_desk.kafka.projection import standing
from alert_desk.postgres import alert_work
from alert_desk.postgres.alert_filters import case_number
from alert_desk.postgres.audit_log import Desk, Entry, Journal
from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.work_pb2 import Decision as DecisionNumber
from casino.surveillance.v1.work_pb2 import JournalEntry, WorkedAlert
from runtime.query_errors import BadQuestion, member

Step = Callable[[Work, Standing], Work]
_IS_CASE: Final = "SELECT 1 FROM cases WHERE number = %s"


class Working:
    def __init__(self, journal: Journal, alerts: Alerts) -> None:
        self._journal = journal
        self._alerts = alerts

    async def acknowledge(self, request: pb.AcknowledgeRequest) -> WorkedAlert:
        by = author()
        return await self._step(
            request, "acknowledged", lambda work, _: workflow.acknowledge(work, by=by)
        )

    async def review(self, request: pb.ReviewRequest) -> WorkedAlert:
        by = author()
        return await self._step(
            request,
            "taken into review",
            lambda work, _: workflow.review(work, by=by),
            text=request.note,
        )

    async def decide(self, request: pb.DecideRequest) -> WorkedAlert:
        by = author()
        reason = stated("reason", request.reason)
        decision = Decision(member("decision", request.decision, DecisionNumber.values()))

        def step(work: Work, alert: Standing) -> Work:
            if request.revision and request.revision != alert.revision:
                raise ChangedSince(request.alert_id, request.revision, alert.revision)
            return workflow.decide(work, alert, decision, reason=reason, by=by)

        return await self._step(request, "decided", step, text=reason)

    async def reopen(self, request: pb.ReopenRequest) -> WorkedAlert:
        by = author()
        reason = stated("reason", request.reason)
        return await self._step(
            request, "reopened", lambda work, _: workflow.reopen(work, by=by), text=reason
        )

    async def assign(self, request: pb.AssignRequest) -> WorkedAlert:
        assignee = request.assignee.strip()
        return await self._step(
            request,
            "assigned",
            lambda work, _: workflow.assign(work, assignee),
            text=assignee or "nobody",
        )

    async def note(self, request: pb.AddNoteRequest) -> JournalEntry:
        text = stated("text", request.text)
        about = request.WhichOneof("about")
        if about is None:
            raise BadQuestion("alert_id", "say which alert or which case it is about")
        async with self._journal.writing() as desk:
            if known := await desk.known(request.command_id):
                return known
            alert_id, number = "", 0
            if about == "alert_id":
                alert_id = await self._alerts.find(request.alert_id, desk)
            else:
                number = case_number("case_number", request.case_number)
                if not await desk.ask(_IS_CASE, [number]):
                    raise NotFound("case", str(number))
            entry = Entry(
                author(),
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
        step: Step,
        *,
        text: str = "",
    ) -> WorkedAlert:
        async with self._journal.writing() as desk:
            alert_id = await self._alerts.find(request.alert_id, desk)
            if not await desk.known(request.command_id):
                await self._take(desk, alert_id, action, step, text, request.command_id)
            return await self._alerts.get(alert_id, with_hidden=True, asked=desk)

    async def _take(
        self, desk: Desk, alert_id: str, action: str, step: Step, text: str, command_id: str
    ) -> None:
        worked = await self._alerts.get(alert_id, with_hidden=True, asked=desk)
        alert = standing(worked.alert)
        before = await alert_work.read(desk, alert_id)
        try:
            after = step(before, alert)
        except NotPossible as refused:
            raise Refused(f"alert {alert_id}", refused.reason) from None
        await alert_work.write(desk, alert_id, after)
        await desk.append(
            Entry(
                author(),
                action,
                alert_id=alert_id,
                revision=alert.revision,
                text=text,
                state=int(after.state) if after.state is not before.state else 0,
                decision=int(after.decision),
                command_id=command_id or None,
            )
        )


def stated(field: str, text: str) -> str:
    """What must be said."""
    if not text.strip():
        raise BadQuestion(field, "it must be stated")
    return text.strip()
