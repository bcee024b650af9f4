"""Publishes alerts as surveillance does, to the topic of the alert desk."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from casino.settlement.v1.finding_pb2 import LEVEL_P1, Level
from casino.surveillance.v1.alert_pb2 import Alert
from runtime.kafka.configuration import make_producer, producer_configuration
from tests.alert_desk.house import an_alert
from tests.console.console_environment import Console
from wire import topics


def make_alerts(
    console: Console,
    count: int,
    level: Level.ValueType = LEVEL_P1,
    *,
    kind: str = "payout.overpaid",
) -> list[Alert]:
    """Make alerts with new ids about the disputed hand."""
    return [
        an_alert(
            secrets.token_hex(8),
            level=level,
            kind=kind,
            table_id=console.table,
            round=console.round,
            sentence=f"alert {number} of {count}: underpaid $15.00 on seat 2",
            cents=-1_500,
            seat=2,
        )
        for number in range(1, count + 1)
    ]


def publish_alerts(console: Console, alerts: Sequence[Alert]) -> None:
    """Publish alerts, and wait until the brokers have them."""
    with alert_publisher(console) as publish:
        publish(alerts)


@contextmanager
def alert_publisher(console: Console) -> Iterator[Callable[[Sequence[Alert]], None]]:
    """Publish repeatedly; each call returns when the brokers have the alerts."""
    producer = make_producer(producer_configuration(console.stack.kafka_bootstrap))
    topic = console.stack.settings.topic_prefix + topics.ALERTS

    def publish(alerts: Sequence[Alert]) -> None:
        for alert in alerts:
            data = alert.SerializeToString(deterministic=True)
            producer.produce(topic, data, alert.id.encode())
            producer.poll(0)
        assert producer.flush(30) == 0

    try:
        yield publish
    finally:
        producer.close()
