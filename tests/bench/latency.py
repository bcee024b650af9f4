"""From an event sent to its finding readable, with 200 live tables at 800 events a second.

Held against the bare way of the same run: a producer, a topic, a loop that passes on what it
reads, a topic, and the same reader.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from confluent_kafka import Consumer, Message, TopicPartition

from runtime.kafka.configuration import consumer_configuration, make_consumer
from runtime.kafka.records import header
from runtime.kafka.topic_reader import partitions_of
from tests.bench.broker import ROOT, SECONDS_MAX, Servers, answer, make_topics, program
from tests.bench.live import SENT_AT, Task
from tests.bench.measure import Measurement, compared_at_most, limited
from wire import topics

Note = Callable[[Message, int], None]
MEDIAN_AIM: Final = 6.0
WORST_MS_AIM: Final = 100.0
SILENCE_SECONDS: Final = 3.0
"""So long after the last event was sent nothing more is expected."""
BEFORE: Final = 45
"""Events of each table that lead up to the live stretch: the day opens, and a round begins."""


def measure(servers: Servers, *, quick: bool) -> list[Measurement]:
    bootstrap = servers.bootstrap
    live = 20 if quick else 200
    prefix = make_topics(bootstrap)
    events, findings = prefix + topics.TABLE_EVENTS, prefix + topics.FINDINGS
    with _relaying(bootstrap, events, findings, prefix):
        bare = delays(bootstrap, events, findings, live)
    prefix = make_topics(bootstrap)
    events, findings = prefix + topics.TABLE_EVENTS, prefix + topics.FINDINGS
    with _settling(bootstrap, prefix):
        found = delays(bootstrap, events, findings, live)
    base = Measurement("event passed on by a bare loop, median", median(bare), "ms")
    worst = "event sent to finding readable, 99th percentile"
    return [
        base,
        compared_at_most(
            "event sent to finding readable, median", median(found), "ms", base, aim=MEDIAN_AIM
        ),
        Measurement("event passed on by a bare loop, 99th percentile", ninety_ninth(bare), "ms"),
        limited(worst, ninety_ninth(found), "ms", aim=WORST_MS_AIM),
    ]


def ninety_ninth(delays: list[float]) -> float:
    return sorted(delays)[int(len(delays) * 0.99)]


def delays(
    bootstrap: str,
    source: str,
    target: str,
    live: int,
    *,
    silence_seconds: float = SILENCE_SECONDS,
    note: Note = lambda _, __: None,
) -> list[float]:
    """Milliseconds from sent to read, of every live event that something was made of.

    `note` is told what was made, and when the event was sent.
    """
    sender = program("tests.bench.live", Task("send", bootstrap, source, before=BEFORE, live=live))
    try:
        found = _logged(_reader(bootstrap, target), sender, silence_seconds, note)
        answer(sender, int)
    finally:
        sender.kill()
    if len(found) < live:
        raise RuntimeError(f"only {len(found)} events were heard of again")
    return found


def _logged(
    consumer: Consumer, sender: subprocess.Popen[bytes], silence_seconds: float, note: Note
) -> list[float]:
    """Until all is sent and nothing more comes."""
    delays: list[float] = []
    heard = time.monotonic()
    while sender.poll() is None or time.monotonic() - heard < silence_seconds:
        for message in consumer.consume(1_000, 0.002):
            now = time.monotonic_ns()
            sent_at = header(message, SENT_AT) if message.error() is None else None
            if sent_at is not None:
                delays.append((now - int(sent_at)) / 1_000_000)
                note(message, int(sent_at))
                heard = time.monotonic()
        if sender.poll() is None:
            heard = time.monotonic()
    consumer.close()
    return delays


def _reader(bootstrap: str, topic: str) -> Consumer:
    consumer = make_consumer(consumer_configuration(bootstrap, group=f"{topic}-reader"))
    partitions = range(partitions_of(consumer, topic))
    consumer.assign([TopicPartition(topic, number, 0) for number in partitions])
    return consumer


@contextmanager
def _relaying(bootstrap: str, source: str, target: str, prefix: str) -> Iterator[None]:
    task = Task("relay", bootstrap, source, target, group=f"{prefix}relay")
    process = program("tests.bench.live", task)
    try:
        yield
    finally:
        process.kill()
        process.communicate()


@contextmanager
def _settling(bootstrap: str, prefix: str) -> Iterator[None]:
    """The service itself, from when it has its partitions."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        environment = os.environ | {
            "KAFKA_BOOTSTRAP": bootstrap,
            "TOPIC_PREFIX": prefix,
            "METRICS_ADDRESS": "127.0.0.1:0",
            "HEALTH_ADDRESS": "127.0.0.1:0",
        }
        with log.open("wb") as file:
            process = subprocess.Popen(
                [sys.executable, "-m", "settlement"], cwd=ROOT, env=environment, stderr=file
            )
        try:
            until = time.monotonic() + SECONDS_MAX
            while "tables restored" not in log.read_text():
                if process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(log.read_text()[-4_000:])
                time.sleep(0.1)
            yield
        finally:
            process.kill()
            process.communicate()
