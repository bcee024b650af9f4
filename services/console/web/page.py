"""Rendering of a page with its frame: user, navigation, gaming day, lag warning."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse

from console.users.roles import Role
from console.web.cookies import THEME, THEMES
from console.web.display.navigation import NavigationLink, links_for
from console.web.guard import services_of, visitor_of


async def render_page(
    request: Request, template: str, /, *, status: int = 200, **values: Any
) -> HTMLResponse:
    services, visitor = services_of(request), visitor_of(request)
    user = visitor.user
    prop = await services.property_status.current(user)
    signed_in = user if user is not None and not user.one_time else None
    links: tuple[NavigationLink, ...] = links_for(signed_in.roles) if signed_in else ()
    page = services.templates.render(
        template,
        {
            "user": user,
            "links": links,
            "here": request.url.path,
            "address": _address(request),
            "property": prop,
            "lag_warning": await services.lag.text() if links else "",
            "theme": theme_of(request),
            "form_token": visitor.form_token,
            **values,
        },
    )
    return HTMLResponse(page, status)


def _address(request: Request) -> str:
    """The address of the page with its query."""
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


def theme_of(request: Request) -> str:
    """The chosen theme; by default dark for surveillance, light for others."""
    chosen = services_of(request).cookies.read(request, THEME)
    if chosen in THEMES:
        return chosen
    user = visitor_of(request).user
    watches = user is not None and Role.SURVEILLANCE in user.roles
    return "dark" if watches else "light"
