"""The warning that surveillance is behind, as open pages ask for it again and again."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from console.users.roles import EVERYBODY
from console.web.guard import LIVE, desk_of, shown_to


async def lag_warning(request: Request) -> Response:
    desk = desk_of(request)
    words = await desk.lag.words()
    return HTMLResponse(desk.templates.render("lag_warning.html", {"lag_warning": words}))


ROUTES: Final = (shown_to(EVERYBODY, f"{LIVE}lag", lag_warning),)
