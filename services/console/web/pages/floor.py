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
    # Pits in play first, closed pits after them.
    pits = sorted(
        ((pit, list(group)) for pit, group in groupby(cards, key=lambda card: card.pit)),
        key=lambda pit_cards: max(card.day for card in pit_cards[1]),
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
        alerts=sum(card.alerts for card in cards),
        outside=sum(card.is_outside for card in cards),
    )


async def live(request: Request) -> Response:
    return stream(request, services_of(request).floor.feed)


ROUTES: Final = (
    read_route(SEE_HANDS, "/floor", floor_page),
    read_route(SEE_HANDS, "/live/floor", live),
)
