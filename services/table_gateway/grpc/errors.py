"""Why a call is ended, other than for what its events say.

GatewayError
├── NotYourTable      the certificate names another table
├── NoHello           the stream does not begin with a hello, or has a second one
├── BatchTooLarge     more bytes in a batch than the welcome allowed
├── NoSimulation      a batch brings its own times, and this gateway is for real tables
├── BadTimes          a batch brings its own times, and they are none
├── BadWaits          a batch says of other events than its own how long they waited
├── Superseded        a newer call speaks for the table
├── Stopping          the gateway stops; another one, or this one restarted, goes on
├── NoSuchLetter      dead-letters has nothing at that offset, or no longer
├── NotRetried        what was set aside cannot be taken again, whatever the log has
└── LogUnreadable     how far the table is cannot be learnt just now
"""

from __future__ import annotations

import grpc

from runtime.kafka.producer import NotWritten
from runtime.rpc.errors import StatusCodes


class GatewayError(Exception):
    """The root of the tree."""


class NotYourTable(GatewayError):
    """The certificate names another table."""

    def __init__(self, table: str, peer: str) -> None:
        self.table = table
        self.peer = peer
        super().__init__(f"{peer} may not speak for {table or 'a table without a name'}")


class NoHello(GatewayError):
    """The stream does not begin with a hello, or has a second one."""

    def __init__(self, found: str) -> None:
        self.found = found
        super().__init__(f"a stream is one hello, then batches; found {found}")


class BatchTooLarge(GatewayError):
    """More bytes in a batch than the welcome allowed."""

    def __init__(self, weight: int, weight_max: int) -> None:
        self.weight = weight
        self.weight_max = weight_max
        super().__init__(f"a batch that weighs {weight} bytes; {weight_max} are allowed")


class NoSimulation(GatewayError):
    """A batch brings its own times, and this gateway is for real tables."""

    def __init__(self) -> None:
        super().__init__(
            "this gateway was not started for simulations: it stamps events by its own clock"
        )


class BadTimes(GatewayError):
    """A batch brings its own times, and they are none."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"simulated ingest times: {reason}")


class BadWaits(GatewayError):
    """A batch says of other events than its own how long they waited."""

    def __init__(self, *, waits: int, events: int) -> None:
        self.waits = waits
        self.events = events
        super().__init__(f"{waits} waits for {events} events: one for each, or none")


class Superseded(GatewayError):
    """A newer call speaks for the table."""

    def __init__(self, table: str) -> None:
        self.table = table
        super().__init__(f"a newer call speaks for {table}")


class Stopping(GatewayError):
    """The gateway stops."""

    def __init__(self) -> None:
        super().__init__("the gateway stops: connect again")


class NoSuchLetter(GatewayError):
    """Dead-letters has nothing at that offset, or no longer."""

    def __init__(self, offset: int) -> None:
        self.offset = offset
        super().__init__(f"nothing is set aside at offset {offset}")


class NotRetried(GatewayError):
    """What was set aside cannot be taken again, whatever the log has."""

    def __init__(self, offset: int, reason: str) -> None:
        self.offset = offset
        self.reason = reason
        super().__init__(f"dead letter {offset} cannot be retried: {reason}")


class LogUnreadable(GatewayError):
    """How far the table is cannot be learnt just now."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the log cannot be read: {reason}")


STATUS_CODES: StatusCodes = {
    NotYourTable: grpc.StatusCode.PERMISSION_DENIED,
    NoHello: grpc.StatusCode.INVALID_ARGUMENT,
    BatchTooLarge: grpc.StatusCode.INVALID_ARGUMENT,
    NoSimulation: grpc.StatusCode.INVALID_ARGUMENT,
    BadTimes: grpc.StatusCode.INVALID_ARGUMENT,
    BadWaits: grpc.StatusCode.INVALID_ARGUMENT,
    Superseded: grpc.StatusCode.ABORTED,
    Stopping: grpc.StatusCode.UNAVAILABLE,
    NoSuchLetter: grpc.StatusCode.NOT_FOUND,
    NotRetried: grpc.StatusCode.FAILED_PRECONDITION,
    LogUnreadable: grpc.StatusCode.UNAVAILABLE,
    NotWritten: grpc.StatusCode.UNAVAILABLE,
}
"""Unavailable is to be tried again; the others are not before something is mended."""
