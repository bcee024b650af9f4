"""`casino.operations.v1.ReaderService`: returns the last measurement, without any other call."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from casino.operations.v1 import readers_pb2 as pb
from casino.operations.v1.readers_pb2_grpc import (
    ReaderServiceServicer,
    add_ReaderServiceServicer_to_server,
)
from runtime.kafka.lag import LagMonitor, TopicLag
from runtime.rpc.access import Access, Policy
from runtime.rpc.server import Servicer
from wire.vocabulary import SECONDS_MAX, write_time

SERVICE: Final = "casino.operations.v1.ReaderService"
POLICY: Final[Policy] = {
    f"/{SERVICE}/ListReaders": Access(peers={"service/*", "operator/*"}),
}
"""Counts and times are no secret, and every page of the console shows a warning."""

LateServices = Callable[[], Mapping[str, float]]
"""By service, how many seconds it is behind; only those that people are warned about."""


class ReaderService(ReaderServiceServicer):
    def __init__(
        self,
        lag: LagMonitor,
        *,
        prefix: str,
        late_services: LateServices = dict,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._lag = lag
        self._prefix = prefix
        self._late_services = late_services
        self._clock = clock

    def servicer(self) -> Servicer:
        return Servicer(SERVICE, lambda to: add_ReaderServiceServicer_to_server(self, to))

    async def ListReaders(  # noqa: N802
        self, request: pb.ListReadersRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> pb.ListReadersResponse:
        del request, context
        last, now = self._lag.last, self._clock()
        return pb.ListReadersResponse(
            readers=[self._reader(lag, now) for lag in last.by_topic(self._lag.readers)],
            measured_at=_moment(last.measured_at) if last.measured_at else None,
            error=last.error,
            late_services=[
                pb.LateService(service=service, seconds_behind=seconds)
                for service, seconds in sorted(self._late_services().items())
            ],
        )

    def _reader(self, lag: TopicLag, now: float) -> pb.Reader:
        return pb.Reader(
            service=lag.service,
            reader=lag.reader,
            topic=lag.topic.removeprefix(self._prefix),
            unread_messages=lag.unread,
            oldest_unread_at=None if lag.oldest_at is None else _moment(lag.oldest_at),
            oldest_unread_seconds=lag.seconds(now),
        )


def _moment(seconds: float) -> Timestamp | None:
    """A writer may have stamped a message with any time where the broker does not."""
    return write_time(round(min(seconds, SECONDS_MAX) * 1_000_000))
