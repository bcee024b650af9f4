"""Two processes of the bench of latency: who sends live events, and who only passes them on.

Every live event carries the moment it was sent where its trace travels: settlement hands that on
with what the event proves, and the plain relay with the event itself. All processes of a machine
read the same clock.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from itertools import islice
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from blackjack.facts import DealerArrived, DealerLeft, Event, WagerPaid
from runtime.kafka.configuration import (
    consumer_configuration,
    make_consumer,
    make_producer,
    producer_configuration,
)
from runtime.kafka.records import Headers, headers_of
from runtime.service import tune_gc
from table_simulator.days.randomness import plays_of_day
from tests.settlement.streams import frames_of
from wire.headers import INGESTED_AT, write_ingested_at

SENT_AT: Final = "traceparent"
TABLES: Final = 200
EVENTS_PER_SECOND: Final = 800
QUIET_SECONDS: Final = 10.0
"""Between what leads up to the live stretch and the stretch itself, so that the former is done
with on a busy machine too: else the first live events wait behind it."""


class Task(msgspec.Struct, frozen=True):
    role: Literal["send", "relay"]
    bootstrap: str
    source: str
    target: str = ""
    group: str = ""
    before: int = 0
    """Events of each table that lead up to the live stretch."""
    live: int = 0
    """Events of each table in it."""


def overpaid(event: Event) -> Event:
    """Every payment is a dollar too high, so that there is something to find all the time.

    A table's dealers are its own: tables that were played apart have dealers of the same names,
    and nobody deals at two hundred tables at once."""
    match event.fact:
        case WagerPaid() as paid:
            return replace(event, fact=replace(paid, cents=paid.cents + 100))
        case (DealerArrived() | DealerLeft()) as fact:
            return replace(event, fact=replace(fact, licence=f"{fact.licence}-{event.table}"))
        case _:
            return event


def streams(length: int) -> list[list[tuple[bytes, Event, bytes]]]:
    """So many events of every table: its name, the event and its bytes."""
    found = []
    for played in plays_of_day(seed=7, tables=TABLES, rounds=2 + length // 40):
        events = [overpaid(event) for event in played.events[:length]]
        frames = frames_of(events)
        found.append([(e.table.encode(), e, f) for e, f in zip(events, frames, strict=True)])
    return found


def in_turn(
    tables: list[list[tuple[bytes, Event, bytes]]], begin: int, end: int
) -> Iterator[tuple[bytes, Event, bytes]]:
    """The tables take turns, one event each."""
    for at in range(begin, end):
        for stream in tables:
            yield from islice(stream, at, at + 1)


def send(task: Task) -> int:
    """What leads up to it, then the live stretch at its pace; how many events that had."""
    tables = streams(task.before + task.live)
    producer = make_producer(producer_configuration(task.bootstrap))
    for table, event, data in in_turn(tables, 0, task.before):
        known: Headers = [(INGESTED_AT, write_ingested_at(event.at + 40_000))]
        producer.produce(task.source, data, table, headers=known)
    producer.flush(30)
    time.sleep(QUIET_SECONDS)
    count = 0
    began = time.monotonic()
    for table, event, data in in_turn(tables, task.before, task.before + task.live):
        due = began + count / EVENTS_PER_SECOND
        while (left := due - time.monotonic()) > 0:
            time.sleep(left)
        known = [
            (INGESTED_AT, write_ingested_at(event.at + 40_000)),
            (SENT_AT, b"%d" % time.monotonic_ns()),
        ]
        producer.produce(task.source, data, table, headers=known)
        producer.poll(0)
        count += 1
    producer.flush(30)
    producer.close()
    return count


def relay(task: Task) -> None:
    """From one topic to another, message by message, until it is ended."""
    configuration = consumer_configuration(task.bootstrap, group=task.group)
    consumer = make_consumer(configuration | {"auto.offset.reset": "earliest"})
    producer = make_producer(producer_configuration(task.bootstrap))
    consumer.subscribe([task.source])
    while True:
        for message in consumer.consume(1_000, 0.002):
            if message.error() is None:
                key, value = message.key(), message.value()
                producer.produce(task.target, value, key, headers=headers_of(message))
        producer.poll(0)


if __name__ == "__main__":
    given = msgspec.json.decode(sys.argv[1], type=Task)
    tune_gc()
    if given.role == "relay":
        relay(given)
    print(send(given))
