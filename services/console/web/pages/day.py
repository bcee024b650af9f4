"""The gaming day: status, open items, reconciliation and closing."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final
from uuid import uuid4

import grpc
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from blackjack.display_names import words_of
from casino.accounting.v1.cage_event_pb2 import CageEvent, CloseOverride, DayReconciled
from casino.accounting.v1.service_pb2 import (
    CloseDayRequest,
    Day,
    DayState,
    GetDayRequest,
    RecordRequest,
)  # fmt: skip
from console.users.roles import MANAGE_BOOKS, SEE_BOOKS
from console.web.audit import audited
from console.web.form_fields import read_day
from console.web.guard import form_of, read_route, services_of, text_of, user_of, write_route
from console.web.page import render_page

TYPED: Final = ("note", "by", "reason")
"""Fields that keep their text when the request is rejected."""
DAYS_SHOWN: Final = 7
STATES: Final = {
    DayState.DAY_STATE_OPEN: "open",
    DayState.DAY_STATE_COUNTED: "counted",
    DayState.DAY_STATE_RECONCILED: "reconciled",
    DayState.DAY_STATE_CLOSED: "closed",
}
REASON_LENGTH_MAX: Final = 500


@dataclass(frozen=True, slots=True)
class DayTab:
    """A recent day to open."""

    day: str
    weekday: str
    state: str


async def day_page(request: Request) -> Response:
    return await _page(request, read_day("day", request.query_params.get("day", "")))


async def reconcile(request: Request) -> Response:
    services, day = services_of(request), read_day("day", text_of(request, "day"))
    note = text_of(request, "note", length_max=REASON_LENGTH_MAX)
    event = CageEvent(event_id=uuid4().hex, gaming_day=day, day_reconciled=DayReconciled(note=note))
    call = services.clients.books.Record(
        RecordRequest(event=event), metadata=services.clients.metadata_for(user_of(request))
    )
    return await _done(request, day, audited(
        request, call, what="day reconciled", subject=day, words=note
    ), "reconciled")  # fmt: skip


async def close(request: Request) -> Response:
    """Close the day; unmet checks are overridden exactly as the user saw them."""
    services, day = services_of(request), read_day("day", text_of(request, "day"))
    exceptions = [str(name) for name in form_of(request).getlist("exception")]
    command = CloseDayRequest(gaming_day=day)
    by, reason = text_of(request, "by"), text_of(request, "reason", length_max=REASON_LENGTH_MAX)
    if exceptions:
        command.override.CopyFrom(CloseOverride(by=by, reason=reason, checks=exceptions))
    call = services.clients.books.CloseDay(
        command, metadata=services.clients.metadata_for(user_of(request))
    )
    details = (
        f"exceptions {', '.join(map(words_of, exceptions))}, approved by {by}: {reason}"
        if exceptions
        else ""
    )
    return await _done(
        request,
        day,
        audited(request, call, what="day closed", subject=day, words=details),
        "closed",
    )


async def _done(request: Request, day: str, work: object, done: str) -> Response:
    try:
        await work  # type: ignore[misc]
    except grpc.aio.AioRpcError as error:
        typed = {name: str(form_of(request).get(name, "")) for name in TYPED}
        wrong = error.details() or error.code().name
        return await _page(request, day, wrong=wrong, status=409, typed=typed)
    return RedirectResponse(f"/day?day={day}&done={done}", 303)


async def _page(
    request: Request,
    day: str,
    *,
    wrong: str = "",
    status: int = 200,
    typed: dict[str, str] | None = None,
) -> Response:
    services = services_of(request)
    prop = await services.property_status.current(user_of(request))
    current = date.fromisoformat(prop.gaming_day) if prop.gaming_day else date.today()
    selected = day or current.isoformat()
    days = [(current - timedelta(days=back)).isoformat() for back in range(DAYS_SHOWN)]
    answers = await asyncio.gather(
        *(_day(request, name) for name in dict.fromkeys([selected, *days]))
    )
    by_day = {found.gaming_day: found for found in answers}
    shown = by_day[selected]
    titles = {check.name: check.words for check in shown.checks}
    done = request.query_params.get("done", "")
    return await render_page(
        request,
        "day.html",
        status=status,
        day=shown,
        state=STATES[shown.state],
        states=list(STATES.values()),
        tabs=[_tab(by_day[name]) for name in reversed(days)],
        is_over=selected < current.isoformat(),
        unmet=[check for check in shown.checks if not check.met],
        exceptions=[titles.get(name) or words_of(name) for name in shown.override.checks],
        may_keep=user_of(request).may(MANAGE_BOOKS),
        wrong=wrong,
        typed=typed or dict.fromkeys(TYPED, ""),
        message=f"Day {done}." if done in STATES.values() else "",
    )


async def _day(request: Request, day: str) -> Day:
    services = services_of(request)
    answer = await services.clients.books.GetDay(
        GetDayRequest(gaming_day=day), metadata=services.clients.metadata_for(user_of(request))
    )
    return answer.day


def _tab(day: Day) -> DayTab:
    return DayTab(day.gaming_day, f"{date.fromisoformat(day.gaming_day):%a}", STATES[day.state])


ROUTES: Final = (
    read_route(SEE_BOOKS, "/day", day_page),
    write_route(MANAGE_BOOKS, "/day/reconcile", reconcile),
    write_route(MANAGE_BOOKS, "/day/close", close),
)
