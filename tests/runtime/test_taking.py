"""A batch is bounded by bytes too: a log of large messages is not held in memory as a whole."""

from __future__ import annotations

import subprocess
import sys

from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.taking import BATCH_BYTES_MAX
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
