"""A worker that shows every loss and every repeat: it numbers what it reads.

As a program it runs until it is killed, in small batches, and says so at the first.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from confluent_kafka import Message

from runtime.kafka.configuration import (
    Configuration,
    consumer_configuration,
    make_consumer,
    make_producer,
    transactional_configuration,
)
from runtime.kafka.exactly_once import BatchLimits, ExactlyOnce
from runtime.kafka.loop_metrics import LoopMetrics
from runtime.kafka.records import Output, place_of
from runtime.kafka.transactions import Transactions
from runtime.positions import Partition, Position
from tests.runtime.kafka import ThreadStop, read_all


class Numbering:
    """Numbers the messages of each partition: a state that shows every loss and repeat.

    Its state is the number itself; it is made anew from the outputs, as a service would from
    its snapshots.
    """

    def __init__(self, bootstrap: str, source: str, target: str) -> None:
        self.bootstrap, self.source, self.target = bootstrap, source, target
        self.count: dict[Partition, int] = {}
        self.told: list[str] = []
        self.raises: Exception | None = None

    def assigned(self, positions: Sequence[Position]) -> None:
        self.told.append(f"assigned {len(positions)}")
        before = Counter(
            int(message.key() or b"") for message in read_all(self.bootstrap, self.target)
        )
        for position in positions:
            self.count[position.place] = before[position.partition]

    def revoked(self, partitions: Sequence[Partition]) -> None:
        self.told.append(f"revoked {len(partitions)}")
        self._forget(partitions)

    def lost(self, partitions: Sequence[Partition]) -> None:
        self.told.append(f"lost {len(partitions)}")
        self._forget(partitions)

    def transform(self, messages: Sequence[Message]) -> Iterable[Output]:
        for message in messages:
            if self.raises is not None:
                raise self.raises
            place = place_of(message)
            self.count[place] += 1
            numbered = b"%d:%s" % (self.count[place], message.value())
            yield Output(self.target, numbered, b"%d" % place.partition)

    def _forget(self, partitions: Sequence[Partition]) -> None:
        for place in partitions:
            self.count.pop(place, None)


def numbering_loop(
    transform: Numbering,
    group: str,
    worker: str = "one",
    make: Callable[[Configuration], Any] = make_producer,
    limits: BatchLimits | None = None,
    metrics: LoopMetrics | None = None,
) -> ExactlyOnce:
    name = f"{group}-{worker}"
    consumer = consumer_configuration(transform.bootstrap, group=group, worker=name)
    producer = transactional_configuration(transform.bootstrap, transactional_id=name)
    return ExactlyOnce(
        topics=[transform.source],
        make_consumer=lambda: make_consumer(consumer),
        transactions=Transactions(lambda: make(producer)),
        transform=transform,
        limits=limits or BatchLimits(batch_messages_max=50, idle_seconds=0.1),
        metrics=metrics,
    )


class Announced(Numbering):
    """Says when it begins to work."""

    def transform(self, messages: Sequence[Message]) -> Iterable[Output]:
        print("working", flush=True)
        return super().transform(messages)


def main() -> None:
    bootstrap, source, target, group = sys.argv[1:]
    limits = BatchLimits(batch_messages_max=3, idle_seconds=0.1)
    numbering_loop(Announced(bootstrap, source, target), group, limits=limits).run(ThreadStop())


if __name__ == "__main__":
    main()
