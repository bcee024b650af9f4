"""A desk as a process, on the run's real servers, and what surveillance says for it to read."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import psycopg
import pytest
from google.protobuf.message import Message

from casino.settlement.v1.finding_pb2 import LEVEL_P2, Level
from casino.surveillance.v1.alert_pb2 import (
    ALERT_STATE_STANDING,
    ALERT_STATE_WITHDRAWN,
    Alert,
    Evidence,
    VideoBookmark,
)
from casino.surveillance.v1.service_pb2 import GetStatusRequest, RebuildRequest
from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceStub
from runtime.kafka.configuration import make_producer, producer_configuration
from tests.stack.broker import Broker
from tests.stack.databases import Database
from tests.stack.service_house import SECONDS_MAX, Rows, ServiceHouse, prepare_schema, urls_of
from wire import topics
from wire.vocabulary import write_time

SERVICE = "alert_desk"
SECOND = 1_000_000
MINUTE = 60 * SECOND
MADE_OF_TOPICS = ("alerts", "setting_changes", "unreadable")
DONE_BY_PEOPLE = (
    "journal", "work", "cases", "case_closings", "case_alerts", "case_people", "holds",
    "hold_releases", "deadlines", "deadlines_met",
)  # fmt: skip


def prepare(database: Database) -> None:
    prepare_schema(SERVICE, database)


def now() -> int:
    return time.time_ns() // 1000


def an_alert(
    name: str,
    *,
    revision: int = 1,
    level: Level.ValueType = LEVEL_P2,
    kind: str = "payout.mismatch",
    at: int = 0,
    evidence: int = 1,
    withdrawn: bool = False,
    **fields: Any,
) -> Alert:
    """As surveillance says one."""
    at = at or now()
    table = fields.setdefault("table_id", "T1")
    fields.setdefault("round", "R1")
    fields.setdefault("sentence", f"{name}: the dealer overpaid seat 3 by $25")
    pieces = [] if withdrawn else _evidence(table, fields["round"], at, evidence)
    return Alert(
        id=name,
        revision=revision,
        state=ALERT_STATE_WITHDRAWN if withdrawn else ALERT_STATE_STANDING,
        kind=kind,
        level=level,
        raised_at=write_time(at),
        changed_at=write_time(at + (len(pieces) - 1) * SECOND if pieces else at),
        evidence=pieces,
        evidence_count=len(pieces),
        bookmarks=[
            VideoBookmark(
                table_id=table,
                until=write_time(at + 2 * MINUTE),
                **{"from": write_time(at - 2 * MINUTE)},
            )
        ],
        **fields,
    )


def _evidence(table: str, round: str, at: int, count: int) -> list[Evidence]:
    return [
        Evidence(
            finding_id=f"f{number}",
            kind="payout.overpaid",
            table_id=table,
            round=round,
            first_seq=number,
            last_seq=number,
            seat=3,
            wager="main",
            owed_cents=1_000,
            paid_cents=3_500,
            at=write_time(at + (number - 1) * SECOND),
        )
        for number in range(1, count + 1)
    ]


class House(ServiceHouse):
    """Topics, a database, and the desk's process over them."""

    stamped_by_writer = frozenset({topics.ALERTS})

    def __init__(
        self, folder: Path, broker: Broker, database: Database, **environment: str
    ) -> None:
        sizes = {topics.ALERTS: 3, topics.SURVEILLANCE_SETTINGS: 1, topics.DEAD_LETTERS: 1}
        super().__init__(SERVICE, folder, broker, database, sizes=sizes, environment=environment)

    @asynccontextmanager
    async def stub(self, kind: str = "operator", name: str = "test") -> AsyncIterator[Any]:
        async with self.channel(kind, name) as channel:
            yield SurveillanceServiceStub(channel)

    def call(
        self, request: Message, *roles: str, by: str = "ada", peer: str = "service/console"
    ) -> Any:
        """What is answered when the console calls for a person with these roles: surveillance,
        unless they are named. Whoever calls as another peer calls for nobody."""
        method = type(request).__name__.removesuffix("Request")
        person = peer == "service/console"
        metadata = [self.token(*(roles or ("surveillance",)), subject=by)] if person else []

        async def called() -> Any:
            async with self.stub(*peer.split("/")) as stub:
                return await getattr(stub, method)(request, metadata=metadata)

        return asyncio.run(called())

    def refused(self, request: Message, *roles: str, by: str = "ada", **how: str) -> str:
        """The status and the words with which it is refused."""
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            self.call(request, *roles, by=by, **how)
        return f"{refused.value.code().name}: {refused.value.details()}"

    def say(self, *alerts: Alert) -> None:
        self.say_bytes((each.id, each.SerializeToString(deterministic=True)) for each in alerts)

    def say_bytes(
        self, values: Iterable[tuple[str, bytes]], topic: str = topics.ALERTS, at_ms: int = 0
    ) -> None:
        """`at_ms`: as if it had been said then."""
        producer = make_producer(producer_configuration(self.broker.bootstrap))
        for key, value in values:
            producer.produce(self.topic(topic), value, key.encode(), timestamp=at_ms)
            producer.poll(0)
        assert producer.flush(SECONDS_MAX) == 0

    async def caught_up(self) -> None:
        """Until the tables have all that was said by now."""
        async with self.stub() as stub:
            deadline = time.monotonic() + SECONDS_MAX
            while (await stub.GetStatus(GetStatusRequest())).lag:
                assert time.monotonic() < deadline, "the desk does not catch up"
                await asyncio.sleep(0.05)

    def tell(self, *alerts: Alert) -> None:
        """Said, and read."""
        self.say(*alerts)
        asyncio.run(self.caught_up())

    def rebuild(self, role: str = "administrator") -> None:
        """To the end of it."""

        async def called() -> None:
            async with self.stub("service", "console") as stub:
                async for _ in stub.Rebuild(RebuildRequest(), metadata=[self.token(role)]):
                    pass

        asyncio.run(called())

    def dump(self) -> Rows:
        return self.rows_of(*MADE_OF_TOPICS)

    def as_application(self) -> psycopg.Connection[Any]:
        """With the rights that the process has when it works."""
        application, _ = urls_of(SERVICE, self.database.url)
        return psycopg.connect(application, options=f"-c search_path={SERVICE}")
