"""Queries of alerts."""

from __future__ import annotations

from typing import Final

from alert_desk.grpc.errors import AmbiguousAlert, RecordNotFound
from alert_desk.grpc.masking import visible_alert
from alert_desk.grpc.video_retention import VideoRetention
from alert_desk.postgres.alert_filters import PAGES, conditions
from alert_desk.postgres.audit_log import AuditTransaction
from casino.surveillance.v1.alert_pb2 import Alert
from casino.surveillance.v1.service_pb2 import ListAlertsRequest, ListAlertsResponse
from casino.surveillance.v1.work_pb2 import Work, WorkedAlert
from runtime.database.column_values import column_text
from runtime.database.query import Database, DatabaseSnapshot, Row
from runtime.query_errors import InvalidQuery
from runtime.rpc.page_tokens import Paging
from wire.vocabulary import write_time

CANDIDATES_MAX: Final = 5
ID_MIN: Final = 4
"""Characters: fewer would name too many."""
PAGE_BYTES_MAX: Final = 2 * 1024 * 1024
"""An alert with all of its evidence has some kilobytes, and a response at most 4 MiB: a page ends
early rather than fails."""
_KEYS: Final = {"raised_at": int, "id": str}
_COLUMNS: Final = """
a.id, a.alert, a.raised_at, coalesce(w.state, 1) AS state, coalesce(w.decision, 0) AS decision,
    coalesce(w.reason, '') AS reason, coalesce(w.assignee, '') AS assignee,
    coalesce(w.changed_by, '') AS changed_by, coalesce(w.changed_at, 0) AS changed_at,
    coalesce(w.reopened, 0) AS reopened,
    ARRAY(SELECT c.case_number FROM case_alerts c WHERE c.alert_id = a.id ORDER BY 1) AS cases,
    EXISTS (
        SELECT FROM holds h LEFT JOIN hold_releases r ON r.hold = h.number
        WHERE h.alert_id = a.id AND r.hold IS NULL
    ) AS is_held
"""
_LIST: Final = f"""
SELECT {_COLUMNS}, sum(octet_length(a.alert)) OVER (ORDER BY a.raised_at DESC, a.id DESC) AS bytes
FROM (
    SELECT a.id, a.alert, a.raised_at FROM alerts a LEFT JOIN work w ON w.alert_id = a.id
    {{where}}
    ORDER BY a.raised_at DESC, a.id DESC
    LIMIT {{limit}}
) a LEFT JOIN work w ON w.alert_id = a.id
ORDER BY a.raised_at DESC, a.id DESC
"""
_ONE: Final = f"""
SELECT {_COLUMNS} FROM alerts a LEFT JOIN work w ON w.alert_id = a.id WHERE a.id = %s
"""
_BEGINS: Final = "SELECT id FROM alerts WHERE id ^@ %s ORDER BY id = %s DESC, id LIMIT %s"
_OF_CASE: Final = f"""
SELECT {_COLUMNS} FROM case_alerts ca JOIN alerts a ON a.id = ca.alert_id
    LEFT JOIN work w ON w.alert_id = a.id
WHERE ca.case_number = %s ORDER BY ca.ordinal
"""
Queryable = Database | DatabaseSnapshot | AuditTransaction


class AlertQueries:
    def __init__(self, database: Database, video: VideoRetention) -> None:
        self._database = database
        self._video = video

    async def page(self, request: ListAlertsRequest, *, with_hidden: bool) -> ListAlertsResponse:
        paging = Paging(request, PAGES.of(request.page_size), request.page_token, _KEYS, of="a")
        where, values = conditions(request, with_hidden=with_hidden)
        query = _LIST.format(where=paging.where(where, values), limit=paging.limit)
        rows = await self._database.fetch(query, values)
        page, token = paging.cut(rows, lambda row: row["bytes"] <= PAGE_BYTES_MAX)
        return ListAlertsResponse(
            alerts=[self.read(row, with_hidden=with_hidden) for row in page], next_page_token=token
        )

    async def find(self, begins: str, source: Queryable | None = None) -> str:
        """The id of the one alert whose id begins with this text."""
        if len(begins) < ID_MIN:
            raise InvalidQuery("alert_id", f'"{begins}" is too short: at least {ID_MIN} characters')
        values = [column_text(begins), column_text(begins), CANDIDATES_MAX]
        rows = await (source or self._database).fetch(_BEGINS, values)
        if not rows:
            raise RecordNotFound("alert", begins)
        ids = [row["id"] for row in rows]
        if len(ids) > 1 and ids[0] != begins:
            raise AmbiguousAlert(begins, ids)
        return str(ids[0])

    async def get(
        self, alert_id: str, *, with_hidden: bool, source: Queryable | None = None
    ) -> WorkedAlert:
        rows = await (source or self._database).fetch(_ONE, [alert_id])
        if not rows:
            raise RecordNotFound("alert", alert_id)
        return self.read(rows[0], with_hidden=with_hidden)

    async def of_case(
        self, source: Queryable, number: int, *, with_hidden: bool
    ) -> list[WorkedAlert]:
        rows = await source.fetch(_OF_CASE, [number])
        return [self.read(row, with_hidden=with_hidden) for row in rows]

    def read(self, row: Row, *, with_hidden: bool) -> WorkedAlert:
        published = Alert.FromString(row["alert"])
        alert, masked = visible_alert(published, with_hidden=with_hidden)
        work = Work(
            state=row["state"],
            decision=row["decision"],
            reason=row["reason"],
            assignee=row["assignee"],
            changed_by=row["changed_by"],
            changed_at=write_time(row["changed_at"]),
            cases=row["cases"],
            video_until=write_time(self._video.until(published)),
            is_held=row["is_held"],
            reopened=row["reopened"],
        )
        return WorkedAlert(alert=alert, work=work, masked=masked)
