"""Status, assignee and decision of each alert: the result of its audit log, as rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from psycopg import Connection
from psycopg.rows import dict_row

from alert_desk.domain.workflow import NEW, AlertVersion, Decision, Work, WorkState
from alert_desk.postgres.audit_log import AuditTransaction
from runtime.database.query import Row

_COLUMNS: Final = (
    "state", "decision", "reason", "assignee", "changed_by", "changed_at", "decided_generation",
    "decided_revision", "decided_evidence", "decided_level", "reopened",
)  # fmt: skip
_WRITE: Final = f"""
INSERT INTO work (alert_id, {", ".join(_COLUMNS)})
VALUES (%(alert_id)s, {", ".join(f"%({name})s" for name in _COLUMNS)})
ON CONFLICT (alert_id) DO UPDATE
SET {", ".join(f"{name} = excluded.{name}" for name in _COLUMNS)}
"""
_READ: Final = "SELECT * FROM work WHERE alert_id = %s"
_CLOSED: Final = f"SELECT * FROM work WHERE alert_id = ANY(%s) AND state = {WorkState.CLOSED:d}"


async def read(desk: AuditTransaction, alert_id: str) -> Work:
    rows = await desk.fetch(_READ, [alert_id])
    return _work(rows[0]) if rows else NEW


async def write(desk: AuditTransaction, alert_id: str, work: Work) -> None:
    await desk.fetch(_WRITE, _values(alert_id, work, desk.now))


def read_closed(connection: Connection[Any], ids: Sequence[str]) -> dict[str, Work]:
    with connection.cursor(row_factory=dict_row) as cursor:
        return {row["alert_id"]: _work(row) for row in cursor.execute(_CLOSED, [list(ids)])}


def write_sync(connection: Connection[Any], alert_id: str, work: Work, now: int) -> None:
    connection.execute(_WRITE, _values(alert_id, work, now))


def _work(row: Row) -> Work:
    decided = AlertVersion(
        generation=row["decided_generation"],
        revision=row["decided_revision"],
        evidence_count=row["decided_evidence"],
        level=row["decided_level"],
    )
    return Work(
        state=WorkState(row["state"]),
        decision=Decision(row["decision"]),
        reason=row["reason"],
        assignee=row["assignee"],
        changed_by=row["changed_by"],
        reopened=row["reopened"],
        decided=decided if row["state"] == WorkState.CLOSED else None,
    )


def _values(alert_id: str, work: Work, now: int) -> dict[str, Any]:
    then = work.decided or AlertVersion(0, 0, 0, 0)
    return {
        "alert_id": alert_id,
        "state": int(work.state),
        "decision": int(work.decision),
        "reason": work.reason,
        "assignee": work.assignee,
        "changed_by": work.changed_by,
        "changed_at": now,
        "decided_generation": then.generation,
        "decided_revision": then.revision,
        "decided_evidence": then.evidence_count,
        "decided_level": then.level,
        "reopened": work.reopened,
    }
