"""Commands on cases: open, add, hold and release evidence, set and meet deadlines, close.

Every change is an added row, and an entry of the audit log: no row of a case is ever changed or
deleted. A closed case takes notes, and nothing else.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Final

from alert_desk.domain.workflow import Decision, WorkState
from alert_desk.grpc.alert_commands import require_text
from alert_desk.grpc.alert_queries import AlertQueries
from alert_desk.grpc.case_queries import CaseQueries
from alert_desk.grpc.deadlines import RULE_WORDS, due_at
from alert_desk.grpc.errors import ActionRejected, RecordNotFound
from alert_desk.grpc.video_retention import VideoRetention
from alert_desk.postgres.alert_filters import case_number, time_of
from alert_desk.postgres.audit_log import AuditLog, AuditRecord, AuditTransaction
from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.case_pb2 import Case, CasePerson
from casino.surveillance.v1.work_pb2 import Decision as DecisionNumber
from property_calendar.gaming_day import Calendar
from runtime.database.query import Row
from runtime.query_errors import InvalidQuery, member
from runtime.rpc.calls import caller_name

ADDED_MAX: Final = 200
"""Alerts and people that one call may add."""
_OPEN: Final = """
INSERT INTO cases (title, opened_at, opened_by) VALUES (%s, %s, %s) RETURNING number
"""
_CASE: Final = """
SELECT c.*, x.closed_by FROM cases c LEFT JOIN case_closings x ON x.case_number = c.number
WHERE c.number = %s
"""
_ADD_ALERT: Final = """
INSERT INTO case_alerts (case_number, alert_id) VALUES (%s, %s) ON CONFLICT DO NOTHING
RETURNING alert_id
"""
_ADD_PERSON: Final = """
INSERT INTO case_people (case_number, role, name, words) VALUES (%s, %s, %s, %s)
ON CONFLICT DO NOTHING RETURNING name
"""
_HOLD: Final = """
INSERT INTO holds (case_number, table_id, begins_at, ends_at, alert_id, reason, held_by, held_at,
    video_until)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING number
"""
_RELEASE: Final = """
INSERT INTO hold_releases (hold, released_by, released_at, reason)
SELECT number, %(by)s, %(at)s, %(reason)s FROM holds
WHERE number = %(hold)s AND case_number = %(case)s
ON CONFLICT DO NOTHING RETURNING hold
"""
_HELD: Final = "SELECT 1 FROM holds WHERE number = %s AND case_number = %s"
_DEADLINE: Final = """
INSERT INTO deadlines (case_number, words, rule, begins_at, due_at) VALUES (%s, %s, %s, %s, %s)
RETURNING number
"""
_MEET: Final = """
INSERT INTO deadlines_met (deadline, met_by, met_at, words)
SELECT number, %(by)s, %(at)s, %(words)s FROM deadlines
WHERE number = %(deadline)s AND case_number = %(case)s
ON CONFLICT DO NOTHING RETURNING deadline
"""
_SET: Final = "SELECT 1 FROM deadlines WHERE number = %s AND case_number = %s"
_FIRST: Final = """
SELECT min(a.raised_at) AS at FROM case_alerts c JOIN alerts a ON a.id = c.alert_id
WHERE c.case_number = %s
"""
_UNDECIDED: Final = f"""
SELECT c.alert_id AS id FROM case_alerts c LEFT JOIN alerts a ON a.id = c.alert_id
    LEFT JOIN work w ON w.alert_id = c.alert_id
WHERE c.case_number = %s AND coalesce(a.stands, true)
    AND coalesce(w.state, 1) <> {WorkState.CLOSED:d}
ORDER BY c.ordinal
"""
_UNMET: Final = """
SELECT d.words FROM deadlines d LEFT JOIN deadlines_met m ON m.deadline = d.number
WHERE d.case_number = %s AND m.deadline IS NULL ORDER BY d.due_at
"""
_CLOSE: Final = """
INSERT INTO case_closings (case_number, closed_at, closed_by, countersigned_by, outcome, conclusion)
VALUES (%s, %s, %s, %s, %s, %s)
"""


class CaseCommands:
    def __init__(
        self,
        journal: AuditLog,
        alerts: AlertQueries,
        reading: CaseQueries,
        *,
        calendar: Calendar,
        video: VideoRetention,
    ) -> None:
        self._journal = journal
        self._alerts = alerts
        self._reading = reading
        self._calendar = calendar
        self._video = video

    async def open(self, request: pb.OpenCaseRequest) -> Case:
        title = require_text("title", request.title)
        async with self._journal.transaction() as desk:
            done = await desk.find_command(request.command_id)
            if done is not None:
                number = done.case_number
            else:
                (row,) = await desk.fetch(_OPEN, [title, desk.now, caller_name()])
                number = row["number"]
                await self._record(desk, number, "opened", title, request.command_id)
                await self._add(desk, number, request.alert_ids, request.people)
                if request.note.strip():
                    await self._record(desk, number, "noted", request.note.strip())
        return await self._reading.get(number)

    async def add(self, request: pb.AddToCaseRequest) -> Case:
        if not (request.alert_ids or request.people):
            raise InvalidQuery("alert_ids", "set alert_ids, people or both")
        async with self._open_case(request) as (desk, row):
            if row is not None:
                number = row["number"]
                added = await self._add(
                    desk, number, request.alert_ids, request.people, request.command_id
                )
                if not added:
                    raise ActionRejected(f"case {number}", "the case has all of them already")
        return await self._reading.get(request.number)

    async def hold(self, request: pb.HoldEvidenceRequest) -> Case:
        table = require_text("table_id", request.table_id)
        reason = require_text("reason", request.reason)
        begins_at = time_of("from", getattr(request, "from"))
        ends_at = time_of("until", request.until)
        if not begins_at < ends_at:
            raise InvalidQuery("until", "must be after from")
        async with self._open_case(request) as (desk, row):
            if row is not None:
                await self._hold(
                    desk, row["number"], table, begins_at, ends_at, reason=reason,
                    video_until=self._video.kept(begins_at), command_id=request.command_id,
                )  # fmt: skip
        return await self._reading.get(request.number)

    async def release(self, request: pb.ReleaseEvidenceRequest) -> Case:
        reason = require_text("reason", request.reason)
        hold = case_number("hold", request.hold)
        async with self._open_case(request) as (desk, row):
            if row is not None:
                number = row["number"]
                values = {
                    "hold": hold, "case": number, "by": caller_name(), "at": desk.now,
                    "reason": reason,
                }  # fmt: skip
                if not await desk.fetch(_RELEASE, values):
                    if not await desk.fetch(_HELD, [hold, number]):
                        raise RecordNotFound(f"hold of case {number}", str(hold))
                    raise ActionRejected(f"case {number}", f"hold {hold} is released already")
                text = f"hold {hold}: {reason}"
                await self._record(desk, number, "released", text, request.command_id)
        return await self._reading.get(request.number)

    async def set_deadline(self, request: pb.SetDeadlineRequest) -> Case:
        words = require_text("words", request.words)
        async with self._open_case(request) as (desk, row):
            if row is not None:
                number = row["number"]
                begins_at = await self._begins_at(desk, request)
                due = due_at(self._calendar, request, begins_at)
                values = [number, words, request.rule, begins_at, due]
                (made,) = await desk.fetch(_DEADLINE, values)
                text = f"deadline {made['number']}, {RULE_WORDS[request.rule]}: {words}"
                await self._record(desk, number, "given a deadline", text, request.command_id)
        return await self._reading.get(request.number)

    async def meet_deadline(self, request: pb.MeetDeadlineRequest) -> Case:
        words = require_text("words", request.words)
        deadline = case_number("deadline", request.deadline)
        async with self._open_case(request) as (desk, row):
            if row is not None:
                number = row["number"]
                values = {
                    "deadline": deadline, "case": number, "by": caller_name(), "at": desk.now,
                    "words": words,
                }  # fmt: skip
                if not await desk.fetch(_MEET, values):
                    if not await desk.fetch(_SET, [deadline, number]):
                        raise RecordNotFound(f"deadline of case {number}", str(deadline))
                    raise ActionRejected(f"case {number}", f"deadline {deadline} is met already")
                text = f"deadline {deadline}: {words}"
                await self._record(desk, number, "met a deadline", text, request.command_id)
        return await self._reading.get(request.number)

    async def close(self, request: pb.CloseCaseRequest) -> Case:
        """Close a case; the person who opened it needs a second person to close or countersign."""
        conclusion = require_text("conclusion", request.conclusion)
        outcome = Decision(member("outcome", request.outcome, DecisionNumber.values()))
        other = request.countersigned_by.strip()
        async with self._open_case(request) as (desk, row):
            if row is not None:
                number, by = row["number"], caller_name()
                if other == by:
                    raise InvalidQuery(
                        "countersigned_by", f'"{other}" closes it: name another person'
                    )
                if row["opened_by"] == by and not other:
                    raise ActionRejected(
                        f"case {number}",
                        f"{by} opened it: another person must close or countersign it",
                    )
                await self._check_done(desk, number)
                values = [number, desk.now, by, other, int(outcome), conclusion]
                await desk.fetch(_CLOSE, values)
                text = f"{outcome.words}: {conclusion}"
                if other:
                    text += f" (countersigned by {other})"
                await self._record(desk, number, "closed", text, request.command_id)
        return await self._reading.get(request.number)

    # Shared by the commands -----------------------------------------------------------

    @asynccontextmanager
    async def _open_case(
        self,
        request: (
            pb.AddToCaseRequest
            | pb.HoldEvidenceRequest
            | pb.ReleaseEvidenceRequest
            | pb.SetDeadlineRequest
            | pb.MeetDeadlineRequest
            | pb.CloseCaseRequest
        ),
    ) -> AsyncIterator[tuple[AuditTransaction, Row | None]]:
        """The open case; None where the command was done before."""
        number = case_number("number", request.number)
        async with self._journal.transaction() as desk:
            rows = await desk.fetch(_CASE, [number])
            if not rows:
                raise RecordNotFound("case", str(number))
            if await desk.find_command(request.command_id):
                yield desk, None
                return
            if rows[0]["closed_by"] is not None:
                raise ActionRejected(f"case {number}", f"closed by {rows[0]['closed_by']}")
            yield desk, rows[0]

    async def _add(
        self,
        desk: AuditTransaction,
        number: int,
        alert_ids: Iterable[str],
        people: Iterable[CasePerson],
        command_id: str = "",
    ) -> int:
        """Add alerts and people; return how many are new. The video of alerts is held at once."""
        alerts, persons = list(alert_ids), list(people)
        if len(alerts) + len(persons) > ADDED_MAX:
            raise InvalidQuery("alert_ids", f"at most {ADDED_MAX} alerts and people in one call")
        added = 0
        for begins in alerts:
            alert_id = await self._alerts.find(begins, desk)
            if not await desk.fetch(_ADD_ALERT, [number, alert_id]):
                continue
            added += 1
            await self._record(desk, number, "alert added", "", command_id, alert_id=alert_id)
            command_id = ""  # the first entry carries it
            await self._hold_alert(desk, number, alert_id)
        for person in persons:
            role, name = (
                require_text("people.role", person.role),
                require_text("people.name", person.name),
            )
            if not await desk.fetch(_ADD_PERSON, [number, role, name, person.words]):
                continue
            added += 1
            await self._record(desk, number, "person added", f"{role} {name}", command_id)
            command_id = ""
        return added

    async def _hold_alert(self, desk: AuditTransaction, number: int, alert_id: str) -> None:
        worked = await self._alerts.get(alert_id, with_hidden=True, source=desk)
        for table, begins_at, ends_at in self._video.stretches(worked.alert):
            await self._hold(
                desk, number, table, begins_at, ends_at, alert_id=alert_id,
                reason=f"alert {alert_id}", video_until=self._video.until(worked.alert),
            )  # fmt: skip

    async def _hold(
        self,
        desk: AuditTransaction,
        number: int,
        table: str,
        begins_at: int,
        ends_at: int,
        *,
        reason: str,
        video_until: int,
        alert_id: str = "",
        command_id: str = "",
    ) -> None:
        values = [
            number, table, begins_at, ends_at, alert_id, reason, caller_name(), desk.now,
            video_until,
        ]  # fmt: skip
        (row,) = await desk.fetch(_HOLD, values)
        late = " (too late: the video was gone)" if desk.now > video_until else ""
        text = f"hold {row['number']}, table {table}: {reason}{late}"
        await self._record(desk, number, "held", text, command_id)

    async def _begins_at(self, desk: AuditTransaction, request: pb.SetDeadlineRequest) -> int:
        if request.HasField("begins_at"):
            return time_of("begins_at", request.begins_at)
        (row,) = await desk.fetch(_FIRST, [request.number])
        return desk.now if row["at"] is None else int(row["at"])

    async def _check_done(self, desk: AuditTransaction, number: int) -> None:
        undecided = await desk.fetch(_UNDECIDED, [number])
        if undecided:
            named = ", ".join(row["id"] for row in undecided)
            raise ActionRejected(f"case {number}", f"undecided alerts: {named}")
        unmet = await desk.fetch(_UNMET, [number])
        if unmet:
            named = "; ".join(row["words"] for row in unmet)
            raise ActionRejected(f"case {number}", f"open deadlines: {named}")

    async def _record(
        self,
        desk: AuditTransaction,
        number: int,
        action: str,
        text: str,
        command_id: str = "",
        *,
        alert_id: str = "",
    ) -> None:
        await desk.append(
            AuditRecord(
                caller_name(),
                action,
                alert_id=alert_id,
                case_number=number,
                text=text,
                command_id=command_id or None,
            )
        )
