"""A floor on a real broker: a day in `table-events`, workers over it, and what must come out."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Self

from confluent_kafka import Message

from blackjack.play.table import Table, fold
from provisioning.kafka.topics import Topic, ensure_topics
from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.records import Headers, Output
from settlement.kafka.settler import records_of
from settlement.kafka.snapshot_records import SnapshotRecord, StoredSnapshots, collect
from settlement.kafka.worker import snapshot_of
from tests.stack.broker import Broker
from wire import decode_event, topics
from wire.headers import INGESTED_AT, write_ingested_at

SECONDS_MAX = 60.0
ROOT = Path(__file__).resolve().parents[2]
Frame = tuple[str, bytes, int]
"""A table, the bytes of an event, and when the gateway received it."""
Said = dict[tuple[str, bytes], list[bytes]]


class Floor:
    """Topics of its own, with as many partitions as wished."""

    def __init__(self, broker: Broker, *, partitions: int, snapshot_partitions: int = 1) -> None:
        self.broker = broker
        self.prefix = broker.prefix
        self.sent: list[Frame] = []
        sizes = dict.fromkeys(
            (topics.TABLE_EVENTS, topics.SETTLED_ROUNDS, topics.FINDINGS), partitions
        )
        sizes |= {topics.TABLE_SNAPSHOTS: snapshot_partitions}
        sizes |= {topics.CATALOGUE: 1, topics.DEAD_LETTERS: 1, topics.READ_LOGS: 1}
        made = [
            Topic(self.topic(name), size, topics.configuration(name))
            for name, size in sizes.items()
        ]
        broker._made += ensure_topics(broker.admin, made).created

    def topic(self, name: str) -> str:
        return self.prefix + name

    def send(self, frames: Sequence[Frame]) -> None:
        producer = make_producer(producer_configuration(self.broker.bootstrap))
        for table, data, ingested_at in frames:
            header: Headers = [(INGESTED_AT, write_ingested_at(ingested_at))]
            producer.produce(self.topic(topics.TABLE_EVENTS), data, table.encode(), headers=header)
            producer.poll(0)
        assert producer.flush(30) == 0
        producer.close()
        self.sent += frames

    def expected(self) -> Said:
        """The same events folded by the engine alone."""
        found: Said = {}
        streams: dict[str, list[Frame]] = {}
        for frame in self.sent:
            streams.setdefault(frame[0], []).append(frame)
        for table, frames in streams.items():
            events = [decode_event(data, ingested_at=at) for _, data, at in frames]
            for step in fold(Table.new(table), events)[1]:
                for topic, value, _ in records_of(step):
                    found.setdefault((topic, table.encode()), []).append(value)
        return found

    def said(self) -> Said:
        found: Said = {}
        for name in (topics.FINDINGS, topics.SETTLED_ROUNDS):
            for message in self.read(name):
                found.setdefault((name, message.key() or b""), []).append(message.value() or b"")
        return found

    def read(self, name: str) -> list[Message]:
        return self.broker.read(self.topic(name))

    def settles(self) -> None:
        """Until as much is said as must be; then it is the same, each once."""
        expected = self.expected()
        count = sum(map(len, expected.values()))
        assert count > 0
        eventually(lambda: sum(map(len, self.said().values())) >= count)
        assert self.said() == expected

    def worker(self, name: str = "0", *, module: str = "settlement", **settings: str) -> Process:
        return Process(self, name, module, settings)


class Process:
    """`python -m settlement`, or another module in its place, with ports of its own."""

    def __init__(self, floor: Floor, name: str, module: str, settings: dict[str, str]) -> None:
        environment = os.environ | {
            "KAFKA_BOOTSTRAP": floor.broker.bootstrap,
            "TOPIC_PREFIX": floor.prefix,
            "WORKER_NAME": name,
            "METRICS_ADDRESS": "127.0.0.1:0",
            "HEALTH_ADDRESS": "127.0.0.1:0",
            **settings,
        }
        self.log: list[str] = []
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._process = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=ROOT,
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()

    def _listen(self) -> None:
        """All the time: a process whose pipe is full would stand still."""
        assert self._process.stderr is not None
        with self._process.stderr as lines:
            for line in lines:
                self.log.append(line)
                self._lines.put(line)
        self._lines.put(None)

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_for(self, event: str) -> str:
        """The line of the log that tells of it, after those that were waited for before."""
        with suppress(Empty):
            while (line := self._lines.get(timeout=SECONDS_MAX)) is not None:
                if f'"{event}"' in line:
                    return line
        raise AssertionError(f"{event!r} did not come:\n{''.join(self.log[-20:])}")

    def wait_for_rejection(self, words: str) -> str:
        """The reason for which a log is refused, once it says so; another may come before."""
        while words not in (line := self.wait_for("log rejected")):
            pass
        return line

    def kill(self) -> None:
        self._process.kill()
        self._end()

    def stop(self) -> int:
        self._process.terminate()
        return self._end()

    def ended(self) -> int:
        """How it ended by itself."""
        return self._end()

    def _end(self) -> int:
        code = self._process.wait(30)
        self._listener.join()
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> None:
        if self.is_alive:
            self.stop()
        else:
            self._end()
        if error is not None:
            print("".join(self.log[-40:]))


def eventually(condition: Callable[[], bool], *, seconds_max: float = SECONDS_MAX) -> None:
    until = time.monotonic() + seconds_max
    while not condition():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.2)


def stored_in(said: Iterable[Message | Output]) -> StoredSnapshots:
    """What is written down of partition 0, among messages or outputs of settlement."""
    found: list[SnapshotRecord] = []
    for message in said:
        if isinstance(message, Message):
            found.append(snapshot_of(message))
        elif message.topic.endswith(topics.TABLE_SNAPSHOTS):
            found.append(
                SnapshotRecord(0, len(found), message.key or b"", message.value, len(found))
            )
    return collect({0: 2**62}, found)[0]
