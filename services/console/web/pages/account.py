"""Sign-in and sign-out, own password, theme, start page."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from console.users.errors import InvalidUser, UserError
from console.web.cookies import SESSION, THEME, THEMES, VISIT
from console.web.display.labels import capital
from console.web.display.navigation import links_for
from console.web.guard import (
    form_of,
    local_path,
    public_route,
    services_of,
    text_of,
    user_of,
    visitor_of,
)
from console.web.page import render_page

PASSWORD_LENGTH_MAX: Final = 1_000


async def start_page(request: Request) -> Response:
    user = user_of(request)
    if user.one_time:
        return RedirectResponse("/password", 303)
    links = links_for(user.roles)
    return RedirectResponse(links[0].path if links else "/password", 303)


async def sign_in_page(request: Request) -> Response:
    destination = local_path(request.query_params.get("next", "/"))
    if visitor_of(request).user is not None:
        return RedirectResponse(destination, 303)
    return await render_page(request, "sign_in.html", next=destination, name="", wrong="")


async def sign_in(request: Request) -> Response:
    services, visitor = services_of(request), visitor_of(request)
    name = text_of(request, "name")
    destination = local_path(str(form_of(request).get("next", "/")))
    try:
        token, user = await services.sign_in.sign_in(
            name, str(form_of(request).get("password", "")), visitor.address
        )
    except UserError as error:
        reason = f"{capital(str(error))}."
        return await render_page(
            request, "sign_in.html", status=403, next=destination, name=name, wrong=reason
        )
    response = RedirectResponse("/password" if user.one_time else destination, 303)
    services.cookies.set(response, SESSION, token)
    services.cookies.forget(response, VISIT)
    return response


async def sign_out(request: Request) -> Response:
    services = services_of(request)
    await services.sign_in.sign_out(visitor_of(request).token)
    response = RedirectResponse("/sign-in", 303)
    services.cookies.forget(response, SESSION)
    return response


async def password_page(request: Request) -> Response:
    user_of(request)
    message = "Password changed." if request.query_params.get("done") == "changed" else ""
    return await render_page(request, "password.html", wrong="", message=message)


async def change_password(request: Request) -> Response:
    services, visitor, user = services_of(request), visitor_of(request), user_of(request)
    entered = {name: str(form_of(request).get(name, "")) for name in ("old", "new", "again")}
    try:
        token = await services.sign_in.change_password(user, **entered, address=visitor.address)
    except InvalidUser as error:
        return await render_page(
            request, "password.html", status=400, wrong=capital(f"{error}."), message=""
        )
    await services.store.record_change(
        person=user.name,
        address=visitor.address,
        what="password changed",
        subject=user.name,
        words="",
    )
    response = RedirectResponse("/" if user.one_time else "/password?done=changed", 303)
    services.cookies.set(response, SESSION, token)
    return response


async def choose_theme(request: Request) -> Response:
    theme = text_of(request, "theme")
    response = RedirectResponse(local_path(str(form_of(request).get("next", "/"))), 303)
    if theme in THEMES:
        services_of(request).cookies.remember(response, THEME, theme)
    return response


ROUTES: Final = (
    public_route("/", start_page),
    public_route("/sign-in", sign_in_page),
    public_route("/sign-in", sign_in, methods=("POST",)),
    public_route("/sign-out", sign_out, methods=("POST",)),
    public_route("/password", password_page),
    public_route("/password", change_password, methods=("POST",)),
    public_route("/theme", choose_theme, methods=("POST",)),
)
