"""Coming and going: signing in and out, one's own password, the colours, the first page."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from console.users.errors import NotTaken, PeopleError
from console.web.cookies import SESSION, THEME, THEMES, VISIT
from console.web.display.navigation import places_for
from console.web.guard import desk_of, form_of, local, open_to_all, person_of, text_of, visitor_of
from console.web.page import show

PASSWORD_LENGTH_MAX: Final = 1_000


async def first(request: Request) -> Response:
    person = person_of(request)
    if person.one_time:
        return RedirectResponse("/password", 303)
    places = places_for(person.roles)
    return RedirectResponse(places[0].path if places else "/password", 303)


async def sign_in_page(request: Request) -> Response:
    wanted = local(request.query_params.get("next", "/"))
    if visitor_of(request).person is not None:
        return RedirectResponse(wanted, 303)
    return await show(request, "sign_in.html", next=wanted, name="", wrong="")


async def sign_in(request: Request) -> Response:
    desk, visitor = desk_of(request), visitor_of(request)
    name = text_of(request, "name")
    wanted = local(str(form_of(request).get("next", "/")))
    try:
        token, person = await desk.door.sign_in(
            name, str(form_of(request).get("password", "")), visitor.address
        )
    except PeopleError as error:
        said = f"{str(error)[:1].upper()}{str(error)[1:]}."
        return await show(request, "sign_in.html", status=403, next=wanted, name=name, wrong=said)
    response = RedirectResponse("/password" if person.one_time else wanted, 303)
    desk.cookies.set(response, SESSION, token)
    desk.cookies.forget(response, VISIT)
    return response


async def sign_out(request: Request) -> Response:
    desk = desk_of(request)
    await desk.door.sign_out(visitor_of(request).token)
    response = RedirectResponse("/sign-in", 303)
    desk.cookies.forget(response, SESSION)
    return response


async def password_page(request: Request) -> Response:
    person_of(request)
    said = "It is changed." if request.query_params.get("said") == "changed" else ""
    return await show(request, "password.html", wrong="", said=said)


async def choose_password(request: Request) -> Response:
    desk, visitor, person = desk_of(request), visitor_of(request), person_of(request)
    entered = {name: str(form_of(request).get(name, "")) for name in ("old", "new", "again")}
    try:
        token = await desk.door.choose_password(person, **entered, address=visitor.address)
    except NotTaken as error:
        return await show(request, "password.html", status=400, wrong=str(error), said="")
    await desk.store.changed(
        person=person.name,
        address=visitor.address,
        what="password chosen",
        subject=person.name,
        words="",
    )
    response = RedirectResponse("/" if person.one_time else "/password?said=changed", 303)
    desk.cookies.set(response, SESSION, token)
    return response


async def choose_theme(request: Request) -> Response:
    theme = text_of(request, "theme")
    response = RedirectResponse(local(str(form_of(request).get("next", "/"))), 303)
    if theme in THEMES:
        desk_of(request).cookies.remember(response, THEME, theme)
    return response


ROUTES: Final = (
    open_to_all("/", first),
    open_to_all("/sign-in", sign_in_page),
    open_to_all("/sign-in", sign_in, methods=("POST",)),
    open_to_all("/sign-out", sign_out, methods=("POST",)),
    open_to_all("/password", password_page),
    open_to_all("/password", choose_password, methods=("POST",)),
    open_to_all("/theme", choose_theme, methods=("POST",)),
)
