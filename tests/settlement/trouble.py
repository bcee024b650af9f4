"""A floor in trouble: a day that is fed while workers and the broker are killed under it."""

from __future__ import annotations

import signal
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

from confluent_kafka import KafkaError, Message

from deploy.stack.process import send, wait_for_end
from deploy.stack.stack import Stack
from pitctl.engine.audit_worker import AuditJob, audit_stream, index_streams
from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.records import Headers
from table_simulator.days.day import simulate
from table_simulator.days.fault_plan import Plan
from tests.settlement.floor import Floor, Frame, Process, Said, eventually
from wire import topics
from wire.headers import INGESTED_AT, write_ingested_at
from wire.log_file import delimited, write_log


def spoilt_day(seed: int, *, tables: int, rounds: int) -> list[Frame]:
    """A day with every fault that finds room in it, and resends as after lost acknowledgements."""
    rng = Random(seed)
    day = simulate(seed=seed, tables=tables, rounds=rounds, plan=Plan(every=1))
    assert day.truths
    found: list[Frame] = []
    for sent in day.frames:
        found.append((sent.stream, sent.data, sent.ingested_at))
        if rng.random() < 0.01:
            again = [frame for frame in found[-60:] if frame[0] == sent.stream]
            found += again[-rng.randint(1, 12) :]
    return found


def audited(frames: Sequence[Frame]) -> Said:
    """What `pitctl audit` says of the same facts, each record with its length before it."""
    said: Said = {}
    with tempfile.NamedTemporaryFile(suffix=".log") as file:
        with open(file.name, "wb") as log:
            write_log(log, ((data, ingested_at) for _, data, ingested_at in frames))
        streams, bad = index_streams(Path(file.name).read_bytes())
        assert bad == []
        for name, places in streams.items():
            found = audit_stream(AuditJob(file.name, name, places, wants_records=True))
            if found.rounds:
                said[topics.SETTLED_ROUNDS, name.encode()] = found.rounds
            if found.records:
                said[topics.FINDINGS, name.encode()] = found.records
    return said


class Feed:
    """Sends a day as the gateway would: once, in order, whatever becomes of the broker."""

    def __init__(self, floor: Floor, frames: Sequence[Frame], *, seconds: float) -> None:
        self._floor = floor
        self._frames = frames
        self._pause = seconds / len(frames)
        self._errors: list[KafkaError] = []
        self._thread = threading.Thread(target=self._send)

    def _send(self) -> None:
        producer = make_producer(producer_configuration(self._floor.broker.bootstrap))

        def delivered(error: KafkaError | None, _: Message) -> None:
            if error is not None:
                self._errors.append(error)

        topic = self._floor.topic(topics.TABLE_EVENTS)
        for table, data, ingested_at in self._frames:
            known: Headers = [(INGESTED_AT, write_ingested_at(ingested_at))]
            producer.produce(topic, data, table.encode(), headers=known, on_delivery=delivered)
            producer.poll(0)
            time.sleep(self._pause)
        producer.flush(120)
        if len(producer):
            self._errors.append(KafkaError(KafkaError._TIMED_OUT))
        producer.close()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join()
        assert self._errors == []


class Crew:
    """Workers that are started again when they end, as a supervisor does."""

    def __init__(self, floor: Floor, **settings: str) -> None:
        self._floor = floor
        self._settings = settings
        self.workers: dict[str, Process] = {}
        self.ended: list[str] = []

    def start(self, name: str, *, module: str = "settlement", **settings: str) -> Process:
        worker = self._floor.worker(name, module=module, **(self._settings | settings))
        self.workers[name] = worker
        return worker

    def kill(self, name: str) -> None:
        self.workers.pop(name).kill()

    def leave(self, name: str) -> None:
        """Or one that has not begun yet, and does not know better than to end at once."""
        assert self.workers.pop(name).stop() in (0, -signal.SIGTERM)

    def keep(self) -> None:
        """Those that ended by themselves come back."""
        for name, worker in list(self.workers.items()):
            if not worker.is_alive:
                self.ended.append(name)
                self.start(name)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> None:
        for name, worker in self.workers.items():
            worker.kill()
            if error is not None:
                print(name, "".join(worker.log[-40:]))


def kill_broker(stack: Stack) -> None:
    process = stack.state.processes["kafka"]
    send(process, signal.SIGKILL)
    assert wait_for_end(process, 30)


def all_is_published(floor: Floor, crew: Crew, frames: Sequence[Frame]) -> None:
    """In the end: byte for byte and in order what the audit says of each table, and each once."""
    expected = audited(frames)
    count = sum(map(len, expected.values()))
    assert count > 0

    def enough() -> bool:
        crew.keep()
        return sum(map(len, floor.said().values())) >= count

    eventually(enough, seconds_max=180)
    said = {at: [delimited(value) for value in values] for at, values in floor.said().items()}
    assert said == expected
