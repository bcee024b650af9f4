"""The floor: pits and tables as cards, live."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from console.users.roles import SEE_HANDS
from console.web.event_stream import stream
from console.web.guard import read_route, services_of
from console.web.page import render_page


async def floor_page(request: Request) -> Response:
    floor = services_of(request).floor
    cards = await floor.cards()
    # Those that play today before those that have closed.
    pits = sorted(
        ((pit, list(group)) for pit, group in groupby(cards, key=lambda each: each.pit)),
        key=lambda each: max(card.day for card in each[1]),
        reverse=True,
    )
    return await render_page(
        request,
        "floor.html",
        pits=pits,
        day=floor.day,
        unavailable=floor.unavailable,
        newest=floor.day,
        tables=len(cards),
        alerts=sum(each.alerts for each in cards),
        outside=sum(each.is_outside for each in cards),
    )


async def live(request: Request) -> Response:
    return stream(request, services_of(request).floor.feed)


ROUTES: Final = (
    read_route(SEE_HANDS, "/floor", floor_page),
    read_route(SEE_HANDS, "/live/floor", live),
)
