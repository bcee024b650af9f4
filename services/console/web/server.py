"""The HTTP server as a part of the process; it stops with the process, open streams included."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from runtime import logs
from runtime.addresses import Address
from runtime.process import ServicePart, Stop

GRACE_SECONDS: Final = 5
KEEP_ALIVE_SECONDS: Final = 30
_log = logs.logger(__name__)


class _Server(uvicorn.Server):
    """A server without signal handlers: the process has its own."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class WebServer:
    def __init__(self, app: ASGIApp, address: Address, *, proxies: tuple[str, ...]) -> None:
        self._address = address
        self._server = _Server(
            uvicorn.Config(
                app,
                host=address.host,
                port=address.port,
                log_config=None,
                access_log=False,
                server_header=False,
                lifespan="off",
                proxy_headers=bool(proxies),
                forwarded_allow_ips=list(proxies),
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=GRACE_SECONDS,
            )
        )

    def part(self) -> ServicePart:
        return ServicePart("web", self._run)

    async def _run(self, stop: Stop) -> None:
        serving = asyncio.create_task(self._server.serve())
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait([serving, stopping], return_when=asyncio.FIRST_COMPLETED)
        self._server.should_exit = True
        stopping.cancel()
        await serving
