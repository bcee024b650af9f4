"""How far a reader is behind, as its own consumer knows it: no broker is asked for this."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from confluent_kafka import Consumer, TopicPartition

from runtime.metrics import Metrics
from runtime.positions import Partition

LOOK_SECONDS = 1.0


class Lag:
    """`<service>_lag_messages`, by topic and partition; only of those that are read here.

    With each answer the brokers say where a partition ends. When they are away the last that
    was known stands, so an alert on the lag needs one on readiness beside it.
    """

    def __init__(self, metrics: Metrics, clock: Callable[[], float] = time.monotonic) -> None:
        self._gauge = metrics.gauge(
            "lag_messages", "Messages that are there and not yet done.", ["topic", "partition"]
        )
        self._clock = clock
        self._due = 0.0
        self._known: set[Partition] = set()

    def look(self, consumer: Consumer, done: Mapping[Partition, int]) -> None:
        """`done`: the offset below which everything is. Looks once a second, however often called.

        In the thread of the consumer.
        """
        if self._clock() < self._due:
            return
        self._due = self._clock() + LOOK_SECONDS
        self._forget(self._known - done.keys())
        for place, offset in done.items():
            ends = consumer.get_watermark_offsets(TopicPartition(*place), cached=True)
            if ends[1] >= 0:  # negative: not said yet
                self._gauge.labels(*place).set(max(ends[1] - offset, 0))
                self._known.add(Partition(*place))

    def clear(self) -> None:
        """Nothing is read here any more."""
        self._forget(set(self._known))
        self._due = 0.0

    def _forget(self, places: set[Partition]) -> None:
        for place in places:
            self._gauge.remove(*place)
            self._known.discard(place)
