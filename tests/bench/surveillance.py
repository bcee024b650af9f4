"""Surveillance as a process on a real Kafka: how long until an alert, how fast, how large, how soon
back after kill -9.

Settlement runs beside it where events are live; where a day is caught up on, all that settlement
said of it is there already.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Final

from confluent_kafka import Message, TopicPartition

from blackjack.facts import Event
from blackjack.play.table import Table, fold
from casino.surveillance.v1.alert_pb2 import Alert
from runtime.kafka import topic_reader
from runtime.kafka.configuration import (
    consumer_configuration,
    make_consumer,
    make_producer,
    producer_configuration,
)
from settlement.kafka.settler import records_of
from surveillance.kafka.faust_app import GROUP
from tests.bench.broker import ROOT, SECONDS_MAX, Servers, make_topics, send
from tests.bench.latency import delays, ninety_ninth
from tests.bench.live import overpaid
from tests.bench.measure import Measurement, limited
from tests.bench.settlement import frames_of_a_day
from tests.bench.watching_client import watching
from wire import decode_event, topics

ALERT_MS_AIM: Final = 1_000.0
SOON_SECONDS_AIM: Final = 10.0
SILENCE_SECONDS: Final = 15.0
"""On a busy machine what leads up to the live stretch takes its time."""
PATRON: Final = b"patron:"


def measure(servers: Servers, *, quick: bool) -> list[Measurement]:
    return [*_latency(servers, quick=quick), *_day(servers, quick=quick)]


def _latency(servers: Servers, *, quick: bool) -> list[Measurement]:
    """To the topic, and to a client of the desk who watches."""
    bootstrap = servers.bootstrap
    prefix = make_topics(bootstrap)
    events, alerts = prefix + topics.TABLE_EVENTS, prefix + topics.ALERTS
    live = 20 if quick else 200
    sent: dict[tuple[str, int], int] = {}

    def note(message: Message, sent_at: int) -> None:
        alert = Alert.FromString(message.value() or b"")
        sent[alert.id, alert.revision] = sent_at

    with (
        _serving("settlement", bootstrap, prefix),
        _serving("surveillance", bootstrap, prefix),
        watching(bootstrap, servers.database_url, prefix) as arrived,
    ):
        found = delays(bootstrap, events, alerts, live, silence_seconds=SILENCE_SECONDS, note=note)
        missing = sent.keys() - arrived.keys()
    if missing:
        raise RuntimeError(f"{len(missing)} alerts were not told to who watches")
    seen = [(arrived[each] - at) / 1_000_000 for each, at in sent.items()]
    return [
        row
        for where, delay in (("readable", found), ("at a watching client", seen))
        for row in (
            Measurement(f"event sent to alert {where}, 200 tables, median", median(delay), "ms"),
            limited(
                f"event sent to alert {where}, 200 tables, 99th percentile",
                ninety_ninth(delay),
                "ms",
                aim=ALERT_MS_AIM,
            ),
        )
    ]


def _day(servers: Servers, *, quick: bool) -> list[Measurement]:
    """A day that is there already, then the same states after kill -9 of worker and broker."""
    bootstrap = servers.bootstrap
    tables, rounds = (16, 40) if quick else (200, 15)
    prefix = make_topics(bootstrap)
    frames = frames_of_a_day(tables=tables, rounds=rounds)
    send(bootstrap, prefix, frames)
    day = [decode_event(data, ingested_at=at) for _, data, at in frames]
    last = day[-1].table
    later = [overpaid(event) for event in day if event.table == last]
    count = _settle(bootstrap, prefix, [event for event in day if event.table != last])
    with TemporaryDirectory() as folder:
        with _serving("surveillance", bootstrap, prefix, STATE_FOLDER=folder) as process:
            begun = _cpu_seconds(process)
            _wait_until_done(bootstrap, prefix)
            cpu = _cpu_seconds(process) - begun
        back = {}
        for where, kept in (("disk", {"STATE_FOLDER": folder}), ("Kafka", {})):
            began = time.monotonic()
            with _serving("surveillance", bootstrap, prefix, **kept):
                back[f"worker ready after kill -9, states from {where}"] = time.monotonic() - began
        name = "alert after the broker was killed and answers again"
        back[name] = _seconds_to_alert(servers, prefix, later, STATE_FOLDER=folder)
    states = _states(bootstrap, prefix)
    patrons = [len(value) for key, value in states.items() if key.startswith(PATRON)]
    return [
        Measurement(
            "rounds sorted and watched by one worker, a second of one core", count / cpu, "rounds/s"
        ),
        Measurement("state of a patron after a day, mean", mean(patrons), "bytes"),
        Measurement("state of all subjects after a day", sum(map(len, states.values())), "bytes"),
        *(
            limited(f"{name}, {tables} tables", seconds, "s", aim=SOON_SECONDS_AIM)
            for name, seconds in back.items()
        ),
    ]


def _seconds_to_alert(servers: Servers, prefix: str, later: list[Event], **settings: str) -> float:
    """From when a broker that was killed answers again to an alert of what is settled then.

    A worker that ends is started again, as every deployment does.
    """
    alerts = prefix + topics.ALERTS
    ends = topic_reader.whole(servers.bootstrap, alerts)
    with _serving("surveillance", servers.bootstrap, prefix, **settings):
        servers.replace_broker()
        began = time.monotonic()
        _settle(servers.bootstrap, prefix, later)
        while topic_reader.whole(servers.bootstrap, alerts) == ends:
            if time.monotonic() - began > SECONDS_MAX:
                raise RuntimeError("no alert since the broker was killed")
            time.sleep(0.05)
        return time.monotonic() - began


def _settle(bootstrap: str, prefix: str, day: Iterable[Event]) -> int:
    """Write what settlement writes of these events; returns the number of rounds."""
    streams: dict[str, list[Event]] = {}
    for event in day:
        streams.setdefault(event.table, []).append(event)
    producer = make_producer(producer_configuration(bootstrap))
    count = 0
    for table, events in streams.items():
        for step in fold(Table.new(table), events)[1]:
            for topic, value, _ in records_of(step):
                producer.produce(prefix + topic, value, table.encode())
                count += topic == topics.SETTLED_ROUNDS
                producer.poll(0)
    producer.flush(60)
    producer.close()
    return count


def _wait_until_done(bootstrap: str, prefix: str) -> None:
    """Until nothing is left to be read, of rounds and of what they were sorted into."""
    asking = make_consumer(consumer_configuration(bootstrap, group=prefix + GROUP))
    until = time.monotonic() + SECONDS_MAX
    quiet = 0
    while quiet < 3:  # a sighting may be on its way to its topic
        left = 0
        for name in (topics.SETTLED_ROUNDS, topics.FINDINGS, topics.SURVEILLANCE_SIGHTINGS):
            ends = {each.partition: each for each in topic_reader.whole(bootstrap, prefix + name)}
            places = [TopicPartition(prefix + name, each) for each in ends]
            for done in asking.committed(places, timeout=30):
                end = ends[done.partition]
                left += end.begin < end.end and done.offset < end.end - 1
        quiet = 0 if left else quiet + 1
        if time.monotonic() > until:
            raise RuntimeError(f"{left} partitions are not read")
        time.sleep(0.5)
    asking.close()


def _states(bootstrap: str, prefix: str) -> dict[bytes, bytes]:
    changelog = prefix + topics.SURVEILLANCE_STATES
    found: dict[bytes, bytes] = {}
    for message in topic_reader.read(bootstrap, topic_reader.whole(bootstrap, changelog)):
        key, value = message.key(), message.value()
        if isinstance(key, bytes) and isinstance(value, bytes):
            found[key] = value
    return found


def _cpu_seconds(process: subprocess.Popen[bytes]) -> float:
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def _serving(
    module: str, bootstrap: str, prefix: str, **settings: str
) -> Iterator[subprocess.Popen[bytes]]:
    """The service itself, from when it is ready; killed in the end."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        environment = os.environ | {
            "KAFKA_BOOTSTRAP": bootstrap,
            "TOPIC_PREFIX": prefix,
            "METRICS_ADDRESS": "127.0.0.1:0",
            "HEALTH_ADDRESS": "127.0.0.1:0",
            **settings,
        }
        with log.open("wb") as file:
            process = subprocess.Popen(
                [sys.executable, "-m", module], cwd=ROOT, env=environment, stderr=file
            )
        try:
            until = time.monotonic() + SECONDS_MAX
            while '"event": "ready"' not in log.read_text():
                if process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(log.read_text()[-4_000:])
                time.sleep(0.05)
            yield process
        finally:
            process.kill()
            process.communicate()
