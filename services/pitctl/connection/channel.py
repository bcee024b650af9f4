"""The way to a service: its address, who we are, and what a person is told if it is not there.

The address is said, or the running stack's folder has it; so does it have the certificate of
whoever works at this machine.
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

from pitctl.output.exit import called
from pitctl.output.waiting import LOOK, showing_work, telling_wait
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
AWAY: Final = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)


class NoAnswer(Exception):
    """A service cannot be asked; the text says why, and what to do."""


class Refused(Exception):
    """The service has answered, and this is why not with what was asked for.

    `code` is its name for programs; empty where the service gave none.
    """

    def __init__(self, said: str, code: str = "") -> None:
        super().__init__(said)
        self.code = code


class Place(NamedTuple):
    """Where a service answers, and the folder with our key and certificate."""

    address: Address
    identity: Path


class Service(Struct, Generic[Stub], frozen=True):
    """One that can be asked."""

    name: str
    """As its certificate and the stack name it."""
    noun: str
    """What a person calls it."""
    address_setting: str
    stub: Callable[[grpc.aio.Channel], Stub]
    commands: Mapping[str, str]
    """Which command asks what: an answer that names a call is told with the command."""
    no_answer: type[NoAnswer] = NoAnswer

    def find(self, address: str = "", identity: str = "", stack: str = "") -> Place:
        """From what was said, or else from the folder of the stack that is up."""
        folder = Path(stack) if stack else default_folder()
        try:
            at = Address.parse(address or self._address_of(folder))
        except ValueError as error:
            raise self.no_answer(f"--address or {self.address_setting}: {error}") from None
        own = Path(identity) if identity else folder / "identity" / OPERATOR.kind / OPERATOR.name
        if not own.is_dir():
            raise self.no_answer(
                f"there is no certificate to show in {own}: the stack makes one (make up), or name "
                f"a folder with {IDENTITY}"
            )
        return Place(at, own)

    def is_local(self, address: str, stack: str) -> bool:
        """Whether the one that is meant is that of a stack of this clone."""
        if not has_stack():
            return False
        try:
            folder = Path(stack) if stack else default_folder()
            return not address or address == self._address_of(folder)
        except NoAnswer:
            return False

    def _address_of(self, folder: Path) -> str:
        """What the stack has written down of the service's port."""
        try:
            ports = json.loads((folder / "state.json").read_bytes())["ports"]
            port = int(ports[f"{self.name}.rpc"])
        except PermissionError as error:
            said = f"{error.filename} cannot be read: it is somebody else's"
            raise self.no_answer(said) from None
        except (OSError, ValueError, LookupError, TypeError):
            raise self.no_answer(
                f"the stack in {folder} is not up: make up, or name the {self.noun} with --address"
            ) from None
        return f"127.0.0.1:{port}"

    @asynccontextmanager
    async def asking(self, place: Place) -> AsyncIterator[Stub]:
        """The service to be asked; `no_answer` where it does not answer."""
        try:
            credentials = Credentials(OPERATOR, place.identity)
        except (NoAuthority, KeyExposed, OSError, ValueError) as error:
            raise self.no_answer(f"our certificate cannot be used: {error}") from None
        deadline = ANSWER_SECONDS_MAX
        channel = connect(self.name, place.address, credentials, deadline_seconds=deadline)
        try:
            try:
                await asyncio.wait_for(channel.channel_ready(), READY_SECONDS_MAX)
            except TimeoutError:
                raise self.no_answer(
                    f"no {self.noun} answers at {place.address} to our certificate in "
                    f"{place.identity}: if the stack is not up, make up; `make status` says how it "
                    "stands"
                ) from None
            yield self.stub(channel)
        finally:
            await channel.close()

    def ask(self, place: Place, question: Callable[[Stub], Awaitable[T]]) -> T:
        """Ask one thing and wait for the answer; whoever waits long is told for what."""

        async def asked() -> T:
            with telling_wait(f"the {self.noun} at {place.address}"):
                return await self._asked(place, question)

        return asyncio.run(asked())

    def follow(
        self, place: Place, title: str, work: Callable[[Stub], AsyncIterator[tuple[int, int]]]
    ) -> int:
        """Have long work done that tells how much of how much it has; gives how much it was."""

        async def followed(stub: Stub) -> int:
            told = work(stub)
            with telling_wait(f"the {self.noun} at {place.address} to begin"):
                done, total = await anext(told)
            with showing_work(title, total) as show:
                show(done)
                async for done, _ in told:
                    show(done)
            return total

        return asyncio.run(self._asked(place, followed))

    async def answer(self, place: Place, question: Callable[[Stub], Awaitable[T]]) -> T:
        """The same within an event loop, and without a word to whoever waits."""
        return await self._asked(place, question)

    async def _asked(self, place: Place, question: Callable[[Stub], Awaitable[T]]) -> T:
        async with self.asking(place) as stub:
            try:
                return await question(stub)
            except grpc.aio.AioRpcError as error:
                raise self.told(error, place) from None

    def told(self, error: grpc.aio.AioRpcError, place: Place) -> NoAnswer | Refused:
        """A refusal as the service words it, with the commands for the calls that it names in its
        fields; silence as what a person can do about it."""
        said = error.details() or error.code().name.lower().replace("_", " ")
        info = error_info(error)
        fields = info.metadata if info is not None else {}
        if command := self.commands.get(fields.get("call", "")):
            said = f"`{called()} {command}`: {said}"
        see = [
            self.commands[call]
            for call in fields.get("see", "").split(",")
            if call in self.commands
        ]
        if see:
            said += "; see " + " and ".join(f"`{called()} {command}`" for command in see)
        if error.code() in AWAY:
            return self.no_answer(
                f"the {self.noun} at {place.address} does not answer: {said}; {LOOK}, and "
                "`make up` starts again what has ended"
            )
        return Refused(said, _code(error))


def _code(error: grpc.aio.AioRpcError) -> str:
    """The code that came with a refusal: that of the field, else the kind of error."""
    info = error_info(error)
    if info is None:
        return error.code().name.lower()
    return str(info.metadata.get("code") or info.reason.lower())
