"""A page, with what stands on every page: who is signed in, where they may go, the gaming day."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse

from console.users.roles import Role
from console.web.cookies import THEME, THEMES
from console.web.display.navigation import Place, places_for
from console.web.guard import desk_of, visitor_of


async def show(
    request: Request, template: str, /, *, status: int = 200, **values: Any
) -> HTMLResponse:
    desk, visitor = desk_of(request), visitor_of(request)
    person = visitor.person
    house = await desk.houses.current(person)
    signed_in = person if person is not None and not person.one_time else None
    places: tuple[Place, ...] = places_for(signed_in.roles) if signed_in else ()
    page = desk.templates.render(
        template,
        {
            "person": person,
            "places": places,
            "here": request.url.path,
            "address": _address(request),
            "house": house,
            "lag_warning": await desk.lag.words() if places else "",
            "theme": theme_of(request),
            "form_token": visitor.form_token,
            **values,
        },
    )
    return HTMLResponse(page, status)


def _address(request: Request) -> str:
    """The page with its question, to come back to."""
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


def theme_of(request: Request) -> str:
    """As chosen; else dark where tables are watched, light where books are kept."""
    chosen = desk_of(request).cookies.read(request, THEME)
    if chosen in THEMES:
        return chosen
    person = visitor_of(request).person
    watches = person is not None and Role.SURVEILLANCE in person.roles
    return "dark" if watches else "light"
