"""Watches: answers printed as they come, without loss or repetition over lost connections."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

import grpc
from rich.text import Text

from pitctl.connection.channel import UNAVAILABLE_CODES, Endpoint, ServiceClient
from pitctl.errors import ServiceUnavailable
from pitctl.output.exit import OK, print_error
from pitctl.output.json_out import print_fields
from pitctl.output.text import Page

RETRY_SECONDS: Final = 0.5
RETRY_SECONDS_MAX: Final = 5.0

LineParts = Sequence[str | Text | tuple[str, str]]


class WatchPrinter:
    """Prints answers of a watch, one line each; notices go to standard error, each once."""

    def __init__(self, line_of: Callable[[Any], LineParts], *, hang: int, as_json: bool) -> None:
        self._line_of = line_of
        self._hang = hang
        self._as_json = as_json
        self._page = Page(sys.stdout)
        self._last_notice = ""

    def print_answer(self, answer: Any) -> None:
        match answer.WhichOneof("what"):
            case None:
                pass
            case _ if self._as_json:
                print_fields(answer)
            case "caught_up":
                self.print_notice("up to date; live from here on")
            case _:
                self._page.line(*self._line_of(answer), hang=self._hang)
                self._page.flush()

    def print_notice(self, notice: str) -> None:
        if notice != self._last_notice:
            print_error(notice)
            sys.stderr.flush()
        self._last_notice = notice


def watch(
    service: ServiceClient[Any], endpoint: Endpoint, request: Any, printer: WatchPrinter
) -> int:
    """Watch until Ctrl-C, or until the output is closed; return the exit status."""
    with suppress(KeyboardInterrupt):
        asyncio.run(_watch(service, endpoint, request, printer))
    return OK


async def _watch(
    service: ServiceClient[Any], endpoint: Endpoint, request: Any, printer: WatchPrinter
) -> None:
    """One watch after the other: each resumes after the last answer that was printed."""
    connected = False
    wait = RETRY_SECONDS
    while True:
        try:
            async with service.connected(endpoint) as stub:
                if connected:
                    printer.print_notice("connected again")
                connected, wait = True, RETRY_SECONDS
                async for answer in stub.Watch(request):
                    printer.print_answer(answer)
                    if answer.resume_token:
                        request.resume_token = answer.resume_token
                        request.from_beginning = False
        except grpc.aio.AioRpcError as error:
            if error.code() not in UNAVAILABLE_CODES:
                raise service.error_of(error, endpoint) from None
        except ServiceUnavailable:
            if not connected:
                raise
        printer.print_notice("connection lost; reconnecting until the service is available")
        await asyncio.sleep(wait)
        wait = min(2 * wait, RETRY_SECONDS_MAX)
