"""A worker of a service: one name for its membership and for its transactions.

The name is stable over restarts, so that a worker gets its partitions back and ends what it left
open itself; and it is its own, so that a second process of that name is noticed and one of the
two ends. In a cluster it is the name of the pod in a StatefulSet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.kafka.brokers import KafkaSettings
from runtime.kafka.configuration import (
    consumer_configuration,
    make_consumer,
    make_producer,
    transactional_configuration,
)
from runtime.kafka.exactly_once import BatchLimits, ExactlyOnce, Transform
from runtime.kafka.hanging_transactions import HangingTransactions, SourceOf
from runtime.kafka.log_guard import LogGuard
from runtime.kafka.loop_metrics import LoopMetrics
from runtime.kafka.records import Output
from runtime.kafka.transactions import Transactions
from runtime.metrics import Metrics


class WorkerSettings(KafkaSettings):
    """How a worker of an exactly-once service is known to Kafka."""

    worker_name: str = "0"
    """This worker's name among those of the service: stable over restarts, and no other's."""
    batch_messages_max: int = 10_000
    """How many messages one transaction takes at most, while catching up."""


def exactly_once(
    settings: WorkerSettings,
    *,
    topics: Sequence[str],
    transform: Transform,
    metrics: Metrics,
    limits: BatchLimits | None = None,
    group: str | None = None,
    idle: Callable[[], Sequence[Output]] = tuple,
    outputs: Sequence[str] = (),
    source_of: SourceOf = lambda _: None,
    guard: LogGuard | None = None,
) -> ExactlyOnce:
    """The loop of this worker; the consumer group is named after the service by default.

    `outputs` are the topics it writes, and `source_of` names the
    input that caused an output: both for transactions that hang
    (`runtime.kafka.hanging_transactions`).
    """
    group = group or metrics.service
    name = f"{group}-{settings.worker_name}"
    consumer = consumer_configuration(settings.brokers, group=group, worker=name)
    producer = transactional_configuration(settings.brokers, transactional_id=name)
    return ExactlyOnce(
        topics=topics,
        make_consumer=lambda: make_consumer(consumer),
        transactions=Transactions(lambda: make_producer(producer)),
        transform=transform,
        limits=limits or BatchLimits(batch_messages_max=settings.batch_messages_max),
        metrics=LoopMetrics(metrics),
        idle=idle,
        end_hanging=HangingTransactions(settings.brokers, group, outputs, source_of).end,
        guard=guard,
    )
