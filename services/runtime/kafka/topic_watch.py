"""What a watch of topics stands on: a consumer of its own, and where it is in every partition."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Final

from confluent_kafka import Consumer, KafkaError, KafkaException, Message

from runtime.kafka.brokers import Bootstrap
from runtime.kafka.configuration import consumer_configuration, make_consumer
from runtime.kafka.errors import ConsumerLost, check_consumed, error_of
from runtime.kafka.records import offset_of, place_of
from runtime.kafka.topic_reader import NoSuchTopic
from runtime.positions import Partition
from runtime.query_errors import KafkaUnavailable

POLL_SECONDS: Final = 0.2
BATCH: Final = 200


def open_watcher(bootstrap: Bootstrap) -> Consumer:
    configuration = consumer_configuration(bootstrap, group="watchers")
    # Of a slow client's messages, no more than this waits in memory.
    bounds = {"queued.max.messages.kbytes": 1_024, "queued.min.messages": 1_000}
    return make_consumer({**configuration, **bounds, "enable.partition.eof": True})


def take(consumer: Consumer) -> list[Message]:
    """New messages; the first is returned at once, with those that came along."""
    taken = consumer.consume(1, POLL_SECONDS)
    return taken + consumer.consume(BATCH, 0.001) if taken else taken


class Watches:
    """All watches of an instance: so many at most; `count` receives their number."""

    def __init__(
        self,
        bootstrap: Bootstrap,
        *,
        watches_max: int,
        too_many: Callable[[int], Exception],
        count: Callable[[int], object],
    ) -> None:
        self._bootstrap = bootstrap
        self._watches_max = watches_max
        self._too_many = too_many
        self._count = count
        self._watches = 0

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[tuple[Consumer, ThreadPoolExecutor]]:
        """A consumer, and the one thread in which it is used: calls follow one another, the
        closing after the last reading. `KafkaUnavailable` where the brokers fail it."""
        if self._watches >= self._watches_max:
            raise self._too_many(self._watches_max)
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


class WatchPlace:
    """Where a watch is, and where the topics ended when it began."""

    def __init__(self, positions: dict[Partition, int]) -> None:
        self.positions = positions
        self.left: dict[Partition, int] = {}

    def take(self, message: Message) -> bool:
        """Whether it is a message; moves on behind it, or behind the marks of a transaction."""
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
        if position >= self.left.get(at, 0):
            self.left.pop(at, None)

    def is_caught_up(self) -> bool:
        return not self.left

    def offsets(self, topic: str) -> list[int]:
        """Of every partition of a topic, in their order."""
        return [
            self.positions[position]
            for position in sorted(self.positions)
            if position.topic == topic
        ]
