"""The archive, as one of the services that are asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final, TypeVar

import grpc

from casino.settlement.v1.service_pb2_grpc import SettlementServiceStub
from pitctl.connection.channel import IDENTITY, NoAnswer, Place, Refused, Service

if TYPE_CHECKING:
    from casino.settlement.v1.service_pb2_grpc import SettlementServiceAsyncStub

__all__ = ["ADDRESS", "IDENTITY", "NoArchive", "Place", "Refused", "ask", "find_archive"]

T = TypeVar("T")

ADDRESS: Final = "ROUND_ARCHIVE_ADDRESS"


class NoArchive(NoAnswer):
    """The archive cannot be asked."""


def _stub(channel: grpc.aio.Channel) -> SettlementServiceAsyncStub:
    return SettlementServiceStub(channel)


ARCHIVE: Final = Service(
    name="round_archive",
    noun="archive",
    address_setting=ADDRESS,
    stub=_stub,
    commands={
        "GetRound": "replay",
        "FindRounds": "rounds",
        "ReplayRound": "replay",
        "Watch": "tail",
        "GetStatus": "status",
        "FindDeadLetters": "dead-letters",
        "Rebuild": "rebuild",
    },
    no_answer=NoArchive,
)


def find_archive(address: str = "", identity: str = "", stack: str = "") -> Place:
    """From what was said, or else from the folder of the stack that is up."""
    return ARCHIVE.find(address, identity, stack)


def is_local(address: str, stack: str) -> bool:
    """Whether the archive that is meant is that of a stack of this clone."""
    return ARCHIVE.is_local(address, stack)


def ask(place: Place, question: Callable[[SettlementServiceAsyncStub], Awaitable[T]]) -> T:
    """Ask one thing and wait for the answer."""
    return ARCHIVE.ask(place, question)
