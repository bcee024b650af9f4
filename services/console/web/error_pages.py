"""Error responses as pages, with advice on the next step."""

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
    400: "Invalid request",
    403: "Permission denied",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    500: "Internal error",
    503: "Service unavailable",
}
ADVICE: Final = {
    400: "Go back and correct the entry.",
    403: "If you need this page, request the role from an administrator.",
    404: "Check the address, or use the search.",
    405: "Go back and use the buttons of the page.",
    409: "Reload the page, check the current status, then try again.",
    500: "The error was logged. Try again; if it persists, call a technician.",
    503: "No data is lost. Reload the page in a moment.",
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
    return await _error_page(request, status, str(error))


async def http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return await _error_page(request, status, "")


async def service_error(request: Request, error: Exception) -> Response:
    """A service rejected the call or is unavailable."""
    assert isinstance(error, grpc.aio.AioRpcError)
    status = STATUS.get(error.code(), 500)
    reason = error.details() or ""
    if error.code() in AWAY:
        reason = "The service behind this page is unavailable."
    if status == 500:
        _log.error("service failed", code=error.code().name, details=error.details())
    return await _error_page(request, status, reason)


async def database_error(_request: Request, error: Exception) -> Response:
    """The users database is unavailable, so no user can be identified."""
    _log.error("database unavailable", reason=" ".join(str(error).split()))
    return PlainTextResponse(f"{TITLES[503]}. {ADVICE[503]}", 503)


async def any_error(request: Request, error: Exception) -> Response:
    _log.error("page failed", path=request.url.path, exc_info=error)
    return PlainTextResponse(f"{TITLES[500]}. {ADVICE[500]}", 500)


async def _error_page(request: Request, status: int, reason: str) -> Response:
    if not hasattr(request.state, "visitor"):
        request.state.visitor = await identify_visitor(request)
    return await render_page(
        request,
        "error.html",
        status=status,
        title=TITLES.get(status, TITLES[500]),
        reason=reason,
        advice=ADVICE.get(status, ADVICE[500]),
        may_reload=status >= 500 and request.method in SAFE,
    )


HANDLERS: Final[dict[Any, Callable[[Request, Exception], Any]]] = {
    PageError: page_error,
    HTTPException: http_error,
    grpc.aio.AioRpcError: service_error,
    psycopg.OperationalError: database_error,
    PoolTimeout: database_error,
    Exception: any_error,
}
