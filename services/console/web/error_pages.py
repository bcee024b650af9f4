"""What went wrong, as a page that says what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import grpc
import psycopg
from psycopg_pool import PoolTimeout
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from console.web.errors import PageError, PasswordChangeRequired, SignInRequired
from console.web.guard import SAFE, identify_visitor, to_sign_in
from console.web.page import render_page
from runtime import logs

AWAY: Final = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
STATUS: Final = {
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.FAILED_PRECONDITION: 409,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.ABORTED: 409,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 503,
    **dict.fromkeys(AWAY, 503),
}
TITLES: Final = {
    400: "That cannot be read",
    403: "Not for you",
    404: "Not found",
    405: "Not like this",
    409: "Not as things stand",
    500: "Something broke",
    503: "Not there right now",
}
TO_DO: Final = {
    400: "Go back and correct what was entered.",
    403: "If you need it for your work, ask an administrator for the role.",
    404: "Check the address, or look for it by what you remember.",
    405: "Go back and use the page's own buttons.",
    409: "Look at how things stand now, then try again.",
    500: "It was logged. Try again; if it stays, tell whoever runs the services.",
    503: "Nothing is lost. Wait a moment, then load the page again.",
}
_log = logs.logger(__name__)


async def page_error(request: Request, error: Exception) -> Response:
    if isinstance(error, SignInRequired):
        if request.headers.get("hx-request"):
            return Response(status_code=401, headers={"hx-refresh": "true"})
        return to_sign_in(request)
    if isinstance(error, PasswordChangeRequired):
        return RedirectResponse("/password", 303)
    status = error.status if isinstance(error, PageError) else 500
    return await _mishap(request, status, str(error))


async def http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return await _mishap(request, status, "")


async def service_error(request: Request, error: Exception) -> Response:
    """A service behind refused, or did not answer."""
    assert isinstance(error, grpc.aio.AioRpcError)
    status = STATUS.get(error.code(), 500)
    words = error.details() or ""
    if error.code() in AWAY:
        words = "The service that answers this does not answer."
    if status == 500:
        _log.error("service failed", code=error.code().name, details=error.details())
    return await _mishap(request, status, words)


async def database_error(_request: Request, error: Exception) -> Response:
    """Without it nobody is known: a page cannot even say who is signed in."""
    _log.error("database away", reason=" ".join(str(error).split()))
    return PlainTextResponse(f"{TITLES[503]}. {TO_DO[503]}", 503)


async def any_error(request: Request, error: Exception) -> Response:
    _log.error("page failed", path=request.url.path, exc_info=error)
    return PlainTextResponse(f"{TITLES[500]}. {TO_DO[500]}", 500)


async def _mishap(request: Request, status: int, words: str) -> Response:
    if not hasattr(request.state, "visitor"):
        request.state.visitor = await identify_visitor(request)
    return await render_page(
        request,
        "error.html",
        status=status,
        title=TITLES.get(status, TITLES[500]),
        words=words,
        to_do=TO_DO.get(status, TO_DO[500]),
        may_load_again=status >= 500 and request.method in SAFE,
    )


HANDLERS: Final[dict[Any, Callable[[Request, Exception], Any]]] = {
    PageError: page_error,
    HTTPException: http_error,
    grpc.aio.AioRpcError: service_error,
    psycopg.OperationalError: database_error,
    PoolTimeout: database_error,
    Exception: any_error,
}
