"""Consume, transform, produce: each input counts once, whatever is killed in between.

One transaction holds the outputs of a batch and the positions of its inputs. What the transform
keeps in memory belongs to the partitions it reads and must be what the committed inputs made of
it; so there is one rule for all that can go wrong: forget, fetch the committed offsets, and
rebuild the state as of there. The transform does that in `assigned`, from what it wrote itself
into topics (snapshots) within earlier transactions.

Rebalances happen between batches, in the thread of the loop: no transaction is open then.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from confluent_kafka import Consumer, Message, TopicPartition

from runtime import logs
from runtime.kafka.assignments import committed_positions
from runtime.kafka.batching import take_batch
from runtime.kafka.errors import ConsumerLost, OutOfRange, check_consumed
from runtime.kafka.log_guard import LogGuard
from runtime.kafka.log_identity import LogRejected
from runtime.kafka.loop_metrics import LoopMetrics
from runtime.kafka.records import Output, batch_span, places_of, to_kafka
from runtime.kafka.transactions import NotCommitted, Transactions
from runtime.positions import Partition, Position
from runtime.process import ServicePart, Stop

_log = logs.logger(__name__)


class Transform(Protocol):
    """What a service does with its inputs. All of it is called in the thread of the loop."""

    def assigned(self, positions: Sequence[Position]) -> None:
        """These partitions are ours: make their state as of these positions.

        Called with none when there are fewer partitions than workers.
        """

    def revoked(self, partitions: Sequence[Partition]) -> None:
        """These go to another worker, in order: all that was read of them is committed."""

    def lost(self, partitions: Sequence[Partition]) -> None:
        """These may belong to another worker already, or a batch failed: forget their state.

        Also called for those whose `assigned` has raised.
        """

    def transform(self, messages: Sequence[Message]) -> Iterable[Output]:
        """The outputs of a batch, whose messages are in order for each partition.

        It may raise only for a fault in the code: the batch is aborted and the process ends.
        """


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """When a batch is full. While live, batches are small by themselves."""

    batch_messages_max: int = 10_000
    linger_seconds: float = 0.002
    """How long to wait for more once there is one: available messages come without waiting."""
    idle_seconds: float = 0.5
    """How long to wait for the first."""
    failures_max: int = 20
    """So many batches in a row that are not committed end the process."""
    pause_seconds_max: float = 2.0
    """Between failures, growing up to this."""
    consumer_seconds_min: float = 60.0
    """A consumer that is lost sooner ends the process: then another worker has its name, and the
    two would drive each other out for ever. A broker that was away looks the same, but only once.
    """


EndHanging = Callable[[Transactions, Sequence[Partition], Any], None]


class LoopGivenUp(Exception):
    """The loop has failed too often in a row."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        super().__init__(f"{failures} batches in a row were not committed")


class ExactlyOnce:
    """The loop. It runs in a thread of its own and ends at the stop."""

    def __init__(
        self,
        *,
        topics: Sequence[str],
        make_consumer: Callable[[], Consumer],
        transactions: Transactions,
        transform: Transform,
        limits: BatchLimits | None = None,
        metrics: LoopMetrics | None = None,
        idle: Callable[[], Sequence[Output]] = tuple,
        end_hanging: EndHanging | None = None,
        guard: LogGuard | None = None,
    ) -> None:
        """`idle` is called between batches while nothing comes: for outputs that no
        input brings forth. It is committed as a batch is, at the positions that are reached.

        `end_hanging` is called for partitions whose positions no broker will ever return.

        `guard` keeps the loop from reading another log than before: while it rejects the log, the
        loop holds no partition and waits."""
        self._topics = list(topics)
        self._make_consumer = make_consumer
        self._transactions = transactions
        self._transform = transform
        self._limits = limits or BatchLimits()
        self._metrics = metrics
        self._idle = idle
        self._end_hanging = end_hanging
        self._guard = guard
        self._next: dict[Partition, int] = {}
        """Our partitions, and the offset from which on nothing was read yet."""
        self._sound = True
        """Whether all that was read is committed whenever no batch is under way."""

    def part(self, name: str = "exactly once") -> ServicePart:
        return ServicePart(name, self.run)

    def run(self, stop: Stop) -> None:
        """Until the stop. A consumer that is lost is replaced, unless it was lost too soon."""
        try:
            self._prepare(stop)
            while not stop.requested:
                if self._guard is not None and not self._guard.wait(stop):
                    return
                began = time.monotonic()
                try:
                    self._read(stop)
                except LogRejected:
                    _log.warning("reading stopped: the log is rejected")
                except OutOfRange as missing:
                    if self._guard is None:
                        raise
                    # The guard finds out why, as soon as partitions are assigned again.
                    _log.warning("position out of range", reason=str(missing))
                    stop.sleep(self._limits.idle_seconds)
                except ConsumerLost as lost:
                    if time.monotonic() - began < self._limits.consumer_seconds_min:
                        raise
                    _log.warning("consumer lost, making another", reason=str(lost))
        finally:
            self._transactions.close()

    def _read(self, stop: Stop) -> None:
        """Batch after batch with one consumer."""
        self._sound = True
        consumer = self._make_consumer()
        try:
            consumer.subscribe(
                self._topics,
                on_assign=self._on_assign,
                on_revoke=self._on_revoke,
                on_lost=self._on_lost,
            )
            failures = 0
            while not stop.requested:
                if self._guard is not None and self._guard.rejected is not None:
                    raise self._guard.rejected
                messages, positions = self._take(consumer)
                if messages:
                    with batch_span(messages):
                        outputs = self._transform.transform(messages)
                        failures = self._settle(
                            consumer, outputs, positions, len(messages), failures, stop
                        )
                elif self._next and (outputs := self._idle()):
                    # With positions all the same: they prove that the partitions are still ours.
                    positions = [Position(*place, end) for place, end in self._next.items()]
                    failures = self._settle(consumer, outputs, positions, 0, failures, stop)
        except BaseException:
            self._sound = False
            raise
        finally:
            consumer.close()  # hands the partitions over
            self._next.clear()

    def _settle(
        self,
        consumer: Consumer,
        results: Iterable[Output],
        positions: list[Position],
        messages: int,
        failures: int,
        stop: Stop,
    ) -> int:
        """One batch: committed, or everything set back. Gives the failures in a row."""
        try:
            outputs = self._transactions.commit(
                results, positions, consumer.consumer_group_metadata()
            )
        except NotCommitted as failed:
            failures += 1
            _log.warning(
                "batch not committed",
                reason=str(failed),
                producer_lost=failed.producer_lost,
                messages=messages,
                failures=failures,
            )
            if failures >= self._limits.failures_max:
                raise LoopGivenUp(failures) from failed
            if self._metrics:
                self._metrics.failed(producer_lost=failed.producer_lost)
            stop.sleep(min(0.05 * 2 ** min(failures - 1, 10), self._limits.pause_seconds_max))
            self._prepare(stop)
            if stop.requested:  # the next owner begins with the committed offsets
                self._sound = False
            else:
                self._set_back(consumer)
            return failures
        if self._metrics:
            self._metrics.committed(messages=messages, outputs=outputs)
        return 0

    def _prepare(self, stop: Stop) -> None:
        """Until there is a producer: it ends what an earlier one left open."""
        for attempt in range(1, self._limits.failures_max + 1):
            if stop.requested:
                return
            try:
                self._transactions.prepare()
            except NotCommitted as failed:
                _log.warning("no producer yet", reason=str(failed), attempt=attempt)
                stop.sleep(min(0.1 * 2 ** min(attempt, 10), self._limits.pause_seconds_max))
            else:
                return
        raise LoopGivenUp(self._limits.failures_max)

    def _take(self, consumer: Consumer) -> tuple[list[Message], list[Position]]:
        """Up to a batch, and where it ends: all that is there, not waiting long for more."""
        taken = take_batch(
            consumer,
            messages_max=self._limits.batch_messages_max,
            idle_seconds=self._limits.idle_seconds,
            linger_seconds=self._limits.linger_seconds,
        )
        fresh: list[Message] = []
        ends: dict[Partition, int] = {}
        for message in taken:
            error = message.error()
            if error is not None:
                check_consumed(error)
                continue
            # A bare tuple is as good a key, and cheaper: this runs for every message.
            place: Any = (message.topic(), message.partition())
            offset: Any = message.offset()
            # Taken before a rebalance that came in between: no longer ours, or read again.
            if offset >= ends.get(place, self._next.get(place, offset + 1)):
                ends[place] = offset + 1
                fresh.append(message)
        self._next.update(ends)
        positions = [Position(*place, end) for place, end in ends.items()]
        if self._guard is not None:
            self._guard.note(positions)
        return fresh, positions

    def _set_back(self, consumer: Consumer) -> None:
        """As if everything that is ours had just been assigned."""
        ours = [TopicPartition(*place) for place in self._next]
        self._transform.lost(tuple(self._next))
        self._next.clear()
        positions = self._committed(consumer, ours)
        consumer.incremental_unassign(ours)
        consumer.incremental_assign(to_kafka(positions))
        self._own(positions)

    def _committed(
        self, consumer: Consumer, partitions: Sequence[TopicPartition]
    ) -> tuple[Position, ...]:
        end = self._end_hanging
        if end is None:
            return committed_positions(consumer, partitions)
        places = places_of(partitions)
        return committed_positions(
            consumer,
            partitions,
            lambda: end(self._transactions, places, consumer.consumer_group_metadata()),
        )

    def _own(self, positions: Sequence[Position]) -> None:
        if self._guard is not None:
            self._guard.check(positions)
        self._transform.assigned(positions)
        self._next.update((position.place, position.offset) for position in positions)

    def _on_assign(self, consumer: Consumer, partitions: list[TopicPartition]) -> None:
        positions = self._committed(consumer, partitions)
        _log.info("partitions assigned", positions=[list(position) for position in positions])
        self._own(positions)
        consumer.incremental_assign(to_kafka(positions))

    def _on_revoke(self, _: Consumer, partitions: list[TopicPartition]) -> None:
        notify = self._transform.revoked if self._sound else self._transform.lost
        self._disown(partitions, notify, "partitions revoked")

    def _on_lost(self, _: Consumer, partitions: list[TopicPartition]) -> None:
        self._disown(partitions, self._transform.lost, "partitions lost")

    def _disown(
        self,
        partitions: list[TopicPartition],
        notify: Callable[[Sequence[Partition]], None],
        event: str,
    ) -> None:
        places = places_of(partitions)
        _log.info(event, partitions=[list(place) for place in places])
        for place in places:
            self._next.pop(place, None)
        notify(places)
