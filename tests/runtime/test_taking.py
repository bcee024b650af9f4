"""A batch is bounded by bytes, so that no log is held in memory as a whole, and by time."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from runtime.kafka import batching
from runtime.kafka.batching import BATCH_BYTES_MAX, take_batch
from runtime.kafka.configuration import make_producer, producer_configuration
from tests.runtime.kafka import make_topic, needs_kafka, real

MESSAGE_BYTES = 60_000
MESSAGES = 4_000
AT_ONCE = 200


@needs_kafka
def test_a_topic_that_was_compressed_well_is_taken_bit_by_bit() -> None:
    topic = make_topic(real(), "large", partitions=1)
    producer = make_producer(producer_configuration(real()))
    for _ in range(MESSAGES):
        producer.produce(topic, bytes(MESSAGE_BYTES))
        if len(producer) >= AT_ONCE:
            producer.flush()
    assert producer.flush(30) == 0
    producer.close()
    command = [sys.executable, "-m", "tests.runtime.taker", real(), topic, str(MESSAGES)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=120)
    taken, largest, growth = map(int, done.stdout.split())
    assert taken == MESSAGES
    assert largest <= BATCH_BYTES_MAX + AT_ONCE * MESSAGE_BYTES
    assert growth < MESSAGES * MESSAGE_BYTES // 2


class Trickle:
    """A consumer whose topic always has as many more as are asked for, when they are waited for;
    and the clock, which goes on only while it waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def consume(self, count: int, seconds: float) -> list[bytes]:
        self.now += min(seconds, 0.01)
        return [b"x"] * count if seconds else []

    def monotonic(self) -> float:
        return self.now


def test_a_steady_trickle_does_not_keep_a_batch_open(monkeypatch: pytest.MonkeyPatch) -> None:
    consumer: Any = Trickle()
    monkeypatch.setattr(batching, "time", consumer)
    taken = take_batch(consumer, messages_max=10**9, idle_seconds=0.1, linger_seconds=0.05)
    assert len(taken) > AT_ONCE
    assert consumer.now == pytest.approx(0.01 + 0.05)
