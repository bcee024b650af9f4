"""Live watches: RPCs that stream the messages of topics, each with a consumer of its own.

A watch is read only as fast as its client takes the responses: while one is being written nothing
is consumed, and the library holds no more than a fixed number of bytes. Every response has a token
with which the watch is resumed at any instance, without loss or repetition.

WatchError
├── TooManyWatches     the limit of this instance is reached
└── InstanceStopping   resume at another instance
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol, TypeVar

import grpc
from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition

from runtime.kafka.brokers import Bootstrap
from runtime.kafka.configuration import consumer_configuration, make_consumer
from runtime.kafka.errors import ConsumerLost, check_consumed, error_of
from runtime.kafka.records import offset_of, place_of
from runtime.kafka.topic_reader import NoSuchTopic, partitions_of
from runtime.positions import Partition
from runtime.query_errors import InvalidQuery, KafkaUnavailable

POLL_SECONDS: Final = 0.2
BATCH: Final = 200
_ANSWER_SECONDS: Final = 10.0

Bounds = Mapping[Partition, tuple[int, int]]
"""The first offset and the end of each partition."""


class WatchError(Exception):
    """The root of the tree."""


class TooManyWatches(WatchError):
    def __init__(self, watches_max: int) -> None:
        self.watches_max = watches_max
        super().__init__(
            f"resource exhausted: {watches_max} watches are open, the limit of this instance: "
            "end one, call another instance, or raise WATCHES_MAX"
        )


class InstanceStopping(WatchError):
    def __init__(self) -> None:
        super().__init__(
            "unavailable: this instance is stopping; resume with your resume_token at another one"
        )


STATUS_CODES: Final[Mapping[type[Exception], grpc.StatusCode]] = {
    TooManyWatches: grpc.StatusCode.RESOURCE_EXHAUSTED,
    InstanceStopping: grpc.StatusCode.UNAVAILABLE,
}


class ResumableResponse(Protocol):
    resume_token: str


R = TypeVar("R", bound=ResumableResponse)


class WatchPosition:
    """The position of a watch in each partition, and which partitions it has yet to catch up."""

    def __init__(self, positions: Mapping[Partition, int]) -> None:
        self.positions = dict(positions)
        self._behind: dict[Partition, int] = {}

    def assign(self, consumer: Consumer, bounds: Bounds, topics: Collection[str]) -> None:
        """Assign the partitions of these topics, from here on."""
        followed = {at: offset for at, offset in self.positions.items() if at.topic in topics}
        self._behind = {
            at: bounds[at][1] for at, offset in followed.items() if offset < bounds[at][1]
        }
        consumer.assign([TopicPartition(*at, offset) for at, offset in followed.items()])

    def advance(self, message: Message) -> bool:
        """Move behind a message, or behind the marks of a transaction; whether it is a message."""
        at = place_of(message)
        error = message.error()
        if error is None:
            self._move(at, offset_of(message) + 1)
            return True
        if error.code() == KafkaError._PARTITION_EOF:
            self._move(at, offset_of(message))
        else:
            check_consumed(error)
        return False

    def _move(self, at: Partition, position: int) -> None:
        self.positions[at] = max(self.positions[at], position)
        if position >= self._behind.get(at, 0):
            self._behind.pop(at, None)

    @property
    def is_caught_up(self) -> bool:
        return not self._behind

    def offsets(self, topic: str) -> list[int]:
        """The offset of every partition of a topic, in their order."""
        return [self.positions[at] for at in sorted(self.positions) if at.topic == topic]

    def token(self) -> str:
        """The token with which a watch is resumed here."""
        raise NotImplementedError


P = TypeVar("P", bound=WatchPosition)


class LiveWatch:
    """The watches of one kind of this instance; `count` is called with how many are open."""

    def __init__(
        self,
        bootstrap: Bootstrap,
        *,
        watches_max: int = 64,
        quiet_seconds: float = 5.0,
        count: Callable[[int], object] = lambda _: None,
    ) -> None:
        """After `quiet_seconds` without any other response comes one with a token alone."""
        self._bootstrap = bootstrap
        self._watches_max = watches_max
        self._quiet_seconds = quiet_seconds
        self._count = count
        self._watches = 0
        self._stopping = False

    def stop(self) -> None:
        """End every watch soon, with the advice to resume at another instance."""
        self._stopping = True

    async def run(
        self,
        begin: Callable[[Consumer], P],
        respond: Callable[[P, Sequence[Message]], AsyncIterator[R]],
        *,
        caught_up: Callable[[], R],
        alive: Callable[[], R],
    ) -> AsyncIterator[R]:
        """The responses of one watch, until its caller or this instance ends it.

        `begin` assigns the topics; `respond` makes the responses of the messages of one poll, and
        advances the position. `caught_up` is sent once, when the ends at the begin are reached.
        """
        loop = asyncio.get_running_loop()
        async with self._open() as (consumer, thread):
            position = await loop.run_in_executor(thread, begin, consumer)
            is_behind = True
            responded_at = time.monotonic()
            while not self._stopping:
                messages = await loop.run_in_executor(thread, poll, consumer)
                async for response in respond(position, messages):
                    yield response
                    responded_at = time.monotonic()
                extra: list[R] = []
                if is_behind and position.is_caught_up:
                    is_behind = False
                    extra.append(caught_up())
                elif time.monotonic() - responded_at >= self._quiet_seconds:
                    extra.append(alive())
                for response in extra:
                    response.resume_token = position.token()
                    yield response
                    responded_at = time.monotonic()
        raise InstanceStopping

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[tuple[Consumer, ThreadPoolExecutor]]:
        """A consumer, and the one thread in which it is used: calls follow one another, the
        closing after the last reading. `KafkaUnavailable` where the brokers fail it."""
        if self._watches >= self._watches_max:
            raise TooManyWatches(self._watches_max)
        self._change(+1)
        thread = ThreadPoolExecutor(1, thread_name_prefix="watch")
        try:
            consumer = open_watcher(self._bootstrap)
            try:
                yield consumer, thread
            except KafkaException as failed:
                raise KafkaUnavailable(error_of(failed).str()) from None
            except (ConsumerLost, NoSuchTopic) as failed:
                raise KafkaUnavailable(str(failed)) from None
            finally:
                thread.submit(consumer.close)
        finally:
            thread.shutdown(wait=False)
            self._change(-1)

    def _change(self, by: int) -> None:
        self._watches += by
        self._count(self._watches)


def open_watcher(bootstrap: Bootstrap) -> Consumer:
    configuration = consumer_configuration(bootstrap, group="watchers")
    # Of a slow client's messages, no more than this waits in memory.
    limits: dict[str, Any] = {"queued.max.messages.kbytes": 1_024, "queued.min.messages": 1_000}
    return make_consumer({**configuration, **limits, "enable.partition.eof": True})


def poll(consumer: Consumer) -> list[Message]:
    """The messages that are there; the first is returned at once, with those behind it."""
    messages = consumer.consume(1, POLL_SECONDS)
    return messages + consumer.consume(BATCH, 0.001) if messages else messages


def read_bounds(consumer: Consumer, topics: Sequence[str]) -> Bounds:
    bounds: dict[Partition, tuple[int, int]] = {}
    for topic in topics:
        for number in range(partitions_of(consumer, topic)):
            at = TopicPartition(topic, number)
            bounds[Partition(topic, number)] = consumer.get_watermark_offsets(
                at, timeout=_ANSWER_SECONDS
            )
    return bounds


def first_positions(bounds: Bounds, *, from_beginning: bool) -> dict[Partition, int]:
    return {at: begin if from_beginning else end for at, (begin, end) in bounds.items()}


def resumed_positions(bounds: Bounds, offsets: Mapping[str, Sequence[int]]) -> dict[Partition, int]:
    """The positions of a resume token; `InvalidQuery` where the log does not have them."""
    if sum(map(len, offsets.values())) != len(bounds):
        raise _foreign_token()
    positions: dict[Partition, int] = {}
    for at, (_, end) in bounds.items():
        stated = offsets[at.topic]
        if at.partition >= len(stated) or not 0 <= stated[at.partition] <= end:
            raise _foreign_token()
        positions[at] = stated[at.partition]
    return positions


def check_begin(*, resume_token: str, from_beginning: bool) -> None:
    if resume_token and from_beginning:
        raise InvalidQuery("from_beginning", "set either this or resume_token")


def _foreign_token() -> InvalidQuery:
    return InvalidQuery("resume_token", "it is of another log: watch from the beginning")
