"""The way to the archive: its address, who we are, and what a person is told if it is not there.

The address is said, or the running stack's folder has it; so does it have the certificate of
whoever works at this machine.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import grpc

from casino.settlement.v1.service_pb2_grpc import SettlementServiceStub
from pitctl.ending import called
from pitctl.local_stack import default_folder, has_stack
from runtime.addresses import Address
from runtime.identity.credentials import Credentials
from runtime.identity.errors import Exposed, NoAuthority
from runtime.identity.names import Name
from runtime.rpc.client import connect

if TYPE_CHECKING:
    from casino.settlement.v1.service_pb2_grpc import SettlementServiceAsyncStub

T = TypeVar("T")

SERVICE: Final = "round_archive"
OPERATOR: Final = Name("operator", "local")
ADDRESS: Final = "ROUND_ARCHIVE_ADDRESS"
IDENTITY: Final = "IDENTITY_FOLDER"
STACK: Final = "STACK_DIR"
READY_SECONDS_MAX: Final = 5.0
"""A stack that is up answers at once; a person has waited long enough by then."""
ANSWER_SECONDS_MAX: Final = 60.0
"""A search may have to read much; a replay of a round takes milliseconds."""
AWAY: Final = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)

COMMANDS: Final = {
    "GetRound": "replay",
    "FindRounds": "rounds",
    "ReplayRound": "replay",
    "Watch": "tail",
    "GetStatus": "status",
    "FindDeadLetters": "dead-letters",
    "Rebuild": "rebuild",
}
"""Which command asks what."""
_CALLS: Final = re.compile(rf"\b(?:{'|'.join(COMMANDS)})\b")


class NoArchive(Exception):
    """The archive cannot be asked; the text says why, and what to do."""


class Refused(Exception):
    """The archive has answered, and this is why not with what was asked for."""


class Place(NamedTuple):
    """Where the archive answers, and the folder with our key and certificate."""

    address: Address
    identity: Path


def find_archive(address: str = "", identity: str = "", stack: str = "") -> Place:
    """From what was said, or else from the folder of the stack that is up."""
    folder = Path(stack) if stack else default_folder()
    try:
        at = Address.parse(address or _address_of(folder))
    except ValueError as error:
        raise NoArchive(f"--address or {ADDRESS}: {error}") from None
    own = Path(identity) if identity else folder / "identity" / OPERATOR.kind / OPERATOR.name
    if not own.is_dir():
        raise NoArchive(
            f"there is no certificate to show in {own}: the stack makes one (make up), or name a "
            f"folder with {IDENTITY}"
        )
    return Place(at, own)


def is_local(address: str, stack: str) -> bool:
    """Whether the archive that is meant is that of a stack of this clone."""
    if not has_stack():
        return False
    try:
        return not address or address == _address_of(Path(stack) if stack else default_folder())
    except NoArchive:
        return False


def _address_of(folder: Path) -> str:
    """What the stack has written down of the archive's port."""
    not_up = f"the stack in {folder} is not up: make up, or name the archive with --address"
    try:
        ports = json.loads((folder / "state.json").read_bytes())["ports"]
        port = int(ports[f"{SERVICE}.rpc"])
    except PermissionError as error:
        raise NoArchive(f"{error.filename} cannot be read: it is somebody else's") from None
    except (OSError, ValueError, LookupError, TypeError):
        raise NoArchive(not_up) from None
    return f"127.0.0.1:{port}"


@asynccontextmanager
async def asking(place: Place) -> AsyncIterator[SettlementServiceAsyncStub]:
    """The archive to be asked; `NoArchive` where it does not answer."""
    try:
        credentials = Credentials(OPERATOR, place.identity)
    except (NoAuthority, Exposed, OSError, ValueError) as error:
        raise NoArchive(f"our certificate cannot be used: {error}") from None
    channel = connect(SERVICE, place.address, credentials, deadline_seconds=ANSWER_SECONDS_MAX)
    try:
        try:
            await asyncio.wait_for(channel.channel_ready(), READY_SECONDS_MAX)
        except TimeoutError:
            raise NoArchive(
                f"no archive answers at {place.address} to our certificate in {place.identity}: "
                "if the stack is not up, make up; `make status` says how it stands"
            ) from None
        yield SettlementServiceStub(channel)
    finally:
        await channel.close()


def ask(place: Place, question: Callable[[SettlementServiceAsyncStub], Awaitable[T]]) -> T:
    """Ask one thing and wait for the answer."""

    async def asked() -> T:
        async with asking(place) as archive:
            try:
                return await question(archive)
            except grpc.aio.AioRpcError as error:
                raise told(error, place) from None

    return asyncio.run(asked())


def told(error: grpc.aio.AioRpcError, place: Place) -> NoArchive | Refused:
    """A refusal as the archive words it, with commands for calls; silence as what a person can do
    about it."""
    said = error.details() or error.code().name.lower().replace("_", " ")
    said = _CALLS.sub(lambda call: f"`{called()} {COMMANDS[call[0]]}`", said)
    if error.code() in AWAY:
        return NoArchive(f"the archive at {place.address} does not answer: {said}")
    return Refused(said)
