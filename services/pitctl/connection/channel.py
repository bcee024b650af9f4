"""Clients of services: the address, the certificate, the call, and its errors in words.

The address comes from the command line or from the folder of the running stack, which also has
the certificate of the operator at this machine.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, Generic, NamedTuple, TypeVar

import grpc
from msgspec import Struct

from pitctl.errors import RequestRejected, ServiceUnavailable
from pitctl.output.exit import command_name
from pitctl.output.wait_notice import STATUS_HINT, wait_notice, work_meter
from pitctl.stack.local_stack import default_folder, has_stack
from runtime.addresses import Address
from runtime.identity.credentials import Credentials
from runtime.identity.errors import KeyExposed, NoAuthority
from runtime.identity.names import Name
from runtime.rpc.client import connect
from runtime.rpc.errors import error_info

T = TypeVar("T")
Stub = TypeVar("Stub")

OPERATOR: Final = Name("operator", "local")
IDENTITY: Final = "IDENTITY_FOLDER"
READY_SECONDS_MAX: Final = 5.0
"""A stack that is up answers at once; a person has waited long enough by then."""
ANSWER_SECONDS_MAX: Final = 60.0
"""A search or a report may have to read much; a replay of a round takes milliseconds."""
UNAVAILABLE_CODES: Final = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)


class Endpoint(NamedTuple):
    """The address of a service, and the folder with the caller's key and certificate."""

    address: Address
    identity: Path


class ServiceClient(Struct, Generic[Stub], frozen=True):
    """One service that commands call."""

    name: str
    """As its certificate and the stack name it."""
    noun: str
    """As messages name it."""
    address_setting: str
    stub: Callable[[grpc.aio.Channel], Stub]
    commands: Mapping[str, str]
    """The command of each call: an error that names a call is reported with the command."""

    def find(self, address: str = "", identity: str = "", stack: str = "") -> Endpoint:
        """Use the given address and identity, or those of the stack that is up."""
        folder = Path(stack) if stack else default_folder()
        try:
            at = Address.parse(address or self._address_of(folder))
        except ValueError as error:
            raise ServiceUnavailable(f"--address or {self.address_setting}: {error}") from None
        own = Path(identity) if identity else folder / "identity" / OPERATOR.kind / OPERATOR.name
        if not own.is_dir():
            raise ServiceUnavailable(
                f"no client certificate in {own}: start the stack, which issues one (make up), or "
                f"name a folder with {IDENTITY}"
            )
        return Endpoint(at, own)

    def is_local(self, address: str, stack: str) -> bool:
        """Whether the address is that of the service in a stack of this clone."""
        if not has_stack():
            return False
        try:
            folder = Path(stack) if stack else default_folder()
            return not address or address == self._address_of(folder)
        except ServiceUnavailable:
            return False

    def _address_of(self, folder: Path) -> str:
        """Read the service's port from the state of the stack."""
        try:
            ports = json.loads((folder / "state.json").read_bytes())["ports"]
            port = int(ports[f"{self.name}.rpc"])
        except PermissionError as error:
            raise ServiceUnavailable(
                f"{error.filename} cannot be read: it belongs to another user"
            ) from None
        except (OSError, ValueError, LookupError, TypeError):
            raise ServiceUnavailable(
                f"the stack in {folder} is not up: make up, or name the {self.noun} with --address"
            ) from None
        return f"127.0.0.1:{port}"

    @asynccontextmanager
    async def connected(self, endpoint: Endpoint) -> AsyncIterator[Stub]:
        """Connect; `ServiceUnavailable` where the service does not accept the connection."""
        try:
            credentials = Credentials(OPERATOR, endpoint.identity)
        except (NoAuthority, KeyExposed, OSError, ValueError) as error:
            raise ServiceUnavailable(f"the client certificate cannot be used: {error}") from None
        deadline = ANSWER_SECONDS_MAX
        channel = connect(self.name, endpoint.address, credentials, deadline_seconds=deadline)
        try:
            try:
                await asyncio.wait_for(channel.channel_ready(), READY_SECONDS_MAX)
            except TimeoutError:
                raise ServiceUnavailable(
                    f"no {self.noun} answers at {endpoint.address} to the certificate in "
                    f"{endpoint.identity}: start the stack (make up); {STATUS_HINT}"
                ) from None
            yield self.stub(channel)
        finally:
            await channel.close()

    def call(self, endpoint: Endpoint, request: Callable[[Stub], Awaitable[T]]) -> T:
        """Send one request and wait for the answer; a long wait is reported."""

        async def waited() -> T:
            with wait_notice(f"the {self.noun} at {endpoint.address}"):
                return await self.call_async(endpoint, request)

        return asyncio.run(waited())

    def follow(
        self, endpoint: Endpoint, title: str, work: Callable[[Stub], AsyncIterator[tuple[int, int]]]
    ) -> int:
        """Follow long work that reports how much of its total is done; return the total."""

        async def followed(stub: Stub) -> int:
            reports = work(stub)
            with wait_notice(f"the {self.noun} at {endpoint.address} to begin"):
                done, total = await anext(reports)
            with work_meter(title, total) as show:
                show(done)
                async for done, _ in reports:
                    show(done)
            return total

        return asyncio.run(self.call_async(endpoint, followed))

    async def call_async(self, endpoint: Endpoint, request: Callable[[Stub], Awaitable[T]]) -> T:
        """The same within an event loop, and without a notice."""
        async with self.connected(endpoint) as stub:
            try:
                return await request(stub)
            except grpc.aio.AioRpcError as error:
                raise self.error_of(error, endpoint) from None

    def error_of(
        self, error: grpc.aio.AioRpcError, endpoint: Endpoint
    ) -> ServiceUnavailable | RequestRejected:
        """An error of a call in words.

        A rejection keeps the words of the service, with the commands for the calls that its fields
        name; an unavailable service comes with what an operator can do about it.
        """
        reason = error.details() or error.code().name.lower().replace("_", " ")
        info = error_info(error)
        fields = info.metadata if info is not None else {}
        if command := self.commands.get(fields.get("call", "")):
            reason = f"`{command_name()} {command}`: {reason}"
        see = [
            self.commands[call]
            for call in fields.get("see", "").split(",")
            if call in self.commands
        ]
        if see:
            reason += "; see " + " and ".join(f"`{command_name()} {command}`" for command in see)
        if error.code() in UNAVAILABLE_CODES:
            return ServiceUnavailable(
                f"the {self.noun} at {endpoint.address} does not answer: {reason}; {STATUS_HINT}, "
                "and `make up` starts a service that has ended"
            )
        return RequestRejected(reason, _code(error))


def _code(error: grpc.aio.AioRpcError) -> str:
    """The code of a rejection: that of the field, else the kind of error."""
    info = error_info(error)
    if info is None:
        return error.code().name.lower()
    return str(info.metadata.get("code") or info.reason.lower())
