"""Takes a topic to its end, batch by batch, in a process of its own.

    python -m tests.runtime.taker BOOTSTRAP TOPIC MESSAGES

It prints the messages of all batches, the bytes of the largest, and by how much the process grew.
"""

from __future__ import annotations

import sys
from pathlib import Path

from confluent_kafka import TopicPartition

from runtime.kafka.batching import take_batch
from runtime.kafka.configuration import consumer_configuration, make_consumer


def memory_bytes_peak() -> int:
    status = Path("/proc/self/status").read_text("utf-8")
    (line,) = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) * 1024


def main(bootstrap: str, topic: str, messages: int) -> None:
    consumer = make_consumer(consumer_configuration(bootstrap, group="takers"))
    before = memory_bytes_peak()
    consumer.assign([TopicPartition(topic, 0, 0)])
    taken = largest = 0
    while taken < messages:
        batch = take_batch(consumer, messages_max=10_000, idle_seconds=0.5, linger_seconds=0.002)
        assert not any(message.error() for message in batch)
        taken += len(batch)
        largest = max(largest, sum(map(len, batch)))
    print(taken, largest, memory_bytes_peak() - before)
    consumer.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
