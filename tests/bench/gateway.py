"""The gateway as a process on a real Kafka: acknowledged events a second, and its memory.

Each table has one batch under way, as the page about ingest asks for. The yardstick is a bare
producer, idempotent and to all replicas as the gateway's is, that is given the same bytes under
the same keys as fast as it takes them, and waits once, at the end: the most that the brokers
allow. Between the two are the waiting for each batch, TLS, gRPC, the decoding and judging of
each event, and the client, all in Python on the same cores.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

from confluent_kafka import KafkaError, Message

from deploy.stack.stack import Stack
from runtime.kafka.configuration import make_producer, producer_configuration
from tests.bench.measure import Measurement, compared
from tests.stack.broker import Broker
from tests.stack.plugin import settings_in
from tests.table_gateway.harness import GatewayProcess, ReportStream, frames
from wire import topics

TABLES = (1, 10, 100)
BATCH_EVENTS = 100
ROOM = 80
"""Makes an event as long as they are on a mixed day, some 150 bytes."""
BARE_RUNS = 5
PARTITIONS = topics.PARTITIONS[topics.TABLE_EVENTS]
AIM = 0.1
MEMORY_AIM = 1.05

Report = Callable[[str, list[bytes]], Awaitable[None]]


def measure(*, quick: bool) -> list[Measurement]:
    events = 12_000 if quick else 100_000
    found: list[Measurement] = []
    with TemporaryDirectory(prefix="pitledger-bench-") as folder, _stack(Path(folder)) as stack:
        house = GatewayProcess(Path(folder), Broker(stack.kafka_bootstrap), TABLE_HEADS_SECONDS="5")
        house.start()
        try:
            for count in TABLES:
                found += asyncio.run(_measure(house, tables=count, events=events))
        finally:
            house.kill()
    return found


@contextmanager
def _stack(folder: Path) -> Iterator[Stack]:
    stack = Stack(settings_in(folder / "stack"), services=())
    stack.up(servers_only=True)
    try:
        yield stack
    finally:
        stack.down(remove_data=True)


async def _measure(house: GatewayProcess, *, tables: int, events: int) -> list[Measurement]:
    each = events // tables
    sent = {name: frames(name, each, room=ROOM) for name in _names(tables)}
    words = f"{tables} table" + ("s" if tables > 1 else "")
    memory: list[int] = []
    bare = statistics.median(_bare_rate(house, sent) for _ in range(BARE_RUNS))
    async with _through(house, sent) as report:
        rate = await _rate(sent, report, at_each_tenth=lambda: memory.append(house.memory_bytes()))
    base = Measurement(f"bare producer, {words}", bare, "events/s")
    found = [base, compared(f"gateway, {words}", rate, "events/s", base, aim=AIM)]
    if tables == TABLES[-1]:
        found.append(_grown(memory, words))
    return found


def _names(tables: int) -> list[str]:
    """Others for each number of tables: every one begins with its first event."""
    return [f"BJ-{tables}-{number}" for number in range(tables)]


async def _rate(
    sent: dict[str, list[bytes]], report: Report, *, at_each_tenth: Callable[[], None] | None = None
) -> float:
    """Events a second, while each table sends batch after batch."""
    total = sum(map(len, sent.values()))
    done = tenths = 0

    async def table(name: str, events: list[bytes]) -> None:
        nonlocal done, tenths
        for start in range(0, len(events), BATCH_EVENTS):
            batch = events[start : start + BATCH_EVENTS]
            await report(name, batch)
            done += len(batch)
            if at_each_tenth is not None and done * 10 >= total * (tenths + 1):
                tenths += 1
                at_each_tenth()

    started = time.perf_counter()
    await asyncio.gather(*(table(name, events) for name, events in sent.items()))
    return total / (time.perf_counter() - started)


def _bare_rate(house: GatewayProcess, sent: dict[str, list[bytes]]) -> float:
    topic = house.broker.make_topic(f"bare-{time.monotonic_ns()}", partitions=PARTITIONS)
    producer = make_producer(producer_configuration(house.broker.bootstrap))
    producer.produce(topic, b"")  # connected, and known to the broker
    producer.flush()
    written = 0

    def report(error: KafkaError | None, _: Message) -> None:
        nonlocal written
        written += error is None

    total = sum(map(len, sent.values()))
    started = time.perf_counter()
    for events in zip_longest(*sent.values()):
        for name, event in zip(sent, events, strict=True):
            while event is not None:
                try:
                    producer.produce(topic, event, name, on_delivery=report)
                    break
                except BufferError:
                    producer.poll(0.01)
        producer.poll(0)
    producer.flush()
    rate = total / (time.perf_counter() - started)
    if written != total:
        raise RuntimeError(f"{total - written} events were not written")
    return rate


@asynccontextmanager
async def _through(house: GatewayProcess, sent: dict[str, list[bytes]]) -> AsyncIterator[Report]:
    async with AsyncExitStack() as streams:
        lines: dict[str, ReportStream] = {}
        for name in sent:
            lines[name] = await streams.enter_async_context(house.open_session(name))

        async def report(table: str, batch: list[bytes]) -> None:
            _, rejected = await lines[table].report(batch)
            if rejected:
                raise RuntimeError(f"{table}: {rejected}")

        yield report


def _grown(memory: list[int], words: str) -> Measurement:
    """Of the resident memory, from the middle of the run to its end."""
    middle, end = memory[len(memory) // 2], memory[-1]
    ratio = end / middle
    return Measurement(
        f"gateway's memory at the end, {words}",
        end / 2**20,
        "MiB",
        "in the middle of the run",
        round(ratio, 3),
        MEMORY_AIM,
        ratio <= MEMORY_AIM,
    )
