"""Checks before a page: session, access rights, origin of forms.

A form is accepted if its origin is the console and it carries the token of the visitor's cookie.
Both are checked on every request that may change something; no page can bypass this.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import quote, urlsplit

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from console.users.roles import Roles
from console.users.user import User, Visitor
from console.web.cookies import SESSION, VISIT, new_visit
from console.web.errors import (
    AccessDenied,
    ForgedForm,
    InvalidInput,
    PasswordChangeRequired,
    SignInRequired,
)
from console.web.services import ConsoleServices

Page = Callable[[Request], Awaitable[Response]]
FORM_TOKEN: Final = "form_token"
SAFE: Final = frozenset({"GET", "HEAD"})
FORM_FIELDS_MAX: Final = 500
FORM_BYTES_MAX: Final = 1 << 20
LIVE: Final = "/live/"
"""Requests of open pages: they do not extend a session."""
ROLE_TITLES: Final = {
    "administrator": "an administrator",
    "auditor": "an auditor",
    "cage": "the cage",
    "pit": "the pit",
}


def services_of(request: Request) -> ConsoleServices:
    services: ConsoleServices = request.app.state.services
    return services


def visitor_of(request: Request) -> Visitor:
    visitor: Visitor = request.state.visitor
    return visitor


def user_of(request: Request) -> User:
    user = visitor_of(request).user
    if user is None:
        raise SignInRequired
    return user


def form_of(request: Request) -> FormData:
    """The form of a changing request, checked by the guard."""
    form: FormData = request.state.form
    return form


def text_of(request: Request, field: str, *, length_max: int = 200) -> str:
    """The text of a field without surrounding blanks; empty if missing."""
    value = form_of(request).get(field, "")
    text = value.strip() if isinstance(value, str) else ""
    if len(text) > length_max:
        raise InvalidInput(field, f"enter at most {length_max} characters")
    return text


def read_route(roles: Roles, path: str, page: Page) -> Route:
    """Route a page for reading, for these roles."""
    return Route(path, _guarded(page, roles), methods=["GET"])


def write_route(roles: Roles, path: str, page: Page) -> Route:
    """Route a form that changes something, for these roles."""
    return Route(path, _guarded(page, roles), methods=["POST"])


def public_route(path: str, page: Page, *, methods: tuple[str, ...] = ("GET",)) -> Route:
    """Route a page that needs no session, or precedes the choice of a password."""
    return Route(path, _guarded(page, None), methods=list(methods))


def _guarded(page: Page, roles: Roles | None) -> Page:
    async def guarded(request: Request) -> Response:
        visitor = await identify_visitor(request)
        request.state.visitor = visitor
        if request.method not in SAFE:
            await _check_form(request, visitor)
        if roles is not None:
            _check_person(visitor.user, roles)
        response = await page(request)
        if visitor.user is None and not services_of(request).cookies.read(request, VISIT):
            services_of(request).cookies.set(response, VISIT, visitor.token)
        return response

    return guarded


async def identify_visitor(request: Request) -> Visitor:
    """Identify the visitor by cookies."""
    services = services_of(request)
    address = request.client.host if request.client else ""
    token = services.cookies.read(request, SESSION)
    if token:
        is_used = not request.url.path.startswith(LIVE)
        user = await services.sign_in.user_of_session(token, is_used=is_used)
        if user is not None:
            return Visitor(address, token, user)
    return Visitor(address, services.cookies.read(request, VISIT) or new_visit())


async def _check_form(request: Request, visitor: Visitor) -> None:
    if request.headers.get("origin") != services_of(request).origin:
        raise ForgedForm
    if int(request.headers.get("content-length") or 0) > FORM_BYTES_MAX:
        raise InvalidInput("form", "too large")
    form = await request.form(max_files=1, max_fields=FORM_FIELDS_MAX)
    if not visitor.owns_form(form.get(FORM_TOKEN)):
        raise ForgedForm
    request.state.form = form


def _check_person(user: User | None, roles: Roles) -> None:
    if user is None:
        raise SignInRequired
    if user.one_time:
        raise PasswordChangeRequired
    if not user.may(roles):
        raise AccessDenied(" or ".join(ROLE_TITLES.get(role, role) for role in sorted(roles)))


def to_sign_in(request: Request) -> RedirectResponse:
    """Redirect to the sign-in page, and from there back to this page."""
    destination = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    back = (
        ""
        if request.method not in SAFE or destination == "/"
        else f"?next={quote(destination, safe='')}"
    )
    return RedirectResponse(f"/sign-in{back}", 303)


def local_path(path: str) -> str:
    """A path of the console, or the start page: links to the sign-in page lead to no other host.

    >>> (
    ...     local_path("/hands?seat=3"),
    ...     local_path("//evil.example"),
    ...     local_path("https://evil.example/"),
    ... )
    ('/hands?seat=3', '/', '/')
    >>> local_path("/\\\\evil.example"), local_path("/\\t/evil.example")
    ('/', '/')
    """
    parts = urlsplit(path)
    is_plain = path.startswith("/") and path.isprintable() and "\\" not in path
    return path if is_plain and not path.startswith("//") and not parts.netloc else "/"
