"""A process that catches up on a topic of tables' events, and says how fast.

It settles them as the service does, or only consumes and decodes them with the same consumer.
What it measures begins after a warm-up and ends when the last event is done: committed, where it
settles. Run by `tests.bench.settlement`, once for each figure.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

import blackjack.play.table
from runtime.kafka.configuration import (
    consumer_configuration,
    make_consumer,
    make_producer,
    transactional_configuration,
)
from runtime.kafka.exactly_once import BatchLimits, ExactlyOnce
from runtime.kafka.loop_metrics import LoopMetrics
from runtime.kafka.transactions import Transactions
from runtime.metrics import Metrics
from runtime.process import Stop
from runtime.service import tune_gc
from settlement.config import Settings
from settlement.kafka.worker import SettlementWorker
from wire import decode_event, topics

LIMITS = BatchLimits()


class Task(msgspec.Struct, frozen=True):
    """What is to be measured."""

    how: Literal["decode", "settle"]
    bootstrap: str
    prefix: str
    events: int
    warm_up: int


class Pace(msgspec.Struct, frozen=True):
    """So many events in so many seconds by the clock, and of CPU in all threads."""

    events: int
    seconds: float
    cpu_seconds: float
    compiled: bool


@dataclass(slots=True)
class Watch:
    """Starts when the warm-up is over; `done` is called with the last event."""

    task: Task
    done: Callable[[], None] = lambda: None
    count: int = 0
    begun: tuple[int, float, float] | None = None
    pace: Pace | None = None

    def passed(self, messages: int) -> None:
        self.count += messages
        now, cpu = time.monotonic(), time.process_time()
        if self.begun is None:
            if self.count >= self.task.warm_up:
                self.begun = self.count, now, cpu
        elif self.count >= self.task.events and self.pace is None:
            first, began, cpu_began = self.begun
            compiled = not str(blackjack.play.table.__file__).endswith(".py")
            self.pace = Pace(self.count - first, now - began, cpu - cpu_began, compiled)
            self.done()


class Watched(LoopMetrics):
    """The figures of the loop, which are told of every batch that was committed."""

    def __init__(self, metrics: Metrics, watch: Watch) -> None:
        super().__init__(metrics)
        self._watch = watch

    def committed(self, *, messages: int, outputs: int) -> None:
        super().committed(messages=messages, outputs=outputs)
        self._watch.passed(messages)


def decode(task: Task, watch: Watch) -> None:
    """The loop without what it is for: the same batches, taken and decoded, and dropped."""
    configuration = consumer_configuration(task.bootstrap, group=f"{task.prefix}decode")
    consumer = make_consumer(configuration | {"auto.offset.reset": "earliest"})
    consumer.subscribe([task.prefix + topics.TABLE_EVENTS])
    while watch.pace is None:
        taken: list[Any] = consumer.consume(1, LIMITS.idle_seconds)
        if taken:
            taken += consumer.consume(LIMITS.batch_messages_max - 1, LIMITS.linger_seconds)
        for message in taken:
            decode_event(message.value())
        watch.passed(len(taken))
    consumer.close()


def settle(task: Task, watch: Watch) -> None:
    """The loop of the service, as `settlement.__main__` puts it together."""
    refold_max: int = Settings.model_fields["refold_max"].default
    worker = SettlementWorker(task.bootstrap, refold_max=refold_max, prefix=task.prefix)
    group = f"{task.prefix}settlement"
    consumer = consumer_configuration(task.bootstrap, group=group, worker=f"{group}-0")
    producer = transactional_configuration(task.bootstrap, transactional_id=f"{group}-0")
    loop = ExactlyOnce(
        topics=[worker.topic(topics.TABLE_EVENTS)],
        make_consumer=lambda: make_consumer(consumer),
        transactions=Transactions(lambda: make_producer(producer)),
        transform=worker,
        limits=LIMITS,
        metrics=Watched(Metrics("settlement"), watch),
    )

    async def run() -> None:
        stop = Stop()
        watch.done = stop.request
        await asyncio.to_thread(loop.run, stop)

    asyncio.run(run())


def main(task: Task) -> Pace:
    watch = Watch(task)
    tune_gc()
    (settle if task.how == "settle" else decode)(task, watch)
    if watch.pace is None:
        raise RuntimeError("it ended before the topic did")
    return watch.pace


if __name__ == "__main__":
    found = main(msgspec.json.decode(sys.argv[1], type=Task))
    sys.stdout.buffer.write(msgspec.json.encode(found))
