"""Alerts: the live list, an alert with its evidence, and the work on it."""

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
    filters = {name: request.query_params.get(name, "").strip()[:80] for name in FIELDS}
    if not any(filters.values()):
        filters["state"] = OPEN
    answer = await services.clients.alerts.ListAlerts(
        build_list_request(filters, request.query_params.get("page", "")),
        metadata=services.clients.metadata_for(user),
    )
    return await render_page(
        request,
        "alerts.html",
        rows=[row_of(worked) for worked in answer.alerts],
        next_page=answer.next_page_token,
        filters=filters,
        levels=[level.name for level in Level],
        states=[OPEN, *_STATE_NAMES],
        may_work=user.may(WORK_ALERTS),
    )


def build_list_request(filters: dict[str, str], page: str) -> pb.ListAlertsRequest:
    """Build the request for a page of the list; values that are no filters are ignored."""
    listing = pb.ListAlertsRequest(
        table_id=filters["table"], text=filters["text"], page_size=PAGE_SIZE, page_token=page
    )
    if filters["level"] in Level.__members__:
        listing.level = WireLevel.Value(f"LEVEL_{filters['level']}")
    if filters["state"] == OPEN:
        listing.states.extend(state for state in STATES if state != WorkState.WORK_STATE_CLOSED)
    elif filters["state"] in _STATE_NAMES:
        listing.states.append(_STATE_NAMES[filters["state"]])
    return listing


async def live(request: Request) -> Response:
    services = services_of(request)
    return stream(request, services.alerts.feed_for(user_of(request)))


async def alert_page(request: Request) -> Response:
    return await _page(request)


async def acknowledge(request: Request) -> Response:
    command = pb.AcknowledgeRequest(alert_id=_id(request), command_id=command_id(request))
    return await _work(
        request,
        "acknowledged",
        "",
        services_of(request).clients.alerts.Acknowledge(command, **call_options(request)),
    )


async def review(request: Request) -> Response:
    note = text_of(request, "note", length_max=WORDS_LENGTH_MAX)
    command = pb.ReviewRequest(alert_id=_id(request), note=note, command_id=command_id(request))
    return await _work(
        request,
        "review started",
        note,
        services_of(request).clients.alerts.Review(command, **call_options(request)),
    )


async def assign(request: Request) -> Response:
    assignee = text_of(request, "assignee")
    command = pb.AssignRequest(
        alert_id=_id(request), assignee=assignee, command_id=command_id(request)
    )
    return await _work(
        request,
        "assigned",
        assignee or "unassigned",
        services_of(request).clients.alerts.Assign(command, **call_options(request)),
    )


async def reopen(request: Request) -> Response:
    reason = text_of(request, "reason", length_max=WORDS_LENGTH_MAX)
    command = pb.ReopenRequest(alert_id=_id(request), reason=reason, command_id=command_id(request))
    return await _work(
        request,
        "reopened",
        reason,
        services_of(request).clients.alerts.Reopen(command, **call_options(request)),
    )


async def decide(request: Request) -> Response:
    reason = text_of(request, "reason", length_max=WORDS_LENGTH_MAX)
    decision, revision = text_of(request, "decision"), text_of(request, "revision")
    if decision not in dict(Decision.items()) or not revision.isdecimal():
        raise InvalidInput("outcome", "select an outcome")
    command = pb.DecideRequest(
        alert_id=_id(request),
        decision=Decision.Value(decision),
        reason=reason,
        revision=int(revision),
        command_id=command_id(request),
    )
    words = f"{DECISIONS[command.decision]}: {reason}"
    return await _work(
        request,
        "closed",
        words,
        services_of(request).clients.alerts.Decide(command, **call_options(request)),
    )


async def add_note(request: Request) -> Response:
    text = text_of(request, "note", length_max=WORDS_LENGTH_MAX)
    command = pb.AddNoteRequest(alert_id=_id(request), text=text, command_id=command_id(request))
    return await _work(
        request,
        "note added",
        text,
        services_of(request).clients.alerts.AddNote(command, **call_options(request)),
    )


async def open_case(request: Request) -> Response:
    services = services_of(request)
    title = text_of(request, "title")
    command = pb.OpenCaseRequest(
        title=title, alert_ids=[_id(request)], command_id=command_id(request)
    )
    call = services.clients.alerts.OpenCase(command, **call_options(request))
    try:
        answer = await audited(request, call, what="case opened", subject=_id(request), words=title)
    except grpc.aio.AioRpcError as error:
        return await _page(request, wrong=error.details() or "", status=409)
    return RedirectResponse(f"/cases/{answer.case.summary.number}", 303)


async def add_to_case(request: Request) -> Response:
    number = text_of(request, "number")
    if not number.isdecimal() or len(number) > NUMBER_LENGTH_MAX:
        raise InvalidInput("case", "select an open case")
    command = pb.AddToCaseRequest(
        number=int(number), alert_ids=[_id(request)], command_id=command_id(request)
    )
    return await _work(
        request,
        "added to case",
        f"case {number}",
        services_of(request).clients.alerts.AddToCase(command, **call_options(request)),
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
        activity=answer.journal,
        evidence=[
            (item, hand_address(item.table_id, item.round) if item.round else "")
            for item in row.alert.evidence
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
    """The names of active users who may work alerts."""
    users = await services_of(request).store.list_users()
    return [user.name for user in users if user.may(WORK_ALERTS) and not user.disabled]


async def _open_cases(request: Request, known: Sequence[int]) -> list[CaseSummary]:
    """Open cases that do not contain the alert."""
    listing = pb.ListCasesRequest(state=CaseState.CASE_STATE_OPEN, page_size=CASES_SHOWN)
    answer = await services_of(request).clients.alerts.ListCases(listing, **call_options(request))
    return [case for case in answer.cases if case.number not in known]


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
