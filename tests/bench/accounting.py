"""Accounting: settled rounds from Kafka into the ledger.

Kafka to committed rows is the real projector with the real ledger, on a topic with the rounds of
simulated days. It is held against COPY of the very same rows, made ready as text beforehand, into
tables without keys and constraints: the least that any loader can do.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

import psycopg
from confluent_kafka import Message
from psycopg import Connection, sql
from pydantic import SecretStr

from accounting.kafka.ledger_projection import CONSUMER, Ledger
from accounting.postgres.batch_writer import COLUMNS
from casino.settlement.v1.settled_round_pb2 import SettledRound
from deploy.stack.stack import Stack
from runtime.database.connection import DatabaseSettings
from runtime.database.readiness import DATABASE, StoreReadiness
from runtime.health import Health
from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.rejections import Rejections
from runtime.metrics import Metrics
from runtime.positions import OffsetRange
from runtime.process import Stop
from runtime.projector import KAFKA, Projector
from runtime.service import tune_gc
from tests.accounting.books import CALENDAR, SERVICE, Log, urls
from tests.bench.broker import make_topics
from tests.bench.measure import Measurement
from tests.stack.databases import Database, Databases
from tests.stack.houses import template_of
from tests.stack.plugin import settings_in
from tests.table_simulator.days import a_day
from wire import topics
from wire.dead_letters import dead_letter

COPY_AIM: Final = 0.3
BATCH: Final = 2_000
DAY_SECONDS: Final = 86_400
SEQ_A_COPY: Final = 10_000_000
"""More than a simulated table has events: every copy of a day begins after the one before."""

COPIES: Final = 3


@dataclass(frozen=True)
class Servers:
    bootstrap: str
    databases: Databases

    def database(self) -> Database:
        """A ledger with nothing in it."""
        return self.databases.make(template_of(self.databases, SERVICE))


@contextmanager
def servers() -> Iterator[Servers]:
    """A Kafka and a PostgreSQL of our own; ended with their data."""
    with TemporaryDirectory(prefix="bench-accounting-") as folder:
        stack = Stack(settings_in(Path(folder) / "stack"), services=())
        stack.up(servers_only=True)
        try:
            yield Servers(stack.kafka_bootstrap, Databases(stack.database_url))
        finally:
            stack.down(remove_data=True)


def measure(*, quick: bool) -> list[Measurement]:
    tune_gc()
    taken, repeats = (10_000, 2) if quick else (60_000, 5)
    with servers() as running:
        return _against_copy(running, rounds=taken, repeats=repeats)


# Rounds ---------------------------------------------------------------------------------


@cache
def _simulated() -> list[tuple[str, SettledRound]]:
    """The rounds that settlement makes of a simulated day, with their tables."""
    log = Log()
    log.play(a_day(1, tables=50, rounds=40))
    said = log.messages((topics.SETTLED_ROUNDS,))
    return [(message.table.decode(), SettledRound.FromString(message.body)) for message in said]


def many_rounds(*, a_day: int, twins: bool = False) -> Iterator[tuple[str, bytes]]:
    """As many rounds a day as asked for, day after day: the simulated ones under other names.

    With `twins`, every other copy of the day was played at other tables.
    """
    simulated = _simulated()
    number = 0
    while True:
        copy, place = divmod(number, len(simulated))
        table, original = simulated[place]
        round_ = SettledRound()
        round_.CopyFrom(original)
        if twins and copy % 2:
            table = round_.table_id = f"{table}-twin"
        round_.round = f"{original.round}-{copy}"
        round_.first_seq += copy * SEQ_A_COPY
        round_.last_seq += copy * SEQ_A_COPY
        for at in (round_.opened_at, round_.closed_at):
            at.seconds += number // a_day * DAY_SECONDS
        yield table, round_.SerializeToString(deterministic=True)
        number += 1


# Kafka to committed rows ----------------------------------------------------------------


class _Timed:
    """The ledger, with the moment at which each batch was committed."""

    def __init__(self, ledger: Ledger, *, messages: int, stop: Stop) -> None:
        self._ledger = ledger
        self._left = messages
        self._stop = stop
        self.committed: list[tuple[float, int]] = []

    def reject(
        self, _: Connection[Any], __: Message, reason: str, ___: Sequence[OffsetRange]
    ) -> None:
        raise AssertionError(f"a sound round was rejected: {reason}")

    def take(
        self,
        connection: Connection[Any],
        messages: Sequence[Message],
        readings: Sequence[OffsetRange],
    ) -> None:
        self._ledger.take(connection, messages, readings)
        self.committed.append((time.perf_counter(), len(messages)))
        self._left -= len(messages)
        if self._left <= 0:
            self._stop.request()

    @property
    def rate(self) -> float:
        """Messages a second, from the end of the first batch to that of the last."""
        taken = sum(messages for _, messages in self.committed[1:])
        return taken / (self.committed[-1][0] - self.committed[0][0])


def _against_copy(running: Servers, *, rounds: int, repeats: int) -> list[Measurement]:
    prefix = make_topics(running.bootstrap)
    _send(running.bootstrap, prefix + topics.SETTLED_ROUNDS, rounds)
    posted: list[float] = []
    copied: list[float] = []
    rounds_a_second = 0.0
    for _ in range(repeats):
        database = running.database()
        rate = asyncio.run(_project(running.bootstrap, prefix, database, rounds))
        rows, seconds = _copy_bare(database)
        rounds_a_second = max(rounds_a_second, rate)
        posted.append(rate * rows / rounds)
        copied.append(rows / seconds)
        running.databases.drop(database)
    ratio = median(one / other for one, other in zip(posted, copied, strict=True))
    base = Measurement("the rows of settled rounds by COPY into bare tables", max(copied), "rows/s")
    name = "Kafka to committed rows of the ledger"
    return [
        base,
        Measurement(
            name, max(posted), "rows/s", base.name, round(ratio, 3), COPY_AIM, ratio >= COPY_AIM
        ),
        Measurement("the same in rounds", rounds_a_second, "rounds/s"),
    ]


def _send(bootstrap: str, topic: str, rounds: int) -> None:
    producer = make_producer(producer_configuration(bootstrap))
    for table, value in islice(many_rounds(a_day=rounds // 3), rounds):
        while True:
            try:
                producer.produce(topic, value, table.encode())
            except BufferError:
                producer.poll(0.05)
            else:
                break
    if producer.flush(60):
        raise RuntimeError("the broker did not take all rounds")
    producer.close()


async def _project(bootstrap: str, prefix: str, database: Database, rounds: int) -> float:
    """The service's own reader and ledger, from the first message to the last."""
    metrics = Metrics(SERVICE, version="0")
    stop = Stop()
    application, _ = urls(database.url)
    timed = _Timed(Ledger(CALENDAR, metrics, prefix=prefix), messages=rounds, stop=stop)
    settings = DatabaseSettings.model_validate({"database_url": SecretStr(application)})
    health = Health([KAFKA, DATABASE])
    projector = Projector(
        bootstrap,
        settings,
        health,
        StoreReadiness(SERVICE, settings, health),
        metrics,
        timed,
        service=SERVICE,
        consumer=CONSUMER,
        topics=[prefix + topics.SETTLED_ROUNDS],
        rejections=Rejections(bootstrap, prefix + topics.DEAD_LETTERS, dead_letter),
        code="not_posted",
        keyed={},
        accept="rebuild",
        batch_messages_max=BATCH,
    )
    await asyncio.to_thread(projector.run, stop)
    return timed.rate


def _copy_bare(database: Database) -> tuple[int, float]:
    """All rows of the ledger, and the seconds in which they are copied into bare tables."""
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute(f"SET search_path = {SERVICE}".encode())
        blocks: dict[str, list[bytes]] = {}
        total = 0
        for table in COLUMNS:
            name = sql.Identifier(table)
            found = connection.execute(sql.SQL("SELECT count(*) FROM {}").format(name)).fetchone()
            if found is None or not found[0]:
                continue
            total += found[0]
            query = sql.SQL("COPY (SELECT * FROM {}) TO STDOUT").format(name)
            with connection.cursor().copy(query) as copy:
                blocks[table] = [bytes(block) for block in copy]
            bare = sql.SQL("CREATE TABLE {} AS SELECT * FROM {} WITH NO DATA")
            connection.execute(bare.format(sql.Identifier("bare_" + table), name))
        took = []
        for _ in range(COPIES):
            began = time.perf_counter()
            with connection.transaction():
                for table, rows in blocks.items():
                    into = sql.SQL("COPY {} FROM STDIN").format(sql.Identifier("bare_" + table))
                    with connection.cursor().copy(into) as copy:
                        for block in rows:
                            copy.write(block)
            took.append(time.perf_counter() - began)
            for table in blocks:
                connection.execute(sql.SQL("TRUNCATE {}").format(sql.Identifier("bare_" + table)))
        return total, median(took)
