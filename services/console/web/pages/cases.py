"""Cases: alerts, people and evidence investigated together, with deadlines and outcome."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Final
from uuid import uuid4

import grpc
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.case_pb2 import Case, CaseState, DeadlineRule
from casino.surveillance.v1.work_pb2 import Decision
from console.grpc.alert_feeds import DECISIONS, AlertRow, row_of
from console.users.roles import SEE_CASES, WORK_ALERTS
from console.web.audit import audited
from console.web.errors import InvalidInput
from console.web.form_fields import read_moment
from console.web.guard import form_of, read_route, services_of, text_of, user_of, write_route
from console.web.idempotency import call_options, command_id
from console.web.page import render_page

PAGE_SIZE: Final = 50
WORDS_LENGTH_MAX: Final = 2_000
ADDED_MAX: Final = 50
OTHERS_MAX: Final = 12
TABLES_MAX: Final = 3
RULES: Final = {
    "DEADLINE_RULE_24_HOURS": "in 24 hours",
    "DEADLINE_RULE_72_HOURS": "in 72 hours",
    "DEADLINE_RULE_THREE_BUSINESS_DAYS": "in three business days",
}


async def cases_page(request: Request) -> Response:
    services = services_of(request)
    text, state = (request.query_params.get(name, "").strip()[:80] for name in ("text", "state"))
    states = {"open": CaseState.CASE_STATE_OPEN, "closed": CaseState.CASE_STATE_CLOSED}
    listing = pb.ListCasesRequest(
        text=text, page_size=PAGE_SIZE, page_token=request.query_params.get("page", "")
    )
    if state in states:
        listing.state = states[state]
    answer = await services.clients.alerts.ListCases(
        listing, metadata=services.clients.metadata_for(user_of(request))
    )
    return await render_page(
        request,
        "cases.html",
        cases=answer.cases,
        next_page=answer.next_page_token,
        filters={"text": text, "state": state},
        open_state=CaseState.CASE_STATE_OPEN,
        decisions=DECISIONS,
    )


async def case_page(request: Request) -> Response:
    return await _page(request)


async def add_note(request: Request) -> Response:
    text = _words(request, "note")
    command = pb.AddNoteRequest(
        case_number=_number(request), text=text, command_id=command_id(request)
    )
    return await _work(
        request,
        "note added",
        text,
        services_of(request).clients.alerts.AddNote(command, **call_options(request)),
    )


async def set_deadline(request: Request) -> Response:
    words, rule = _words(request, "words"), text_of(request, "rule")
    if rule not in RULES:
        raise InvalidInput("deadline", "select when it is due")
    command = pb.SetDeadlineRequest(
        number=_number(request),
        words=words,
        rule=DeadlineRule.Value(rule),
        command_id=command_id(request),
    )
    call = services_of(request).clients.alerts.SetDeadline(command, **call_options(request))
    return await _work(request, "deadline set", f"{words}, {RULES[rule]}", call)


async def meet_deadline(request: Request) -> Response:
    number, words = text_of(request, "number"), _words(request, "words")
    if not number.isdecimal():
        raise InvalidInput("deadline", "select a deadline")
    command = pb.MeetDeadlineRequest(
        number=_number(request),
        deadline=int(number),
        words=words,
        command_id=command_id(request),
    )
    return await _work(
        request,
        "deadline met",
        words,
        services_of(request).clients.alerts.MeetDeadline(command, **call_options(request)),
    )


async def hold(request: Request) -> Response:
    """Hold video without an alert's bookmark."""
    prop = await services_of(request).property_status.current(user_of(request))
    table, reason = text_of(request, "table"), _words(request, "reason")
    begin, end = (text_of(request, field) for field in ("from", "until"))
    try:
        command = pb.HoldEvidenceRequest(
            number=_number(request), table_id=table, reason=reason, command_id=command_id(request)
        )
        getattr(command, "from").FromDatetime(read_moment("from", begin, prop.zone))
        command.until.FromDatetime(read_moment("until", end, prop.zone))
    except InvalidInput as error:
        return await _page(request, wrong=str(error), status=400)
    call = services_of(request).clients.alerts.HoldEvidence(command, **call_options(request))
    return await _work(request, "video held", f"{table}, {begin} to {end}: {reason}", call)


async def release(request: Request) -> Response:
    number, reason = text_of(request, "hold"), _words(request, "reason")
    if not number.isdecimal():
        raise InvalidInput("video", "select a hold")
    command = pb.ReleaseEvidenceRequest(
        number=_number(request), hold=int(number), reason=reason, command_id=command_id(request)
    )
    call = services_of(request).clients.alerts.ReleaseEvidence(command, **call_options(request))
    return await _work(request, "video released", f"hold {number}: {reason}", call)


async def add_alerts(request: Request) -> Response:
    chosen = [str(alert_id) for alert_id in form_of(request).getlist("alerts")][:ADDED_MAX]
    if not chosen:
        return await _page(request, wrong="Select at least one alert.", status=400)
    command = pb.AddToCaseRequest(
        number=_number(request), alert_ids=chosen, command_id=command_id(request)
    )
    call = services_of(request).clients.alerts.AddToCase(command, **call_options(request))
    return await _work(request, "alerts added", ", ".join(chosen), call)


async def close(request: Request) -> Response:
    outcome, conclusion = text_of(request, "outcome"), _words(request, "conclusion")
    if outcome not in dict(Decision.items()):
        raise InvalidInput("outcome", "select an outcome")
    command = pb.CloseCaseRequest(
        number=_number(request),
        outcome=Decision.Value(outcome),
        conclusion=conclusion,
        countersigned_by=text_of(request, "countersigned_by"),
        command_id=command_id(request),
    )
    return await _work(
        request,
        "case closed",
        conclusion,
        services_of(request).clients.alerts.CloseCase(command, **call_options(request)),
    )


async def _work(request: Request, what: str, words: str, call: Awaitable[Any]) -> Response:
    number = str(_number(request))
    try:
        await audited(request, call, what=what, subject=f"case {number}", words=words)
    except grpc.aio.AioRpcError as error:
        return await _page(request, wrong=error.details() or error.code().name, status=409)
    return RedirectResponse(f"/cases/{number}", 303)


async def _page(request: Request, *, wrong: str = "", status: int = 200) -> Response:
    services, user = services_of(request), user_of(request)
    answer = await services.clients.alerts.GetCase(
        pb.GetCaseRequest(number=_number(request)), metadata=services.clients.metadata_for(user)
    )
    case = answer.case
    is_open = case.summary.state == CaseState.CASE_STATE_OPEN
    may_work = user.may(WORK_ALERTS)
    return await render_page(
        request,
        "case.html",
        status=status,
        case=case,
        rows=[row_of(worked) for worked in case.alerts],
        is_open=is_open,
        others=await _others(request, case) if is_open and may_work else (),
        outcome=DECISIONS.get(case.summary.outcome, ""),
        decisions=[(Decision.Name(number), words) for number, words in DECISIONS.items()],
        rules=RULES,
        may_work=may_work,
        is_own=case.summary.opened_by == user.name,
        command_id=uuid4().hex,
        wrong=wrong,
    )


async def _others(request: Request, case: Case) -> list[AlertRow]:
    """Alerts of the same tables that are not in the case."""
    known = {worked.alert.id for worked in case.alerts}
    tables = sorted({worked.alert.table_id for worked in case.alerts if worked.alert.table_id})
    found: list[AlertRow] = []
    for table in tables[:TABLES_MAX]:
        answer = await services_of(request).clients.alerts.ListAlerts(
            pb.ListAlertsRequest(table_id=table, page_size=OTHERS_MAX), **call_options(request)
        )
        found += [row_of(worked) for worked in answer.alerts if worked.alert.id not in known]
    return found[:OTHERS_MAX]


def _number(request: Request) -> int:
    return int(request.path_params["number"])


def _words(request: Request, field: str) -> str:
    return text_of(request, field, length_max=WORDS_LENGTH_MAX)


ROUTES: Final = (
    read_route(SEE_CASES, "/cases", cases_page),
    read_route(SEE_CASES, "/cases/{number:int}", case_page),
    write_route(WORK_ALERTS, "/cases/{number:int}/note", add_note),
    write_route(WORK_ALERTS, "/cases/{number:int}/deadline", set_deadline),
    write_route(WORK_ALERTS, "/cases/{number:int}/deadline/met", meet_deadline),
    write_route(WORK_ALERTS, "/cases/{number:int}/hold", hold),
    write_route(WORK_ALERTS, "/cases/{number:int}/release", release),
    write_route(WORK_ALERTS, "/cases/{number:int}/alerts", add_alerts),
    write_route(WORK_ALERTS, "/cases/{number:int}/close", close),
)
