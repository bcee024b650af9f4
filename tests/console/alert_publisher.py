"""Alerts as surveillance says them, to the topic that the desk reads."""

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


def some_alerts(
    console: Console, count: int, level: Level.ValueType = LEVEL_P1, *, of: str = "payout.overpaid"
) -> list[Alert]:
    """With ids of their own, about the disputed hand."""
    return [
        an_alert(
            secrets.token_hex(8),
            level=level,
            kind=of,
            table_id=console.table,
            round=console.round,
            sentence=f"alert {number} of {count}: seat 2 was paid $15.00 too little",
            cents=-1_500,
            seat=2,
        )
        for number in range(1, count + 1)
    ]


def say(console: Console, alerts: Sequence[Alert]) -> None:
    with saying(console) as tell:
        tell(alerts)


@contextmanager
def saying(console: Console) -> Iterator[Callable[[Sequence[Alert]], None]]:
    """To say more than once; each time, what is said is with the brokers when it returns."""
    producer = make_producer(producer_configuration(console.stack.kafka_bootstrap))
    topic = console.stack.settings.topic_prefix + topics.ALERTS

    def tell(alerts: Sequence[Alert]) -> None:
        for each in alerts:
            data = each.SerializeToString(deterministic=True)
            producer.produce(topic, data, each.id.encode())
            producer.poll(0)
        assert producer.flush(30) == 0

    try:
        yield tell
    finally:
        producer.close()
