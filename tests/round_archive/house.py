"""An archive as a process, on the run's real servers, and what settlement says for it to read."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

from confluent_kafka import IsolationLevel, KafkaError, Message, Producer, TopicPartition
from confluent_kafka.admin import OffsetSpec

from blackjack.rulebook.rule_set import FILED
from casino.settlement.v1.finding_pb2 import Finding, Withdrawal
from casino.settlement.v1.record_pb2 import SettlementRecord
from casino.settlement.v1.service_pb2 import GetStatusRequest
from casino.settlement.v1.service_pb2_grpc import SettlementServiceStub
from casino.settlement.v1.settled_round_pb2 import SettledRound
from runtime.kafka.configuration import (
    make_producer,
    producer_configuration,
    transactional_configuration,
)
from runtime.kafka.partitioner import partition_of
from runtime.kafka.records import Headers, Output
from settlement.kafka.settler import InputMessage, Settler
from tests.stack.broker import Broker
from tests.stack.databases import Database
from tests.stack.service_house import (
    PARTITIONS,
    SECONDS_MAX,
    Rows,
    ServiceHouse,
    eventually,
    prepare_schema,
)
from wire import headers, topics

SERVICE = "round_archive"

Frame = tuple[str, bytes, int]
"""A table, the bytes of an event, and when the gateway received it."""
Delivered = Callable[[KafkaError | None, Message], None]


def prepare(database: Database) -> None:
    prepare_schema(SERVICE, database)


class House(ServiceHouse):
    """Topics, a database, and the archive's process over them."""

    def __init__(
        self, folder: Path, broker: Broker, database: Database, **environment: str
    ) -> None:
        sizes = dict.fromkeys(
            (topics.TABLE_EVENTS, topics.SETTLED_ROUNDS, topics.FINDINGS), PARTITIONS
        )
        sizes |= {topics.CATALOGUE: 1, topics.DEAD_LETTERS: 1}
        super().__init__(SERVICE, folder, broker, database, sizes=sizes, environment=environment)
        self._settling: Settler | None = None
        self._ends = dict.fromkeys(range(PARTITIONS), 0)

    # Those who ask --------------------------------------------------------------------

    @asynccontextmanager
    async def stub(self, kind: str = "operator", name: str = "test") -> AsyncIterator[Any]:
        async with self.channel(kind, name) as channel:
            yield SettlementServiceStub(channel)

    async def indexed(self) -> None:
        """Until the index has all that was said by now."""
        async with self.stub() as stub:
            deadline = time.monotonic() + SECONDS_MAX
            while (await stub.GetStatus(GetStatusRequest())).index_lag:
                assert time.monotonic() < deadline, "the index does not catch up"
                await asyncio.sleep(0.05)

    def dump(self) -> Rows:
        """The whole index."""
        return self.rows_of(
            "rounds", "round_versions", "findings", "dead_letters", "definitions", "counts"
        )

    # What settlement says -------------------------------------------------------------

    def settle(self, frames: Sequence[Frame]) -> None:
        """Events into the log, and what settlement's own code makes of them, in one transaction."""
        if self._settling is None:
            self._settling = Settler(FILED, refold_max=10**9, topic_of=self.topic)
            for partition in range(PARTITIONS):
                self._settling.open(partition)
        inputs = []
        for table, data, ingested_at in frames:
            partition = partition_of(table.encode(), PARTITIONS)
            known: Headers = [
                (headers.INGESTED_AT, headers.write_ingested_at(ingested_at)),
                ("traceparent", f"00-{len(data):032x}-{'1' * 16}-01"),
            ]
            inputs.append(
                InputMessage(partition, self._ends[partition], table.encode(), data, known)
            )
            self._ends[partition] += 1
        producer = make_producer(producer_configuration(self.broker.bootstrap))
        for each in inputs:
            _produce(
                producer,
                Output(
                    self.topic(topics.TABLE_EVENTS), each.value, each.key, each.partition,
                    each.headers,
                ),
            )  # fmt: skip
        assert producer.flush(SECONDS_MAX) == 0
        outputs = [
            each
            for each in self._settling.settle(inputs)
            if each.topic != self.topic(topics.TABLE_SNAPSHOTS)
        ]
        self.say(outputs)

    def say(self, outputs: Iterable[Output]) -> None:
        """As settlement does: in a transaction. Who reads what is committed has it afterwards: that
        a transaction is committed is told before every partition knows."""
        name = self.broker.name("settlement")
        producer = make_producer(
            transactional_configuration(self.broker.bootstrap, transactional_id=name)
        )
        producer.init_transactions(SECONDS_MAX)
        producer.begin_transaction()
        last: dict[TopicPartition, int] = {}

        def remember(_: KafkaError | None, said: Message) -> None:
            last[TopicPartition(str(said.topic()), said.partition() or 0)] = said.offset() or 0

        for output in outputs:
            _produce(producer, output, remember)
        # A commit alone may leave reports of delivery unread.
        assert producer.flush(SECONDS_MAX) == 0
        producer.commit_transaction(SECONDS_MAX)
        eventually(lambda: self._are_committed(last))

    def _are_committed(self, last: Mapping[TopicPartition, int]) -> bool:
        latest = cast(OffsetSpec, OffsetSpec.latest())  # type: ignore[no-untyped-call]
        asked = dict.fromkeys(last, latest)
        ends = self.broker.admin.list_offsets(
            asked, isolation_level=IsolationLevel.READ_COMMITTED, request_timeout=SECONDS_MAX
        )
        return all(ends[each].result().offset > offset for each, offset in last.items())

    def say_round(self, said: SettledRound, *, offset: int | None = None) -> None:
        value = said.SerializeToString(deterministic=True)
        self.say([self._output(topics.SETTLED_ROUNDS, said.table_id, value, offset)])

    def say_finding(self, said: Finding | Withdrawal, *, offset: int | None = None) -> None:
        record = (
            SettlementRecord(finding=said)
            if isinstance(said, Finding)
            else SettlementRecord(withdrawal=said)
        )
        value = record.SerializeToString(deterministic=True)
        self.say([self._output(topics.FINDINGS, said.table_id, value, offset)])

    def _output(self, topic: str, table: str, value: bytes, offset: int | None) -> Output:
        known: Headers = []
        if offset is not None:
            partition = partition_of(table.encode(), PARTITIONS)
            known = [
                (headers.SOURCE_TOPIC, self.topic(topics.TABLE_EVENTS).encode()),
                (headers.SOURCE_PARTITION, b"%d" % partition),
                (headers.SOURCE_OFFSET, b"%d" % offset),
            ]
        return Output(self.topic(topic), value, table.encode(), headers=known)


def _produce(producer: Producer, output: Output, on_delivery: Delivered | None = None) -> None:
    topic, value, key, partition, known = output
    producer.produce(topic, value, key, partition, headers=known, on_delivery=on_delivery)
    producer.poll(0)
