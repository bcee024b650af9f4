"""Conditions on alerts that the indexes answer."""

from __future__ import annotations

from typing import Any, Final

from google.protobuf.timestamp_pb2 import Timestamp

from alert_desk.kafka.decoder import is_time
from casino.settlement.v1.finding_pb2 import Level
from casino.surveillance.v1.service_pb2 import ListAlertsRequest
from casino.surveillance.v1.work_pb2 import Decision, WorkState
from runtime.database.column_values import column_text, micros
from runtime.query_errors import InvalidQuery, member
from runtime.rpc.page_tokens import RowLimit

PAGES: Final = RowLimit(usual=50, most=500)
WORDS_MAX: Final = 10
BIGINT_MAX: Final = 2**63 - 1
_SAME: Final = ("table_id", "dealer", "patron", "round", "coupon", "label")


def conditions(
    request: ListAlertsRequest, *, with_hidden: bool
) -> tuple[list[str], dict[str, Any]]:
    """Conditions that must all hold, on `a`, an alert, and `w`, its work.

    A caller who may not see masked alerts may not find them by their hidden fields either.
    """
    where: list[str] = []
    values: dict[str, Any] = {}
    if request.level:
        where.append("a.level <= %(level)s")
        values["level"] = member("level", request.level, Level.values())
    if request.kind:
        where.append("a.kind ^@ %(kind)s")
        values["kind"] = column_text(request.kind)
    for name in _SAME:
        if text := getattr(request, name):
            where.append(f"a.{name} = %({name})s")
            values[name] = column_text(text)
    if request.assignee:
        where.append("w.assignee = %(assignee)s")
        values["assignee"] = request.assignee
    if request.states:
        where.append("coalesce(w.state, 1) = ANY(%(states)s)")
        known = WorkState.values()
        values["states"] = [member("states", state, known) for state in request.states]
    if request.decision:
        where.append("w.decision = %(decision)s")
        values["decision"] = member("decision", request.decision, Decision.values())
    if request.case_number:
        where.append(
            "a.id IN (SELECT alert_id FROM case_alerts WHERE case_number = %(case_number)s)"
        )
        values["case_number"] = case_number("case_number", request.case_number)
    if request.HasField("from"):
        where.append("a.changed_at >= %(from)s")
        values["from"] = time_of("from", getattr(request, "from"))
    if request.HasField("until"):
        where.append("a.raised_at < %(until)s")
        values["until"] = time_of("until", request.until)
    words = request.text.lower().split()
    if len(words) > WORDS_MAX:
        raise InvalidQuery("text", f"at most {WORDS_MAX} words, not {len(words)}")
    for number, word in enumerate(words):
        where.append(f"strpos(a.words, %(word_{number})s) > 0")
        values[f"word_{number}"] = word
    hidden_fields = (
        words,
        request.kind,
        request.label,
        request.dealer,
        request.patron,
        request.coupon,
    )
    if not with_hidden and any(hidden_fields):
        where.append("NOT a.tells_hole_card")
    if not request.with_withdrawn:
        where.append("a.stands")
    if not request.with_suppressed:
        where.append("NOT a.suppressed")
    return where, values


def time_of(field: str, time: Timestamp) -> int:
    if not is_time(time):
        raise InvalidQuery(field, "expected a time from 1970 to 8999")
    return micros(time)


def case_number(field: str, number: int) -> int:
    if not 0 < number <= BIGINT_MAX:
        raise InvalidQuery(field, f"expected a number from 1, not {number}")
    return number
