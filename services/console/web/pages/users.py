"""People: who may come in, and as what; and the record of everything that was changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from console.users.administration import Office
from console.users.errors import NotTaken
from console.users.roles import KEEP_PEOPLE, SEE_PEOPLE, WORDS, Role, roles_of
from console.users.user import Person
from console.web.errors import NotFound
from console.web.guard import (
    desk_of,
    done_by,
    form_of,
    person_of,
    shown_to,
    text_of,
    visitor_of,
)  # fmt: skip
from console.web.page import show

CHANGES_SHOWN: Final = 50


@dataclass(frozen=True, slots=True)
class Handed:
    """A password to be handed over; it is shown once."""

    name: str
    password: str


async def people_page(request: Request) -> Response:
    return await _page(request)


async def changes_page(request: Request) -> Response:
    before = request.query_params.get("before", "")
    rows = await desk_of(request).store.changes(
        before=int(before) if before.isdecimal() and len(before) < 19 else None,
        limit=CHANGES_SHOWN + 1,
    )
    more = rows[CHANGES_SHOWN - 1][0] if len(rows) > CHANGES_SHOWN else None
    return await show(request, "changes.html", changes=rows[:CHANGES_SHOWN], more=more)


async def let_in(request: Request) -> Response:
    name = text_of(request, "name")
    entered = {"name": name, "full_name": text_of(request, "full_name"), "roles": _roles(request)}
    try:
        password = await _office(request).let_in(
            name=name, full_name=text_of(request, "full_name"), roles=_roles(request)
        )
    except NotTaken as error:
        return await _page(request, wrong=str(error), entered=entered, status=400)
    return await _page(request, handed=Handed(name.strip().lower(), password))


async def give_roles(request: Request) -> Response:
    person = await _named(request)
    return await _try(
        request,
        _office(request).give_roles(person, _roles(request)),
        f"{person.name} has other roles.",
    )


async def give_password(request: Request) -> Response:
    person = await _named(request)
    try:
        password = await _office(request).give_password(person)
    except NotTaken as error:
        return await _page(request, wrong=str(error), status=400)
    return await _page(request, handed=Handed(person.name, password))


async def lock(request: Request) -> Response:
    person = await _named(request)
    out = text_of(request, "out") == "yes"
    said = f"{person.name} is locked out." if out else f"{person.name} may come in again."
    return await _try(request, _office(request).lock(person, out=out), said)


async def _try(request: Request, work: Any, said: str) -> Response:
    try:
        await work
    except NotTaken as error:
        return await _page(request, wrong=str(error), status=400)
    return await _page(request, said=said)


async def _page(
    request: Request,
    *,
    wrong: str = "",
    said: str = "",
    handed: Handed | None = None,
    entered: dict[str, Any] | None = None,
    status: int = 200,
) -> Response:
    return await show(
        request,
        "people.html",
        status=status,
        people=await desk_of(request).store.people(),
        roles=[(role, WORDS[role]) for role in Role],
        may_change=person_of(request).may(KEEP_PEOPLE),
        wrong=wrong,
        said=said,
        handed=handed,
        entered=entered or {"name": "", "full_name": "", "roles": frozenset()},
    )


async def _named(request: Request) -> Person:
    name = request.path_params["name"]
    found = await desk_of(request).store.named(name)
    if found is None:
        raise NotFound(f"person called {name}")
    return found[0]


def _roles(request: Request) -> frozenset[Role]:
    return roles_of([str(each) for each in form_of(request).getlist("roles")])


def _office(request: Request) -> Office:
    return Office(
        desk_of(request).store, by=person_of(request).name, address=visitor_of(request).address
    )


ROUTES: Final = (
    shown_to(SEE_PEOPLE, "/people", people_page),
    shown_to(SEE_PEOPLE, "/people/changes", changes_page),
    done_by(KEEP_PEOPLE, "/people", let_in),
    done_by(KEEP_PEOPLE, "/people/{name}/roles", give_roles),
    done_by(KEEP_PEOPLE, "/people/{name}/password", give_password),
    done_by(KEEP_PEOPLE, "/people/{name}/lock", lock),
)
