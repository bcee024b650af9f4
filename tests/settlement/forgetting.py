"""A broker that takes a transaction for ended, and has not ended it anywhere.

That is what KAFKA-20734 leaves behind, without the luck it takes: what the coordinator writes down
of a transactional id is overwritten, and read when the broker starts again.
"""

from __future__ import annotations

import struct
from typing import Final

from confluent_kafka import Producer

from tests.stack.broker import Broker

TOPIC: Final = "__transaction_state"
EMPTY: Final = 0
NO_PARTITIONS: Final = -1


def forget(broker: Broker, transactional_id: str) -> None:
    """From the broker's next start on, this id has its producer and no transaction."""
    name = transactional_id.encode()
    key = struct.pack(">hh", 0, len(name)) + name
    last = [message for message in broker.read(TOPIC) if message.key() == key][-1]
    _, number, epoch, timeout_ms = struct.unpack_from(">hqhi", last.value() or b"")
    at = last.timestamp()[1]
    value = struct.pack(">hqhibiqq", 0, number, epoch, timeout_ms, EMPTY, NO_PARTITIONS, at, -1)
    # Under this name alone a client may write to topics of the broker's own.
    producer = Producer({"bootstrap.servers": broker.bootstrap, "client.id": "__admin_client"})
    failed: list[object] = []
    producer.produce(
        TOPIC,
        value,
        key,
        last.partition() or 0,
        on_delivery=lambda error, _: failed.append(error) if error else None,
    )
    assert producer.flush(30) == 0
    assert failed == []
