"""Alerts: the live list, one alert with its evidence, and what an operator does about it."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Any, Final
from uuid import uuid4

import grpc
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from blackjack.findings import Level
from casino.settlement.v1.finding_pb2 import Level as WireLevel
from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.case_pb2 import CaseState, CaseSummary
from casino.surveillance.v1.work_pb2 import Decision, WorkState
from console.grpc.alert_feeds import DECISIONS, STATES, row_of
from console.users.roles import SEE_ALERTS, WORK_ALERTS
from console.web.audit import audited
from console.web.display.addresses import hand_address
from console.web.errors import InvalidInput
from console.web.event_stream import stream
from console.web.guard import read_route, services_of, text_of, user_of, write_route
from console.web.idempotency import call_options, command_id
from console.web.page import render_page

PAGE_SIZE: Final = 100
CASES_SHOWN: Final = 50
NUMBER_LENGTH_MAX: Final = 18
WORDS_LENGTH_MAX: Final = 1_000
FIELDS: Final = ("level", "state", "table", "text")
OPEN: Final = "open"
_STATE_NAMES: Final = {words: number for number, words in STATES.items()}


async def alerts_page(request: Request) -> Response:
    services, user = services_of(request), user_of(request)
    asked = {name: request.query_params.get(name, "").strip()[:80] for name in FIELDS}
    if not any(asked.values()):
        asked["state"] = OPEN
    answer = await services.clients.alerts.ListAlerts(
        build_list_request(asked, request.query_params.get("page", "")),
        metadata=services.clients.metadata_for(user),
    )
    return await render_page(
        request,
        "alerts.html",
        rows=[row_of(each) for each in answer.alerts],
        next_page=answer.next_page_token,
        asked=asked,
        levels=[each.name for each in Level],
        states=[OPEN, *_STATE_NAMES],
        may_work=user.may(WORK_ALERTS),
        is_live=False,
    )


def build_list_request(asked: dict[str, str], page: str) -> pb.ListAlertsRequest:
    question = pb.ListAlertsRequest(
        table_id=asked["table"], text=asked["text"], page_size=PAGE_SIZE, page_token=page
    )
    if asked["level"] in Level.__members__:
        question.level = WireLevel.Value(f"LEVEL_{asked['level']}")
    if asked["state"] == OPEN:
        question.states.extend(each for each in STATES if each != WorkState.WORK_STATE_CLOSED)
    elif asked["state"] in _STATE_NAMES:
        question.states.append(_STATE_NAMES[asked["state"]])
    return question


async def live(request: Request) -> Response:
    services = services_of(request)
    return stream(request, services.alerts.feed_for(user_of(request)))


async def alert_page(request: Request) -> Response:
    return await _page(request)


async def acknowledge(request: Request) -> Response:
    asked = pb.AcknowledgeRequest(alert_id=_id(request), command_id=command_id(request))
    return await _work(
        request,
        "acknowledged",
        "",
        services_of(request).clients.alerts.Acknowledge(asked, **call_options(request)),
    )


async def review(request: Request) -> Response:
    note = text_of(request, "note", length_max=WORDS_LENGTH_MAX)
    asked = pb.ReviewRequest(alert_id=_id(request), note=note, command_id=command_id(request))
    return await _work(
        request,
        "in review",
        note,
        services_of(request).clients.alerts.Review(asked, **call_options(request)),
    )


async def assign(request: Request) -> Response:
    assignee = text_of(request, "assignee")
    asked = pb.AssignRequest(
        alert_id=_id(request), assignee=assignee, command_id=command_id(request)
    )
    return await _work(
        request,
        "assigned",
        assignee or "nobody",
        services_of(request).clients.alerts.Assign(asked, **call_options(request)),
    )


async def reopen(request: Request) -> Response:
    reason = text_of(request, "reason", length_max=WORDS_LENGTH_MAX)
    asked = pb.ReopenRequest(alert_id=_id(request), reason=reason, command_id=command_id(request))
    return await _work(
        request,
        "opened again",
        reason,
        services_of(request).clients.alerts.Reopen(asked, **call_options(request)),
    )


async def decide(request: Request) -> Response:
    reason = text_of(request, "reason", length_max=WORDS_LENGTH_MAX)
    decision, revision = text_of(request, "decision"), text_of(request, "revision")
    if decision not in dict(Decision.items()) or not revision.isdecimal():
        raise InvalidInput("decision", "choose what it came to")
    asked = pb.DecideRequest(
        alert_id=_id(request),
        decision=Decision.Value(decision),
        reason=reason,
        revision=int(revision),
        command_id=command_id(request),
    )
    words = f"{DECISIONS[asked.decision]}: {reason}"
    return await _work(
        request,
        "decided",
        words,
        services_of(request).clients.alerts.Decide(asked, **call_options(request)),
    )


async def add_note(request: Request) -> Response:
    text = text_of(request, "note", length_max=WORDS_LENGTH_MAX)
    asked = pb.AddNoteRequest(alert_id=_id(request), text=text, command_id=command_id(request))
    return await _work(
        request,
        "noted",
        text,
        services_of(request).clients.alerts.AddNote(asked, **call_options(request)),
    )


async def open_case(request: Request) -> Response:
    services = services_of(request)
    title = text_of(request, "title")
    asked = pb.OpenCaseRequest(
        title=title, alert_ids=[_id(request)], command_id=command_id(request)
    )
    call = services.clients.alerts.OpenCase(asked, **call_options(request))
    try:
        answer = await audited(request, call, what="case opened", subject=_id(request), words=title)
    except grpc.aio.AioRpcError as error:
        return await _page(request, wrong=error.details() or "", status=409)
    return RedirectResponse(f"/cases/{answer.case.summary.number}", 303)


async def add_to_case(request: Request) -> Response:
    number = text_of(request, "number")
    if not number.isdecimal() or len(number) > NUMBER_LENGTH_MAX:
        raise InvalidInput("case", "choose one that is open")
    asked = pb.AddToCaseRequest(
        number=int(number), alert_ids=[_id(request)], command_id=command_id(request)
    )
    return await _work(
        request,
        "added to a case",
        f"case {number}",
        services_of(request).clients.alerts.AddToCase(asked, **call_options(request)),
    )


async def _work(request: Request, what: str, words: str, call: Awaitable[Any]) -> Response:
    try:
        await audited(request, call, what=f"alert {what}", subject=_id(request), words=words)
    except grpc.aio.AioRpcError as error:
        return await _page(request, wrong=error.details() or error.code().name, status=409)
    if request.headers.get("hx-request"):
        return Response(status_code=204)
    return RedirectResponse(f"/alerts/{_id(request)}", 303)


async def _page(request: Request, *, wrong: str = "", status: int = 200) -> Response:
    services, user = services_of(request), user_of(request)
    answer = await services.clients.alerts.GetAlert(
        pb.GetAlertRequest(alert_id=_id(request)), metadata=services.clients.metadata_for(user)
    )
    row = row_of(answer.alert)
    may_work = user.may(WORK_ALERTS)
    return await render_page(
        request,
        "alert.html",
        status=status,
        row=row,
        journal=answer.journal,
        evidence=[
            (each, hand_address(each.table_id, each.round) if each.round else "")
            for each in row.alert.evidence
        ],
        decisions=[(Decision.Name(number), words) for number, words in DECISIONS.items()],
        may_work=may_work,
        colleagues=await _colleagues(request) if may_work else (),
        open_cases=await _open_cases(request, row.work.cases) if may_work else (),
        me=user.name,
        command_id=uuid4().hex,
        wrong=wrong,
    )


async def _colleagues(request: Request) -> list[str]:
    """Who else works alerts here."""
    people = await services_of(request).store.list_users()
    return [each.name for each in people if each.may(WORK_ALERTS) and not each.disabled]


async def _open_cases(request: Request, known: Sequence[int]) -> list[CaseSummary]:
    """Those that it does not belong to yet."""
    question = pb.ListCasesRequest(state=CaseState.CASE_STATE_OPEN, page_size=CASES_SHOWN)
    answer = await services_of(request).clients.alerts.ListCases(question, **call_options(request))
    return [each for each in answer.cases if each.number not in known]


def _id(request: Request) -> str:
    return str(request.path_params["alert"])


ROUTES: Final = (
    read_route(SEE_ALERTS, "/alerts", alerts_page),
    read_route(SEE_ALERTS, "/live/alerts", live),
    read_route(SEE_ALERTS, "/alerts/{alert}", alert_page),
    write_route(WORK_ALERTS, "/alerts/{alert}/acknowledge", acknowledge),
    write_route(WORK_ALERTS, "/alerts/{alert}/review", review),
    write_route(WORK_ALERTS, "/alerts/{alert}/assign", assign),
    write_route(WORK_ALERTS, "/alerts/{alert}/reopen", reopen),
    write_route(WORK_ALERTS, "/alerts/{alert}/decide", decide),
    write_route(WORK_ALERTS, "/alerts/{alert}/note", add_note),
    write_route(WORK_ALERTS, "/alerts/{alert}/case", open_case),
    write_route(WORK_ALERTS, "/alerts/{alert}/case/add", add_to_case),
)
