"""Users and roles, and the audit log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from console.users.administration import UserAdministration
from console.users.errors import InvalidUser
from console.users.roles import MANAGE_USERS, ROLE_DESCRIPTIONS, SEE_USERS, Role, parse_roles
from console.users.user import User
from console.web.errors import PageNotFound
from console.web.guard import (
    form_of,
    read_route,
    services_of,
    text_of,
    user_of,
    visitor_of,
    write_route,
)  # fmt: skip
from console.web.page import render_page

CHANGES_SHOWN: Final = 50


@dataclass(frozen=True, slots=True)
class IssuedPassword:
    """A one-time password, shown once."""

    name: str
    password: str


async def users_page(request: Request) -> Response:
    return await _page(request)


async def audit_log_page(request: Request) -> Response:
    before = request.query_params.get("before", "")
    rows = await services_of(request).store.changes(
        before=int(before) if before.isdecimal() and len(before) < 19 else None,
        limit=CHANGES_SHOWN + 1,
    )
    more = rows[CHANGES_SHOWN - 1][0] if len(rows) > CHANGES_SHOWN else None
    return await render_page(request, "audit_log.html", changes=rows[:CHANGES_SHOWN], more=more)


async def add(request: Request) -> Response:
    name = text_of(request, "name")
    entered = {"name": name, "full_name": text_of(request, "full_name"), "roles": _roles(request)}
    try:
        password = await _administration(request).add_user(
            name=name, full_name=text_of(request, "full_name"), roles=_roles(request)
        )
    except InvalidUser as error:
        return await _page(request, wrong=str(error), entered=entered, status=400)
    return await _page(request, issued=IssuedPassword(name.strip().lower(), password))


async def set_roles(request: Request) -> Response:
    user = await _find_user(request)
    return await _try(
        request,
        _administration(request).set_roles(user, _roles(request)),
        f"Roles of {user.name} changed.",
    )


async def reset_password(request: Request) -> Response:
    user = await _find_user(request)
    try:
        password = await _administration(request).reset_password(user)
    except InvalidUser as error:
        return await _page(request, wrong=str(error), status=400)
    return await _page(request, issued=IssuedPassword(user.name, password))


async def lock(request: Request) -> Response:
    user = await _find_user(request)
    locked = text_of(request, "locked") == "yes"
    message = f"User {user.name} {'locked' if locked else 'unlocked'}."
    return await _try(request, _administration(request).set_locked(user, locked=locked), message)


async def _try(request: Request, work: Any, message: str) -> Response:
    try:
        await work
    except InvalidUser as error:
        return await _page(request, wrong=str(error), status=400)
    return await _page(request, message=message)


async def _page(
    request: Request,
    *,
    wrong: str = "",
    message: str = "",
    issued: IssuedPassword | None = None,
    entered: dict[str, Any] | None = None,
    status: int = 200,
) -> Response:
    return await render_page(
        request,
        "users.html",
        status=status,
        accounts=await services_of(request).store.list_users(),
        roles=[(role, ROLE_DESCRIPTIONS[role]) for role in Role],
        may_change=user_of(request).may(MANAGE_USERS),
        wrong=wrong,
        message=message,
        issued=issued,
        entered=entered or {"name": "", "full_name": "", "roles": frozenset()},
    )


async def _find_user(request: Request) -> User:
    name = request.path_params["name"]
    found = await services_of(request).store.find(name)
    if found is None:
        raise PageNotFound(f"user  {name}")
    return found[0]


def _roles(request: Request) -> frozenset[Role]:
    return parse_roles([str(role) for role in form_of(request).getlist("roles")])


def _administration(request: Request) -> UserAdministration:
    return UserAdministration(
        services_of(request).store, by=user_of(request).name, address=visitor_of(request).address
    )


ROUTES: Final = (
    read_route(SEE_USERS, "/users", users_page),
    read_route(SEE_USERS, "/users/audit-log", audit_log_page),
    write_route(MANAGE_USERS, "/users", add),
    write_route(MANAGE_USERS, "/users/{name}/roles", set_roles),
    write_route(MANAGE_USERS, "/users/{name}/password", reset_password),
    write_route(MANAGE_USERS, "/users/{name}/lock", lock),
)
