"""An accounting service with answers made up, over real mutual TLS on a loopback port."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.message import Message
from structlog.testing import capture_logs
from typer.testing import Result

from casino.accounting.v1 import service_pb2
from casino.accounting.v1.service_pb2_grpc import (
    AccountingServiceServicer,
    add_AccountingServiceServicer_to_server,
)
from runtime.addresses import Address
from runtime.health import Health
from runtime.identity.credentials import Credentials
from runtime.identity.names import Name
from runtime.metrics import Metrics
from runtime.rpc.access import Access
from runtime.rpc.server import RpcServer, Servicer
from tests.pitctl.command import pitctl

SERVICE = "casino.accounting.v1.AccountingService"
DESCRIPTOR = service_pb2.DESCRIPTOR.services_by_name["AccountingService"]
METHODS = [each.name for each in DESCRIPTOR.methods]
SECONDS_MAX = 30


class PostingRejected(Exception):
    """As accounting refuses: a code for programs, a reason for people."""

    def __init__(self, code: str, reason: str, *, see: str = "") -> None:
        self.code = code
        self.reason = reason
        self.see = see
        super().__init__(reason)


class FakeAccounting:
    """Answers what it was told to, and keeps what it was asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.answers: dict[str, Callable[[Any], Any]] = {
            "GetStatus": lambda _: service_pb2.GetStatusResponse(
                gaming_day="2026-03-02", property="Example Casino"
            )
        }
        self.asked: list[Any] = []
        self.address = ""

    def asked_of(self, kind: type[Message]) -> list[Any]:
        return [each for each in self.asked if isinstance(each, kind)]

    def pitctl(self, *arguments: str | Path, typed: str = "", columns: int = 100) -> Result:
        """A command that asks this service."""
        own = self.folder / "operator"
        where = ("--address", self.address, "--identity", own)
        return pitctl(*arguments, *where, typed=typed, columns=columns)

    async def answer(self, method: str, request: Any, context: Any) -> Any:
        self.asked.append(request)
        try:
            return self.answers[method](request)
        except grpc.RpcError as error:
            await context.abort(error.args[0], error.args[1])


def _servicer(accountant: FakeAccounting) -> AccountingServiceServicer:
    def method(name: str) -> Callable[..., Any]:
        async def call(_: Any, request: Any, context: Any) -> Any:
            return await accountant.answer(name, request, context)

        return call

    made: AccountingServiceServicer = type(
        "Canned", (AccountingServiceServicer,), {name: method(name) for name in METHODS}
    )()
    return made


@contextmanager
def serving(folder: Path) -> Iterator[FakeAccounting]:
    """The service in a thread of its own, as pitctl has an event loop of its own."""
    accountant = FakeAccounting(folder)
    authority = folder / "authority"
    _ = Credentials(Name("operator", "local"), folder / "operator", authority).pair
    ready = threading.Event()
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()

    async def serve() -> None:
        server = RpcServer(
            address=Address("127.0.0.1", 0),
            credentials=Credentials(Name("service", "accounting"), folder / "service", authority),
            metrics=Metrics("accounting"),
            health=Health([]),
            servicers=[
                Servicer(
                    SERVICE,
                    lambda to: add_AccountingServiceServicer_to_server(_servicer(accountant), to),
                )
            ],
            policy={f"/{SERVICE}/{name}": Access(peers={"operator/*"}) for name in METHODS},
            codes={PostingRejected: grpc.StatusCode.FAILED_PRECONDITION},
            grace_seconds=0.2,
        )
        async with server.served() as at:
            accountant.address = str(at)
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    with capture_logs():  # they would go where the command writes to, in the same process
        thread.start()
        try:
            assert ready.wait(SECONDS_MAX)
            yield accountant
        finally:
            loop.call_soon_threadsafe(stop.set)
            thread.join(SECONDS_MAX)
            assert not thread.is_alive()
            loop.close()
