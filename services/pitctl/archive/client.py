"""The client of the round archive."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final, TypeVar

import grpc

from casino.settlement.v1.service_pb2_grpc import SettlementServiceStub
from pitctl.connection.channel import Endpoint, ServiceClient

if TYPE_CHECKING:
    from casino.settlement.v1.service_pb2_grpc import SettlementServiceAsyncStub

T = TypeVar("T")

ADDRESS: Final = "ROUND_ARCHIVE_ADDRESS"


def _stub(channel: grpc.aio.Channel) -> SettlementServiceAsyncStub:
    return SettlementServiceStub(channel)


ARCHIVE: Final = ServiceClient(
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
)


def find_archive(address: str = "", identity: str = "", stack: str = "") -> Endpoint:
    """Use the given address and identity, or those of the stack that is up."""
    return ARCHIVE.find(address, identity, stack)


def is_local(address: str, stack: str) -> bool:
    """Whether the address is that of the archive in a stack of this clone."""
    return ARCHIVE.is_local(address, stack)


def query_archive(
    endpoint: Endpoint, request: Callable[[SettlementServiceAsyncStub], Awaitable[T]]
) -> T:
    """Send one request and wait for the answer."""
    return ARCHIVE.call(endpoint, request)
