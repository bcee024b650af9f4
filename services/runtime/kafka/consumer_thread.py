"""A consumer thread with a bounded queue, for services that live in an event loop.

The library blocks, so it has a thread of its own; batches and changes of ownership come out of
one queue, in order. When the queue is full the partitions are paused, and the thread goes on
polling, so that the group does not take the worker for dead: memory stays bounded however slow
the service is. The service chooses where to begin (`start_at`): one that keeps positions in a
database, in the transaction of their effects, passes a function that reads them there.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from confluent_kafka import Consumer, KafkaException, Message, TopicPartition

from runtime import logs
from runtime.kafka.assignments import committed_positions
from runtime.kafka.batching import take_batch
from runtime.kafka.errors import check_consumed
from runtime.kafka.records import places_of, to_kafka
from runtime.positions import Partition, Position
from runtime.process import ServicePart, Stop

StartAt = Callable[[Sequence[Partition]], Sequence[Position]]
"""Called in the consumer's thread. A partition it leaves out begins with its first message."""
_log = logs.logger(__name__)


@dataclass(frozen=True, slots=True)
class PartitionsAssigned:
    """What follows is of these partitions too, from these positions on."""

    positions: tuple[Position, ...]


@dataclass(frozen=True, slots=True)
class PartitionsRevoked:
    """Nothing more comes of these partitions; with `lost`, another may have gone on already."""

    partitions: tuple[Partition, ...]
    lost: bool


@dataclass(frozen=True, slots=True)
class MessageBatch:
    messages: tuple[Message, ...]


News: TypeAlias = PartitionsAssigned | PartitionsRevoked | MessageBatch


@dataclass(frozen=True, slots=True)
class QueueLimits:
    batch_messages_max: int = 1_000
    linger_seconds: float = 0.005
    idle_seconds: float = 0.2
    queued_messages_max: int = 10_000
    """From here on the partitions are paused, until half of it is taken."""


class ConsumerThread:
    """Reads topics in a thread; `get` gives what came, in the event loop it was made in."""

    def __init__(
        self,
        make_consumer: Callable[[], Consumer],
        topics: Sequence[str],
        *,
        start_at: StartAt | None = None,
        limits: QueueLimits | None = None,
    ) -> None:
        self._make_consumer = make_consumer
        self._topics = list(topics)
        self._start_at = start_at
        self._limits = limits or QueueLimits()
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[News] = asyncio.Queue()
        self._lock = threading.Lock()
        self._queued_messages = 0
        self._to_commit: dict[Partition, int] = {}
        self._paused = False

    def part(self, name: str = "consumer") -> ServicePart:
        return ServicePart(name, self.run)

    async def get(self) -> News:
        """The next piece of news; it waits for it."""
        news = await self._queue.get()
        if isinstance(news, MessageBatch):
            with self._lock:
                self._queued_messages -= len(news.messages)
        return news

    def commit(self, positions: Sequence[Position]) -> None:
        """From any thread: these are done. Committed soon, and at the stop.

        At least once: work done but not committed comes again after a crash.
        """
        with self._lock:
            for position in positions:
                known = self._to_commit.get(position.place, -1)
                self._to_commit[position.place] = max(known, position.offset)

    def run(self, stop: Stop) -> None:
        consumer = self._make_consumer()
        try:
            consumer.subscribe(
                self._topics,
                on_assign=self._on_assign,
                on_revoke=self._on_revoke,
                on_lost=self._on_lost,
            )
            while not stop.requested:
                self._pause_or_resume(consumer)
                self._take(consumer)
                self._commit_now(consumer)
        finally:
            consumer.close()

    def _take(self, consumer: Consumer) -> None:
        taken = take_batch(
            consumer,
            messages_max=self._limits.batch_messages_max,
            idle_seconds=self._limits.idle_seconds,
            linger_seconds=self._limits.linger_seconds,
        )
        messages = []
        for message in taken:
            error = message.error()
            if error is None:
                messages.append(message)
            else:
                check_consumed(error)
        if messages:
            with self._lock:
                self._queued_messages += len(messages)
            self._put(MessageBatch(tuple(messages)))

    def _pause_or_resume(self, consumer: Consumer) -> None:
        with self._lock:
            queued = self._queued_messages
        if not self._paused and queued >= self._limits.queued_messages_max:
            consumer.pause(consumer.assignment())
            self._paused = True
            _log.info("paused", queued=queued)
        elif self._paused and queued <= self._limits.queued_messages_max // 2:
            consumer.resume(consumer.assignment())
            self._paused = False
            _log.info("resumed", queued=queued)

    def _commit_now(self, consumer: Consumer) -> None:
        with self._lock:
            positions, self._to_commit = self._to_commit, {}
        if not positions:
            return
        offsets = [TopicPartition(*place, offset) for place, offset in positions.items()]
        try:
            consumer.commit(offsets=offsets, asynchronous=False)
        except KafkaException as failed:
            # Assigned elsewhere by now, or the broker is away: it will come again, as promised.
            _log.warning("positions not committed", reason=str(failed.args[0]))

    def _on_assign(self, consumer: Consumer, partitions: list[TopicPartition]) -> None:
        if self._start_at is None:
            positions = committed_positions(consumer, partitions)
        else:
            positions = self._started(consumer, partitions)
        self._put(PartitionsAssigned(positions))
        consumer.incremental_assign(to_kafka(positions))
        if self._paused:
            consumer.pause(partitions)

    def _started(
        self, consumer: Consumer, partitions: list[TopicPartition]
    ) -> tuple[Position, ...]:
        places = places_of(partitions)
        assert self._start_at is not None
        known = {position.place: position for position in self._start_at(places)}
        found = []
        for place in places:
            if place not in known:
                first, _ = consumer.get_watermark_offsets(TopicPartition(*place), timeout=10)
                known[place] = Position(*place, first)
            found.append(known[place])
        return tuple(found)

    def _on_revoke(self, consumer: Consumer, partitions: list[TopicPartition]) -> None:
        self._commit_now(consumer)  # while they are still ours
        self._put(PartitionsRevoked(places_of(partitions), lost=False))

    def _on_lost(self, _: Consumer, partitions: list[TopicPartition]) -> None:
        self._put(PartitionsRevoked(places_of(partitions), lost=True))

    def _put(self, news: News) -> None:
        if not self._loop.is_closed():  # abandoned while stopping
            self._loop.call_soon_threadsafe(self._queue.put_nowait, news)
