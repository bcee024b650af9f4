"""Cases: what belongs together, who is in it, until when something is due, and what it came to."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Final
from uuid import uuid4

import grpc
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.case_pb2 import CaseState, DeadlineRule
from casino.surveillance.v1.work_pb2 import Decision
from console.alerts import DECISIONS, row_of
from console.errors import BadInput
from console.people.roles import SEE_CASES, WORK_ALERTS
from console.web.commanding import called_by, command_id
from console.web.guard import desk_of, done_by, person_of, shown_to, text_of
from console.web.recording import recorded
from console.web.showing import show

PAGE_SIZE: Final = 50
WORDS_LENGTH_MAX: Final = 2_000
RULES: Final = {
    "DEADLINE_RULE_24_HOURS": "in 24 hours",
    "DEADLINE_RULE_72_HOURS": "in 72 hours",
    "DEADLINE_RULE_THREE_BUSINESS_DAYS": "in three business days",
}


async def cases_page(request: Request) -> Response:
    desk = desk_of(request)
    text, state = (request.query_params.get(each, "").strip()[:80] for each in ("text", "state"))
    states = {"open": CaseState.CASE_STATE_OPEN, "closed": CaseState.CASE_STATE_CLOSED}
    question = pb.ListCasesRequest(
        text=text, page_size=PAGE_SIZE, page_token=request.query_params.get("page", "")
    )
    if state in states:
        question.state = states[state]
    answer = await desk.asking.alerts.ListCases(
        question, metadata=desk.asking.speaking_for(person_of(request))
    )
    return await show(
        request,
        "cases.html",
        cases=answer.cases,
        next_page=answer.next_page_token,
        asked={"text": text, "state": state},
        open_state=CaseState.CASE_STATE_OPEN,
        decisions=DECISIONS,
    )


async def case_page(request: Request) -> Response:
    return await _page(request)


async def add_note(request: Request) -> Response:
    text = _words(request, "note")
    asked = pb.AddNoteRequest(
        case_number=_number(request), text=text, command_id=command_id(request)
    )
    return await _work(
        request,
        "case noted",
        text,
        desk_of(request).asking.alerts.AddNote(asked, **called_by(request)),
    )


async def set_deadline(request: Request) -> Response:
    words, rule = _words(request, "words"), text_of(request, "rule")
    if rule not in RULES:
        raise BadInput("deadline", "choose until when")
    asked = pb.SetDeadlineRequest(
        number=_number(request),
        words=words,
        rule=DeadlineRule.Value(rule),
        command_id=command_id(request),
    )
    call = desk_of(request).asking.alerts.SetDeadline(asked, **called_by(request))
    return await _work(request, "deadline set", f"{words}, {RULES[rule]}", call)


async def meet_deadline(request: Request) -> Response:
    number, words = text_of(request, "number"), _words(request, "words")
    if not number.isdecimal():
        raise BadInput("deadline", "which one is missing")
    asked = pb.MeetDeadlineRequest(
        number=_number(request),
        deadline=int(number),
        words=words,
        command_id=command_id(request),
    )
    return await _work(
        request,
        "deadline met",
        words,
        desk_of(request).asking.alerts.MeetDeadline(asked, **called_by(request)),
    )


async def close(request: Request) -> Response:
    outcome, conclusion = text_of(request, "outcome"), _words(request, "conclusion")
    if outcome not in dict(Decision.items()):
        raise BadInput("outcome", "choose what it came to")
    asked = pb.CloseCaseRequest(
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
        desk_of(request).asking.alerts.CloseCase(asked, **called_by(request)),
    )


async def _work(request: Request, what: str, words: str, call: Awaitable[Any]) -> Response:
    number = str(_number(request))
    try:
        await recorded(request, call, what=what, subject=f"case {number}", words=words)
    except grpc.aio.AioRpcError as error:
        return await _page(request, wrong=error.details() or error.code().name, status=409)
    return RedirectResponse(f"/cases/{number}", 303)


async def _page(request: Request, *, wrong: str = "", status: int = 200) -> Response:
    desk, person = desk_of(request), person_of(request)
    answer = await desk.asking.alerts.GetCase(
        pb.GetCaseRequest(number=_number(request)), metadata=desk.asking.speaking_for(person)
    )
    case = answer.case
    return await show(
        request,
        "case.html",
        status=status,
        case=case,
        rows=[row_of(each) for each in case.alerts],
        is_open=case.summary.state == CaseState.CASE_STATE_OPEN,
        outcome=DECISIONS.get(case.summary.outcome, ""),
        decisions=[(Decision.Name(number), words) for number, words in DECISIONS.items()],
        rules=RULES,
        may_work=person.may(WORK_ALERTS),
        is_own=case.summary.opened_by == person.name,
        command_id=uuid4().hex,
        wrong=wrong,
    )


def _number(request: Request) -> int:
    return int(request.path_params["number"])


def _words(request: Request, field: str) -> str:
    return text_of(request, field, length_max=WORDS_LENGTH_MAX)


ROUTES: Final = (
    shown_to(SEE_CASES, "/cases", cases_page),
    shown_to(SEE_CASES, "/cases/{number:int}", case_page),
    done_by(WORK_ALERTS, "/cases/{number:int}/note", add_note),
    done_by(WORK_ALERTS, "/cases/{number:int}/deadline", set_deadline),
    done_by(WORK_ALERTS, "/cases/{number:int}/deadline/met", meet_deadline),
    done_by(WORK_ALERTS, "/cases/{number:int}/close", close),
)
