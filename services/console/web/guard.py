"""Before a page is shown: who asks, whether they may, whether a form is truly theirs.

A form is taken when its origin is ours and it carries the token of the visitor's own cookie. Both
are asked of every request that may change something; there is no way around for any page.
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
from console.users.user import Person, Visitor
from console.web.cookies import SESSION, VISIT, new_visit
from console.web.errors import BadInput, ChooseFirst, Forged, NotAllowed, SignInFirst
from console.web.services import Desk

Page = Callable[[Request], Awaitable[Response]]
FORM_TOKEN: Final = "form_token"
SAFE: Final = frozenset({"GET", "HEAD"})
FORM_FIELDS_MAX: Final = 500
FORM_BYTES_MAX: Final = 1 << 20
LIVE: Final = "/live/"
"""Under it, pages ask by themselves: nobody is the less idle for that."""
TITLES: Final = {
    "administrator": "an administrator",
    "auditor": "an auditor",
    "cage": "the cage",
    "pit": "the pit",
}


def desk_of(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


def visitor_of(request: Request) -> Visitor:
    visitor: Visitor = request.state.visitor
    return visitor


def person_of(request: Request) -> Person:
    person = visitor_of(request).person
    if person is None:
        raise SignInFirst
    return person


def form_of(request: Request) -> FormData:
    """The form of a request that may change something; the guard has checked and read it."""
    form: FormData = request.state.form
    return form


def text_of(request: Request, field: str, *, length_max: int = 200) -> str:
    """What was entered into a field, without blanks around it; empty where nothing was."""
    value = form_of(request).get(field, "")
    text = value.strip() if isinstance(value, str) else ""
    if len(text) > length_max:
        raise BadInput(field, f"it has more than {length_max} characters")
    return text


def shown_to(roles: Roles, path: str, page: Page) -> Route:
    """A page to read."""
    return Route(path, _guarded(page, roles), methods=["GET"])


def done_by(roles: Roles, path: str, page: Page) -> Route:
    """A form that changes something."""
    return Route(path, _guarded(page, roles), methods=["POST"])


def open_to_all(path: str, page: Page, *, methods: tuple[str, ...] = ("GET",)) -> Route:
    """For those who have not signed in, or must choose a password first."""
    return Route(path, _guarded(page, None), methods=list(methods))


def _guarded(page: Page, roles: Roles | None) -> Page:
    async def guarded(request: Request) -> Response:
        visitor = await who_asks(request)
        request.state.visitor = visitor
        if request.method not in SAFE:
            await _check_form(request, visitor)
        if roles is not None:
            _check_person(visitor.person, roles)
        response = await page(request)
        if visitor.person is None and not desk_of(request).cookies.read(request, VISIT):
            desk_of(request).cookies.set(response, VISIT, visitor.token)
        return response

    return guarded


async def who_asks(request: Request) -> Visitor:
    """Whoever the cookies say."""
    desk = desk_of(request)
    address = request.client.host if request.client else ""
    token = desk.cookies.read(request, SESSION)
    if token:
        is_used = not request.url.path.startswith(LIVE)
        person = await desk.door.behind(token, is_used=is_used)
        if person is not None:
            return Visitor(address, token, person)
    return Visitor(address, desk.cookies.read(request, VISIT) or new_visit())


async def _check_form(request: Request, visitor: Visitor) -> None:
    if request.headers.get("origin") != desk_of(request).origin:
        raise Forged
    if int(request.headers.get("content-length") or 0) > FORM_BYTES_MAX:
        raise BadInput("form", "it is too large")
    form = await request.form(max_files=1, max_fields=FORM_FIELDS_MAX)
    if not visitor.has_sent(form.get(FORM_TOKEN)):
        raise Forged
    request.state.form = form


def _check_person(person: Person | None, roles: Roles) -> None:
    if person is None:
        raise SignInFirst
    if person.one_time:
        raise ChooseFirst
    if not person.may(roles):
        raise NotAllowed(" or ".join(TITLES.get(each, each) for each in sorted(roles)))


def to_sign_in(request: Request) -> RedirectResponse:
    """To the door, and back to the page that was wanted."""
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    back = "" if request.method not in SAFE or wanted == "/" else f"?next={quote(wanted, safe='')}"
    return RedirectResponse(f"/sign-in{back}", 303)


def local(path: str) -> str:
    """A path of ours, or the first page: nobody is led elsewhere by a link to our door.

    >>> local("/hands?seat=3"), local("//evil.example"), local("https://evil.example/")
    ('/hands?seat=3', '/', '/')
    >>> local("/\\\\evil.example"), local("/\\t/evil.example")
    ('/', '/')
    """
    parts = urlsplit(path)
    is_plain = path.startswith("/") and path.isprintable() and "\\" not in path
    return path if is_plain and not path.startswith("//") and not parts.netloc else "/"
