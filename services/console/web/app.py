"""The ASGI application: routes, middleware, error pages."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from console.web.error_pages import HANDLERS
from console.web.headers import SecurityHeaders
from console.web.services import ConsoleServices
from runtime.metrics import Metrics


def make_app(
    services: ConsoleServices, routes: Sequence[BaseRoute], metrics: Metrics, *, is_secure: bool
) -> Starlette:
    app = Starlette(
        routes=[services.assets.route(), *routes],
        middleware=[
            Middleware(RequestMetrics, metrics=metrics),
            Middleware(SecurityHeaders, is_secure=is_secure),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
        ],
        exception_handlers=HANDLERS,
    )
    app.state.services = services
    return app


class RequestMetrics:
    """Counts requests by page and status, and measures the time to the first byte."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._count = metrics.counter("requests", "HTTP requests answered.", ["page", "status"])
        self._seconds = metrics.histogram(
            "request_seconds", "Seconds from request to first byte.", ["page"]
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()

        async def counting(message: Message) -> None:
            if message["type"] == "http.response.start":
                page = _page(scope)
                self._count.labels(page, str(message["status"])).inc()
                self._seconds.labels(page).observe(time.perf_counter() - began)
            await send(message)

        await self._app(scope, receive, counting)


def _page(scope: Any) -> str:
    """The pattern of the route, not the address, which would make one series per hand."""
    route = scope.get("route")
    return str(getattr(route, "path", "")) or "none"
