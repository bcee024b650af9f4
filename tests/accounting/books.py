"""A ledger on a real PostgreSQL, and the topics of a simulated day for it to take in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import time
from typing import Any, cast
from zoneinfo import ZoneInfo

import psycopg
from confluent_kafka import Message
from psycopg import Connection

from accounting.kafka.ledger_projection import READ, Ledger
from blackjack.rulebook.rule_set import FILED
from property_calendar.gaming_day import Calendar
from runtime.database.connection import session
from runtime.kafka.records import Headers
from runtime.metrics import Metrics
from runtime.positions import OffsetRange
from settlement.kafka.settler import InputMessage, Settler
from table_simulator.days.day import SimulatedDay
from table_simulator.grpc.office_entries import cage_events, promotion_events
from tests.stack.databases import Database
from tests.stack.service_house import prepare_schema, urls_of
from wire import headers, topics

SERVICE = "accounting"
CALENDAR = Calendar(ZoneInfo("America/Los_Angeles"), time(6))


def urls(administrator: str) -> tuple[str, str]:
    return urls_of(SERVICE, administrator)


def prepare(database: Database) -> None:
    prepare_schema(SERVICE, database)


@dataclass(frozen=True)
class Said:
    """A message of a topic, as a consumer hands it out."""

    topic_name: str
    number: int
    at: int
    body: bytes
    table: bytes = b""
    head: Headers = field(default_factory=list)

    def topic(self) -> str:
        return self.topic_name

    def partition(self) -> int:
        return self.number

    def offset(self) -> int:
        return self.at

    def key(self) -> bytes:
        return self.table

    def value(self) -> bytes:
        return self.body

    def headers(self) -> Headers:
        return self.head

    def timestamp(self) -> tuple[int, int]:
        return 1, 1_772_400_000_000 + self.at

    def error(self) -> None:
        return None


class Log:
    """Every topic that accounting reads, partition by partition."""

    def __init__(self, partitions: int = 3) -> None:
        self._partitions = partitions
        self.of: dict[tuple[str, int], list[Said]] = {}
        self._settling = Settler(FILED, refold_max=10**9)
        for number in range(partitions):
            self._settling.open(number)

    def append(self, topic: str, value: bytes, table: str = "", head: Iterable[Any] = ()) -> Said:
        number = sum(table.encode()) % self._partitions if table else 0
        messages = self.of.setdefault((topic, number), [])
        messages.append(Said(topic, number, len(messages), value, table.encode(), list(head)))
        return messages[-1]

    def report(self, table: str, data: bytes, ingested_at: int) -> None:
        """A table's event, and what settlement makes of it."""
        head: Headers = [(headers.INGESTED_AT, headers.write_ingested_at(ingested_at))]
        said = self.append(topics.TABLE_EVENTS, data, table, head)
        given = InputMessage(said.number, said.at, said.table, data, head)
        for output in self._settling.settle([given]):
            if output.topic in (topics.SETTLED_ROUNDS, topics.FINDINGS):
                self.append(output.topic, output.value or b"", (output.key or b"").decode())

    def play(self, day: SimulatedDay, *, floor: str = "T") -> None:
        """A whole day: tables, cage and promotions desk."""
        for promotion_event in promotion_events(day.desk, floor=floor):
            promotion_event.gaming_day = CALENDAR.day_of(
                promotion_event.at.ToMicroseconds()
            ).isoformat()
            self.append(topics.PROMOTION_EVENTS, promotion_event.SerializeToString())
        for frame in day.frames:
            if frame.stream in day.tables:
                self.report(frame.stream, frame.data, frame.ingested_at)
        for cage_event in cage_events(day.cage, floor=floor):
            at = cage_event.at.ToMicroseconds()
            if cage_event.WhichOneof("fact") == "drop_counted":
                at -= 60 * 60 * 1_000_000
            cage_event.gaming_day = CALENDAR.day_of(at).isoformat()
            self.append(topics.CAGE_EVENTS, cage_event.SerializeToString())

    def repeated(self) -> Log:
        """Everything once more, behind the first time."""
        again = Log(self._partitions)
        for place, said in self.of.items():
            again.of[place] = [replace(message, at=message.at + len(said)) for message in said]
        return again

    def messages(self, names: Sequence[str] = READ) -> Iterator[Said]:
        """Topic by topic."""
        for name in names:
            for (topic, _), said in sorted(self.of.items()):
                if topic == name:
                    yield from said


class Books:
    """The ledger of a database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.ledger = Ledger(CALENDAR, Metrics(SERVICE, version="0"))
        application, _ = urls(database.url)
        address = session(application, service=SERVICE, statement_seconds_max=60)
        self.connection: Connection[Any] = psycopg.connect(address, autocommit=True)
        self._positions: dict[tuple[str, int], int] = {}

    def take(self, messages: Iterable[Said], *, batch: int = 500) -> None:
        """In batches, as the projector hands them over."""
        waiting = list(messages)
        for start in range(0, len(waiting), batch):
            some = waiting[start : start + batch]
            ends: dict[tuple[str, int], int] = {}
            for item in some:
                ends[item.topic_name, item.number] = item.at + 1
            readings = [
                OffsetRange(*place, self._positions.get(place, 0), end)
                for place, end in ends.items()
            ]
            self.ledger.take(self.connection, cast(Sequence[Message], some), readings)
            self._positions.update(ends)

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        """All of them, in an order of their own."""
        return sorted(self.connection.execute(f"SELECT * FROM {table}".encode()), key=repr)

    def ask(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        return self.connection.execute(query.encode(), values).fetchall()

    def ask_nothing(self, statement: str, *values: Any) -> None:
        self.connection.execute(statement.encode(), values)

    def close(self) -> None:
        self.connection.close()
