"""The warning that surveillance is behind, polled by open pages."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from console.users.roles import ALL_ROLES
from console.web.guard import LIVE, read_route, services_of


async def lag_warning(request: Request) -> Response:
    services = services_of(request)
    text = await services.lag.text()
    return HTMLResponse(services.templates.render("lag_warning.html", {"lag_warning": text}))


ROUTES: Final = (read_route(ALL_ROLES, f"{LIVE}lag", lag_warning),)
