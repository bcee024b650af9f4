"""Why a call is ended, apart from the events in it.

GatewayError
├── TableNotPermitted     the certificate names another table
├── HelloExpected         the stream does not begin with a hello, or has a second one
├── BatchTooLarge         more bytes in a batch than the welcome allowed
├── SimulationDisabled    a batch brings its own times, and this gateway is for real tables
├── InvalidIngestTimes    the simulated ingest times of a batch are invalid
├── InvalidWaits          the number of waits is not the number of events
├── Superseded            a newer call reports for the table
├── GatewayStopping       the gateway stops; another one, or this one restarted, goes on
├── DeadLetterNotFound    dead-letters has no message at that offset, or no longer
├── NotRetryable          the dead letter is never accepted again, whatever the log has
└── LogUnreadable         the position of the table is not known at the moment
"""

from __future__ import annotations

import grpc

from runtime.kafka.producer import NotWritten
from runtime.rpc.errors import StatusCodes


class GatewayError(Exception):
    """The root of the tree."""


class TableNotPermitted(GatewayError):
    """The certificate names another table."""

    def __init__(self, table: str, peer: str) -> None:
        self.table = table
        self.peer = peer
        super().__init__(
            f'permission denied: certificate "{peer}" may not report for table "{table}": use the '
            "certificate of that table"
        )


class HelloExpected(GatewayError):
    """The stream does not begin with a hello, or has a second one."""

    def __init__(self, found: str) -> None:
        self.found = found
        super().__init__(f"invalid stream: expected one hello, then batches; found {found}")


class BatchTooLarge(GatewayError):
    """More bytes in a batch than the welcome allowed."""

    def __init__(self, weight: int, weight_max: int) -> None:
        self.weight = weight
        self.weight_max = weight_max
        super().__init__(f"invalid batch: {weight} bytes, at most {weight_max} are allowed")


class SimulationDisabled(GatewayError):
    """A batch brings its own times, and this gateway is for real tables."""

    def __init__(self) -> None:
        super().__init__(
            "invalid simulated_ingest_times: leave them out; this gateway was not started for"
            " simulations (SIMULATED_TIME)"
        )


class InvalidIngestTimes(GatewayError):
    """The simulated ingest times of a batch are invalid."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"invalid simulated_ingest_times: {reason}")


class InvalidWaits(GatewayError):
    """The number of waits is not the number of events."""

    def __init__(self, *, waits: int, events: int) -> None:
        self.waits = waits
        self.events = events
        super().__init__(
            f"invalid waits_us: {waits} waits for {events} events; send one for each event, or none"
        )


class Superseded(GatewayError):
    """A newer call reports for the table."""

    def __init__(self, table: str) -> None:
        self.table = table
        super().__init__(f"a newer call reports for table {table}")


class GatewayStopping(GatewayError):
    """The gateway stops."""

    def __init__(self) -> None:
        super().__init__("the gateway is stopping: connect again")


class DeadLetterNotFound(GatewayError):
    """Dead-letters has no message at that offset, or no longer."""

    def __init__(self, offset: int) -> None:
        self.offset = offset
        super().__init__(f"dead letter {offset} not found")


class NotRetryable(GatewayError):
    """The dead letter is never accepted again, whatever the log has."""

    def __init__(self, offset: int, reason: str) -> None:
        self.offset = offset
        self.reason = reason
        super().__init__(f"dead letter {offset} cannot be retried: {reason}")


class LogUnreadable(GatewayError):
    """The position of the table is not known at the moment."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"table-events is unavailable: {reason}")


STATUS_CODES: StatusCodes = {
    TableNotPermitted: grpc.StatusCode.PERMISSION_DENIED,
    HelloExpected: grpc.StatusCode.INVALID_ARGUMENT,
    BatchTooLarge: grpc.StatusCode.INVALID_ARGUMENT,
    SimulationDisabled: grpc.StatusCode.INVALID_ARGUMENT,
    InvalidIngestTimes: grpc.StatusCode.INVALID_ARGUMENT,
    InvalidWaits: grpc.StatusCode.INVALID_ARGUMENT,
    Superseded: grpc.StatusCode.ABORTED,
    GatewayStopping: grpc.StatusCode.UNAVAILABLE,
    DeadLetterNotFound: grpc.StatusCode.NOT_FOUND,
    NotRetryable: grpc.StatusCode.FAILED_PRECONDITION,
    LogUnreadable: grpc.StatusCode.UNAVAILABLE,
    NotWritten: grpc.StatusCode.UNAVAILABLE,
}
"""Retry UNAVAILABLE; the others fail again until a person has fixed the cause."""
