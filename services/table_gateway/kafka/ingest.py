"""Batches of events: checked, appended, and only then acknowledged.

An event goes to `table-events` under its table, as the bytes that were received, with the ingest
time and the trace in its headers. A rejected event goes to `dead-letters` with code, reason, table
and peer. Both are written before the response: no acknowledgment and no rejection is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from runtime.kafka.producer import AcknowledgedProducer
from runtime.kafka.records import Headers, Output
from runtime.metrics import Metrics
from runtime.tracing import trace_headers
from table_gateway.domain.stream import (
    Accepted,
    Duplicate,
    EventDecision,
    EventRejection,
    RejectionCode,
    TableStream,
    judge_sent,
)
from table_gateway.domain.wait_time import credible_wait_us
from table_gateway.grpc.budget import Budget
from table_gateway.grpc.errors import BatchTooLarge, InvalidWaits
from table_gateway.grpc.ingest_clock import IngestClock
from table_gateway.kafka.dead_letters import StoredDeadLetter
from wire import NotAnEvent, decode_event, headers
from wire.chain import digest
from wire.events import EVENT_BYTES_MAX

ACCEPTED: Final = "accepted"
DUPLICATE: Final = "duplicate"
EVENT_OVERHEAD_BYTES: Final = 512
"""Memory of an event contexts its bytes: headers, and the buffers where it waits."""


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """The result of a batch, once the brokers have it."""

    stream: TableStream
    rejected: tuple[tuple[int, EventRejection], ...]
    """With the index in the batch."""
    duplicates: int
    arrived_at: int
    """When the last accepted event arrived at its controller; 0 while that is not known."""


class EventIngest:
    """Appends batches of any table. Never more than the budget is on its way to the brokers."""

    def __init__(
        self,
        producer: AcknowledgedProducer,
        *,
        events_topic: str,
        dead_letters_topic: str,
        budget: Budget,
        batch_bytes_max: int,
        clock: IngestClock,
        metrics: Metrics,
    ) -> None:
        self._producer = producer
        self._events_topic = events_topic
        self._dead_letters_topic = dead_letters_topic
        self._budget = budget
        self._clock = clock
        self.batch_bytes_max = batch_bytes_max
        self._events = metrics.counter("events", "Events received, by outcome.", ["outcome"])
        for outcome in (ACCEPTED, DUPLICATE, *(code.value for code in RejectionCode)):
            self._events.labels(outcome)  # there from the start, so that the first is a rise
        self._acknowledged = metrics.gauge(
            "last_acknowledged_timestamp_seconds",
            "When the brokers last had a new event; 0: not yet.",
        )
        in_flight = metrics.gauge("in_flight_bytes", "Bytes on their way to the brokers.")
        in_flight.set_function(lambda: budget.spent_bytes)

    async def append(
        self,
        stream: TableStream,
        frames: Sequence[bytes],
        times: Sequence[int] = (),
        waits: Sequence[int] = (),
        *,
        peer: str,
        arrived_at: int = 0,
    ) -> BatchOutcome:
        """Write a batch; `NotWritten` when it is unknown which events the brokers have.

        `times` are the ingest times of a simulation; `waits` state how long each event had been
        at its controller, and `arrived_at` is when the event before these arrived there.
        """
        weight = weigh(frames)
        if weight > self.batch_bytes_max:
            raise BatchTooLarge(weight, self.batch_bytes_max)
        if waits and len(waits) != len(frames):
            raise InvalidWaits(waits=len(waits), events=len(frames))
        async with self._budget.spend(weight):
            trace = trace_headers()
            received = self._clock.times(len(frames), times)
            key = stream.table.encode()
            outputs: list[Output] = []
            rejected: list[tuple[int, EventRejection]] = []
            duplicates = 0
            for index, (frame, at) in enumerate(zip(frames, received, strict=True)):
                claimed = waits[index] if waits else 0
                decision, kind = decide(stream, frame)
                is_next = isinstance(decision, Accepted) and decision.stream is not stream
                # An event that fills a gap arrived at its controller before those in the log.
                after = arrived_at if is_next else 0
                waited = credible_wait_us(claimed, received_at=int(at), arrived_at=after)
                context: Headers = [(headers.INGESTED_AT, at), *trace]
                if waited:
                    context.append((headers.WAITED_US, headers.write_waited_us(waited)))
                if is_next:
                    arrived_at = int(at) - waited
                match decision:
                    case Accepted(stream):
                        context.append((headers.KIND, kind))
                        outputs.append(Output(self._events_topic, frame, key, headers=context))
                    case Duplicate():
                        duplicates += 1
                    case EventRejection() as rejection:
                        rejected.append((index, rejection))
                        dead_letter = encode_dead_letter(
                            rejection, frame, stream.table, peer, context
                        )
                        outputs.append(Output(self._dead_letters_topic, *dead_letter))
            await self._producer.send(outputs)
        self._count(len(frames) - duplicates - len(rejected), duplicates, rejected)
        return BatchOutcome(stream, tuple(rejected), duplicates, arrived_at)

    async def retry(
        self, stream: TableStream, dead_letter: StoredDeadLetter, *, author: str
    ) -> EventDecision:
        """Judge a dead letter again by the same rules.

        It keeps its ingest time; who retried it and when is added. One that is rejected again is
        in `dead-letters` already.
        """
        decision, kind = decide(stream, dead_letter.frame)
        if isinstance(decision, Accepted):
            (now,) = self._clock.times(1)
            context: Headers = [
                (headers.INGESTED_AT, dead_letter.ingested_at or now),
                (headers.KIND, kind),
                (headers.RETRY_OF, b"%d" % dead_letter.offset),
                (headers.RETRIED_AT, now),
                (headers.AUTHOR, author.encode()[: headers.BYTES_MAX]),
                *trace_headers(),
            ]
            if dead_letter.waited_us:
                context.append((headers.WAITED_US, dead_letter.waited_us))
            key = stream.table.encode()
            async with self._budget.spend(weigh([dead_letter.frame])):
                await self._producer.send(
                    [Output(self._events_topic, dead_letter.frame, key, headers=context)]
                )
            self._count(1, 0, [])
        return decision

    def _count(
        self, accepted: int, duplicates: int, rejected: list[tuple[int, EventRejection]]
    ) -> None:
        if accepted:
            self._acknowledged.set_to_current_time()
        self._events.labels(ACCEPTED).inc(accepted)
        self._events.labels(DUPLICATE).inc(duplicates)
        for _, rejection in rejected:
            self._events.labels(rejection.code.value).inc()


def weigh(frames: Sequence[bytes]) -> int:
    """The memory of a batch in progress; events that are too large are cut.

    >>> weigh([b"x" * 100, b""])
    1124
    """
    return sum(min(len(frame), EVENT_BYTES_MAX) + EVENT_OVERHEAD_BYTES for frame in frames)


def decide(stream: TableStream, frame: bytes) -> tuple[EventDecision, bytes]:
    """The decision about any bytes, and the kind of their fact; empty where they are no event."""
    try:
        event = decode_event(frame)
    except NotAnEvent as error:
        code = RejectionCode.OVERSIZED if len(frame) > EVENT_BYTES_MAX else RejectionCode.MALFORMED
        return EventRejection(code, error.reason), b""
    return judge_sent(stream, event), headers.write_kind(event.fact)


def encode_dead_letter(
    rejection: EventRejection, frame: bytes, table: str, peer: str, context: Headers
) -> tuple[bytes, bytes, int, Headers]:
    """Value, key, partition and headers of the dead letter of a rejected event."""
    details: Headers = [
        (headers.CODE, rejection.code.value.encode()),
        (headers.REASON, rejection.reason.encode()),
        (headers.TABLE, table.encode()),
        (headers.PEER, peer.encode()),
        (headers.LENGTH, b"%d" % len(frame)),
        (headers.DIGEST, digest(frame).hex().encode()),
        *context,
    ]
    return frame[:EVENT_BYTES_MAX], table.encode(), -1, details
