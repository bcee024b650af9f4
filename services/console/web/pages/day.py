"""The gaming day: how far it is, what is lacking before it can be closed, and closing it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final
from uuid import uuid4

import grpc
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

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
"""What stays in its field when it is refused."""
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
    """One of the last days, to go to."""

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
    """With an override where checks are lacking: exactly those that the person was shown."""
    services, day = services_of(request), read_day("day", text_of(request, "day"))
    lacking = [str(each) for each in form_of(request).getlist("lacking")]
    asked = CloseDayRequest(gaming_day=day)
    by, reason = text_of(request, "by"), text_of(request, "reason", length_max=REASON_LENGTH_MAX)
    if lacking:
        asked.override.CopyFrom(CloseOverride(by=by, reason=reason, checks=lacking))
    call = services.clients.books.CloseDay(
        asked, metadata=services.clients.metadata_for(user_of(request))
    )
    words = f"overriding {', '.join(lacking)}, for which {by} answers: {reason}" if lacking else ""
    return await _done(
        request, day, audited(request, call, what="day closed", subject=day, words=words), "closed"
    )


async def _done(request: Request, day: str, work: object, said: str) -> Response:
    try:
        await work  # type: ignore[misc]
    except grpc.aio.AioRpcError as error:
        typed = {name: str(form_of(request).get(name, "")) for name in TYPED}
        wrong = error.details() or error.code().name
        return await _page(request, day, wrong=wrong, status=409, typed=typed)
    return RedirectResponse(f"/day?day={day}&said={said}", 303)


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
    asked = day or current.isoformat()
    days = [(current - timedelta(days=back)).isoformat() for back in range(DAYS_SHOWN)]
    found = await asyncio.gather(*(_day(request, each) for each in dict.fromkeys([asked, *days])))
    by_day = {each.gaming_day: each for each in found}
    shown = by_day[asked]
    said = request.query_params.get("said", "")
    return await render_page(
        request,
        "day.html",
        status=status,
        day=shown,
        state=STATES[shown.state],
        states=list(STATES.values()),
        tabs=[_tab(by_day[each]) for each in reversed(days)],
        is_over=asked < current.isoformat(),
        lacking=[each for each in shown.checks if not each.met],
        may_keep=user_of(request).may(MANAGE_BOOKS),
        wrong=wrong,
        typed=typed or dict.fromkeys(TYPED, ""),
        said=f"The day is {said}." if said in STATES.values() else "",
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
