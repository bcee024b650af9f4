"""Queries of cases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from alert_desk.grpc.access import may_see_hidden
from alert_desk.grpc.alert_queries import AlertQueries
from alert_desk.grpc.errors import RecordNotFound
from alert_desk.postgres.alert_filters import PAGES, case_number, time_of
from alert_desk.postgres.audit_log import AuditLog
from casino.surveillance.v1.case_pb2 import (
    CASE_STATE_CLOSED,
    CASE_STATE_OPEN,
    Case,
    CasePerson,
    CaseState,
    CaseSummary,
    Deadline,
    Hold,
)
from casino.surveillance.v1.service_pb2 import ListCasesRequest, ListCasesResponse
from casino.surveillance.v1.work_pb2 import DECISION_UNSPECIFIED
from runtime.database.query import Database, Row
from runtime.query_errors import InvalidQuery, member
from runtime.rpc.page_tokens import Paging
from wire.vocabulary import write_time

WORDS_MAX: Final = 10
_KEYS: Final = {"number": int}
_SUMMARY: Final = """
SELECT c.number, c.title, c.opened_at, c.opened_by, x.closed_at, x.closed_by, x.outcome,
    x.conclusion, (SELECT count(*) FROM case_alerts a WHERE a.case_number = c.number) AS alerts,
    d.*
FROM cases c LEFT JOIN case_closings x ON x.case_number = c.number
LEFT JOIN LATERAL (
    SELECT d.number AS deadline, d.words, d.rule, d.begins_at, d.due_at,
        '' AS met_by, 0 AS met_at, '' AS met_words
    FROM deadlines d LEFT JOIN deadlines_met m ON m.deadline = d.number
    WHERE d.case_number = c.number AND m.deadline IS NULL
    ORDER BY d.due_at, d.number LIMIT 1
) d ON true
"""
_LIST: Final = _SUMMARY + "{where} ORDER BY c.number DESC LIMIT {limit}"
_ONE: Final = _SUMMARY + "WHERE c.number = %s"
_PEOPLE: Final = "SELECT * FROM case_people WHERE case_number = %s ORDER BY ordinal"
_HOLDS: Final = """
SELECT h.*, r.released_by, r.released_at FROM holds h
    LEFT JOIN hold_releases r ON r.hold = h.number
WHERE h.case_number = %s ORDER BY h.number
"""
_DEADLINES: Final = """
SELECT d.number AS deadline, d.words, d.rule, d.begins_at, d.due_at,
    coalesce(m.met_by, '') AS met_by, coalesce(m.met_at, 0) AS met_at,
    coalesce(m.words, '') AS met_words
FROM deadlines d LEFT JOIN deadlines_met m ON m.deadline = d.number
WHERE d.case_number = %s ORDER BY d.due_at, d.number
"""
_HAS_WORD: Final = """
(strpos(lower(c.title), %({name})s) > 0
    OR EXISTS (SELECT FROM journal j
        WHERE j.case_number = c.number AND strpos(lower(j.text), %({name})s) > 0)
    OR EXISTS (SELECT FROM case_people p
        WHERE p.case_number = c.number AND strpos(lower(p.name || ' ' || p.words), %({name})s) > 0))
"""


class CaseQueries:
    def __init__(
        self, database: Database, journal: AuditLog, alerts: AlertQueries, clock: Callable[[], int]
    ) -> None:
        self._database = database
        self._journal = journal
        self._alerts = alerts
        self._clock = clock

    async def page(self, request: ListCasesRequest) -> ListCasesResponse:
        paging = Paging(request, PAGES.of(request.page_size), request.page_token, _KEYS, of="c")
        where, values = _conditions(request)
        query = _LIST.format(where=paging.where(where, values), limit=paging.limit)
        page, token = paging.cut(await self._database.fetch(query, values))
        now = self._clock()
        return ListCasesResponse(cases=[_summary(row, now) for row in page], next_page_token=token)

    async def get(self, number: int) -> Case:
        case_number("number", number)
        now = self._clock()
        async with self._database.snapshot() as snapshot:
            rows = await snapshot.fetch(_ONE, [number])
            if not rows:
                raise RecordNotFound("case", str(number))
            alerts = await self._alerts.of_case(snapshot, number, with_hidden=may_see_hidden())
            people = await snapshot.fetch(_PEOPLE, [number])
            holds = await snapshot.fetch(_HOLDS, [number])
            deadlines = await snapshot.fetch(_DEADLINES, [number])
        return Case(
            summary=_summary(rows[0], now),
            alerts=alerts,
            people=[
                CasePerson(role=row["role"], name=row["name"], words=row["words"]) for row in people
            ],
            holds=[_hold(row) for row in holds],
            deadlines=[_deadline(row, now) for row in deadlines],
            journal=await self._journal.of_case(number),
            closed_by=rows[0]["closed_by"] or "",
            conclusion=rows[0]["conclusion"] or "",
        )


def _conditions(request: ListCasesRequest) -> tuple[list[str], dict[str, Any]]:
    where: list[str] = []
    values: dict[str, Any] = {}
    if request.state:
        state = member("state", request.state, CaseState.values())
        is_open = "IS NULL" if state == CASE_STATE_OPEN else "IS NOT NULL"
        where.append(f"x.case_number {is_open}")
    if request.HasField("due_before"):
        where.append("d.due_at < %(due_before)s")
        values["due_before"] = time_of("due_before", request.due_before)
    words = request.text.lower().split()
    if len(words) > WORDS_MAX:
        raise InvalidQuery("text", f"at most {WORDS_MAX} words, not {len(words)}")
    for number, word in enumerate(words):
        where.append(_HAS_WORD.format(name=f"word_{number}"))
        values[f"word_{number}"] = word
    return where, values


def _summary(row: Row, now: int) -> CaseSummary:
    is_closed = row["closed_at"] is not None
    return CaseSummary(
        number=row["number"],
        title=row["title"],
        state=CASE_STATE_CLOSED if is_closed else CASE_STATE_OPEN,
        opened_at=write_time(row["opened_at"]),
        opened_by=row["opened_by"],
        alerts=row["alerts"],
        next_deadline=None if row["deadline"] is None else _deadline(row, now),
        closed_at=write_time(row["closed_at"] or 0),
        outcome=row["outcome"] or DECISION_UNSPECIFIED,
    )


def _deadline(row: Row, now: int) -> Deadline:
    """A deadline; one that is met has no time left to count down."""
    left = 0 if row["met_at"] else (row["due_at"] - now) // 1_000_000
    return Deadline(
        number=row["deadline"],
        words=row["words"],
        rule=row["rule"],
        begins_at=write_time(row["begins_at"]),
        due_at=write_time(row["due_at"]),
        left_seconds=left,
        met_by=row["met_by"],
        met_at=write_time(row["met_at"]),
        met_words=row["met_words"],
    )


def _hold(row: Row) -> Hold:
    return Hold(
        number=row["number"],
        table_id=row["table_id"],
        until=write_time(row["ends_at"]),
        alert_id=row["alert_id"],
        reason=row["reason"],
        held_by=row["held_by"],
        held_at=write_time(row["held_at"]),
        video_until=write_time(row["video_until"]),
        too_late=row["held_at"] > row["video_until"],
        released_by=row["released_by"] or "",
        released_at=write_time(row["released_at"] or 0),
        **{"from": write_time(row["begins_at"])},
    )
