"""What a watch of topics stands on: a consumer of its own, and where it is in every partition."""

from __future__ import annotations

from typing import Final

from confluent_kafka import Consumer, KafkaError, Message

from runtime.kafka.brokers import Bootstrap
from runtime.kafka.configuration import consumer_configuration, make_consumer
from runtime.kafka.errors import check_consumed
from runtime.kafka.records import offset_of, place_of
from runtime.positions import Partition

POLL_SECONDS: Final = 0.2
BATCH: Final = 200


def open_watcher(bootstrap: Bootstrap) -> Consumer:
    configuration = consumer_configuration(bootstrap, group="watchers")
    # Of a slow client's messages, no more than this waits in memory.
    bounds = {"queued.max.messages.kbytes": 1_024, "queued.min.messages": 1_000}
    return make_consumer({**configuration, **bounds, "enable.partition.eof": True})


def take(consumer: Consumer) -> list[Message]:
    """What has come; the first is told at once, and what came with it."""
    taken = consumer.consume(1, POLL_SECONDS)
    return taken + consumer.consume(BATCH, 0.001) if taken else taken


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
        return [self.positions[each] for each in sorted(self.positions) if each.topic == topic]
