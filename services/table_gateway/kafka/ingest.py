"""Bytes of a batch: judged, appended, and only then acknowledged.

An event goes to `table-events` under its table, as the bytes that came, with the ingest time
and the trace beside it. What is refused goes to `dead-letters` with code, reason, table and
peer. Both are written before the answer: neither a fact nor a refusal is ever only said.
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
    Code,
    Decision,
    Duplicate,
    Refusal,
    Stream,
    Taken,
    judge_sent,
)
from table_gateway.domain.wait_time import believed_us
from table_gateway.grpc.budget import Budget
from table_gateway.grpc.errors import BadWaits, BatchTooLarge
from table_gateway.grpc.ingest_clock import Clock
from table_gateway.kafka.dead_letters import Letter
from wire import NotAnEvent, decode_event, headers
from wire.chain import digest
from wire.events import EVENT_BYTES_MAX

EVENT_OVERHEAD_BYTES: Final = 512
"""What an event takes besides its bytes: headers, and the places where it waits."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a batch, once the brokers have it."""

    stream: Stream
    refused: tuple[tuple[int, Refusal], ...]
    """With the place in the batch."""
    duplicates: int
    came_at: int
    """When the last event that was taken came to its controller; 0 while that is not known."""


class Intake:
    """Takes batches of any table. Never more than the budget is on its way to the brokers."""

    def __init__(
        self,
        producer: AcknowledgedProducer,
        *,
        events_topic: str,
        dead_letters_topic: str,
        budget: Budget,
        batch_bytes_max: int,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._producer = producer
        self._events_topic = events_topic
        self._dead_letters_topic = dead_letters_topic
        self._budget = budget
        self._clock = clock
        self.batch_bytes_max = batch_bytes_max
        self._events = metrics.counter("events", "Events received, by outcome.", ["outcome"])
        for outcome in ("taken", "duplicate", *(code.value for code in Code)):
            self._events.labels(outcome)  # there from the start, so that the first is a rise
        self._acknowledged = metrics.gauge(
            "last_acknowledged_timestamp_seconds",
            "When the brokers last had a new event; 0: not yet.",
        )
        in_flight = metrics.gauge("in_flight_bytes", "What is on its way to the brokers.")
        in_flight.set_function(lambda: budget.spent_bytes)

    async def take(
        self,
        stream: Stream,
        frames: Sequence[bytes],
        times: Sequence[int] = (),
        waits: Sequence[int] = (),
        *,
        peer: str,
        came_at: int = 0,
    ) -> Outcome:
        """Raises `BatchTooLarge`, and `NotWritten` when it is unknown what the brokers have.

        With `times`, what a simulation says of when its events are received, or why not. With
        `waits`, how long each event had been at its controller; `came_at` is when the event
        before these came there.
        """
        weight = weigh(frames)
        if weight > self.batch_bytes_max:
            raise BatchTooLarge(weight, self.batch_bytes_max)
        if waits and len(waits) != len(frames):
            raise BadWaits(waits=len(waits), events=len(frames))
        async with self._budget.spend(weight):
            trace = trace_headers()
            received = self._clock.times(len(frames), times)
            key = stream.table.encode()
            outputs: list[Output] = []
            refused: list[tuple[int, Refusal]] = []
            duplicates = 0
            for index, (frame, at) in enumerate(zip(frames, received, strict=True)):
                claimed = waits[index] if waits else 0
                decision, kind = decide(stream, frame)
                goes_on = isinstance(decision, Taken) and decision.stream is not stream
                # What fills a gap came to its controller before what is in the log already.
                after = came_at if goes_on else 0
                waited = believed_us(claimed, received_at=int(at), came_at=after)
                beside: Headers = [(headers.INGESTED_AT, at), *trace]
                if waited:
                    beside.append((headers.WAITED_US, headers.write_waited_us(waited)))
                if goes_on:
                    came_at = int(at) - waited
                match decision:
                    case Taken(stream):
                        beside.append((headers.KIND, kind))
                        outputs.append(Output(self._events_topic, frame, key, headers=beside))
                    case Duplicate():
                        duplicates += 1
                    case Refusal() as refusal:
                        refused.append((index, refusal))
                        letter = dead_letter(refusal, frame, stream.table, peer, beside)
                        outputs.append(Output(self._dead_letters_topic, *letter))
            await self._producer.send(outputs)
        self._count(len(frames) - duplicates - len(refused), duplicates, refused)
        return Outcome(stream, tuple(refused), duplicates, came_at)

    async def retry(self, stream: Stream, letter: Letter, *, author: str) -> Decision:
        """The same judgement of what was set aside. It came when it came: only who wanted it to be
        taken after all, and when, is added. What is refused again is kept already."""
        decision, kind = decide(stream, letter.frame)
        if isinstance(decision, Taken):
            (now,) = self._clock.times(1)
            beside: Headers = [
                (headers.INGESTED_AT, letter.ingested_at or now),
                (headers.KIND, kind),
                (headers.RETRY_OF, b"%d" % letter.offset),
                (headers.RETRIED_AT, now),
                (headers.AUTHOR, author.encode()[: headers.BYTES_MAX]),
                *trace_headers(),
            ]
            if letter.waited_us:
                beside.append((headers.WAITED_US, letter.waited_us))
            key = stream.table.encode()
            async with self._budget.spend(weigh([letter.frame])):
                await self._producer.send(
                    [Output(self._events_topic, letter.frame, key, headers=beside)]
                )
            self._count(1, 0, [])
        return decision

    def _count(self, taken: int, duplicates: int, refused: list[tuple[int, Refusal]]) -> None:
        if taken:
            self._acknowledged.set_to_current_time()
        self._events.labels("taken").inc(taken)
        self._events.labels("duplicate").inc(duplicates)
        for _, refusal in refused:
            self._events.labels(refusal.code.value).inc()


def weigh(frames: Sequence[bytes]) -> int:
    """What a batch takes while it is under way; no more is kept of what is too large.

    >>> weigh([b"x" * 100, b""])
    1124
    """
    return sum(min(len(frame), EVENT_BYTES_MAX) + EVENT_OVERHEAD_BYTES for frame in frames)


def decide(stream: Stream, frame: bytes) -> tuple[Decision, bytes]:
    """The decision about these bytes, and the kind of their fact; empty where they are no event."""
    try:
        event = decode_event(frame)
    except NotAnEvent as error:
        code = Code.OVERSIZED if len(frame) > EVENT_BYTES_MAX else Code.MALFORMED
        return Refusal(code, error.reason), b""
    return judge_sent(stream, event), headers.write_kind(event.fact)


def dead_letter(
    refusal: Refusal, frame: bytes, table: str, peer: str, beside: Headers
) -> tuple[bytes, bytes, int, Headers]:
    """Value, key, partition and headers of what is kept of bytes that were refused."""
    said: Headers = [
        (headers.CODE, refusal.code.value.encode()),
        (headers.REASON, refusal.reason.encode()),
        (headers.TABLE, table.encode()),
        (headers.PEER, peer.encode()),
        (headers.LENGTH, b"%d" % len(frame)),
        (headers.DIGEST, digest(frame).hex().encode()),
        *beside,
    ]
    return frame[:EVENT_BYTES_MAX], table.encode(), -1, said
