"""The same fold as a plain Faust agent, as a process that says how fast it is.

Plain means as Faust's own guide would have it: the state of a table is a value in a Faust table,
written with every event, and outputs are sent from the agent. To its favour the table as an
object stays at hand, so that only writing it is paid for; and nothing is done for exactness. The
other form only decodes: what the library takes for itself.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from pathlib import Path
from typing import Any, Final

import faust
import msgspec

from blackjack.play.table import Table, advance
from runtime.service import tune_gc
from settlement.kafka.settler import records_of
from settlement.kafka.snapshots import snapshot
from wire import decode_event, topics


class Task(msgspec.Struct, frozen=True):
    """What is to be measured; the answer is written to a file, since Faust takes the output."""

    bootstrap: str
    prefix: str
    events: int
    warm_up: int
    folds: bool
    folder: str

    @property
    def answer(self) -> Path:
        return Path(self.folder) / "pace.json"


class FaustPace(msgspec.Struct, frozen=True):
    events: int
    seconds: float
    cpu_seconds: float


TASK: Final = "FAUST_BENCH_TASK"


def make(task: Task) -> faust.App:
    app = faust.App(
        f"{task.prefix}faust-{'folds' if task.folds else 'decodes'}",
        broker=f"kafka://{task.bootstrap}",
        datadir=task.folder,
        store="memory://",
        topic_partitions=topics.PARTITIONS[topics.TABLE_EVENTS],
        topic_replication_factor=1,
        value_serializer="raw",
        key_serializer="raw",
        topic_disable_leader=True,
    )
    events = app.topic(task.prefix + topics.TABLE_EVENTS, key_type=bytes, value_type=bytes)
    outputs = {
        name: app.topic(task.prefix + name, key_type=bytes, value_type=bytes)
        for name in (topics.FINDINGS, topics.SETTLED_ROUNDS)
    }
    states: Any = app.Table("states", key_type=bytes, value_type=bytes)
    live: dict[bytes, Table] = {}
    begun: list[float] = []

    async def settle(stream: Any) -> None:
        count = 0
        async for key, value in stream.items():
            event = decode_event(value)
            if task.folds:
                table = live.get(key)
                if table is None:
                    table = Table.new(event.table)
                live[key], step = advance(table, event)
                for name, record, _ in records_of(step):
                    await outputs[name].send(key=key, value=record)
                states[key] = snapshot(live[key])
            count += 1
            if count == task.warm_up:
                begun.extend((time.monotonic(), time.process_time()))
            elif count == task.events:
                seconds, cpu = time.monotonic() - begun[0], time.process_time() - begun[1]
                pace = FaustPace(count - task.warm_up, seconds, cpu)
                task.answer.write_bytes(msgspec.json.encode(pace))
                os._exit(0)  # what it has not committed is nobody's concern

    app.agent(events)(settle)
    return app


if __name__ == "__main__":
    asked = msgspec.json.decode(os.environ[TASK], type=Task)
    logging.disable(logging.WARNING)
    tune_gc()
    sys.argv = ["faust", "worker", "--without-web", "--loglevel", "error"]
    make(asked).main()
