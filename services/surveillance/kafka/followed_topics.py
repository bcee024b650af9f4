"""Topics that are read whole at the start and followed from there: what everybody must know."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Generic, TypeVar

from confluent_kafka import Message

from runtime.kafka import topic_reader
from runtime.kafka.brokers import Bootstrap
from runtime.positions import Position

T = TypeVar("T")
LOOK_SECONDS: Final = 0.1
"""To look for news takes a few microseconds, but a batch asks for every sighting of it."""


class Followed(Generic[T]):
    """A value that is a fold of topics. Made in a thread, then asked in the event loop only."""

    def __init__(
        self,
        bootstrap: Bootstrap,
        topics: Sequence[str],
        fold: Callable[[T, Iterable[Message]], T],
        start: T,
    ) -> None:
        there = [each for topic in topics for each in topic_reader.whole(bootstrap, topic)]
        self._fold = fold
        self._value = fold(start, topic_reader.read(bootstrap, there))
        ends = [Position(each.topic, each.partition, each.end) for each in there]
        self._reader = topic_reader.follow(bootstrap, ends)
        self._due = 0.0

    def now(self) -> T:
        """With all that came since, as far as it is here."""
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + LOOK_SECONDS
            if news := topic_reader.news(self._reader):
                self._value = self._fold(self._value, news)
        return self._value

    def close(self) -> None:
        self._reader.close()
