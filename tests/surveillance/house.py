"""A house on a real broker: what is said of a day, workers over it, and what must come out.

What must come out is folded here from the same topics, without a worker and without Faust.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import Self, TypeVar

import msgspec
from confluent_kafka import Consumer, Message, Producer, TopicPartition
from msgspec.structs import replace

from alerting.alert import Alert, AlertState
from alerting.office_facts import DeadLetter
from alerting.settings import DEFAULTS, ExclusionLifted, PatronExcluded
from blackjack.facts import Event, RuleSetActivated
from blackjack.findings import Finding, Withdrawal
from blackjack.play.table import Table, fold
from blackjack.rulebook.rule_set import FILED, Catalogue, NotFiled, RuleSet, compose
from property_calendar.settings import PropertySettings
from provisioning.kafka.topics import ensure_topics, named_topics
from runtime.kafka.configuration import (
    make_producer,
    producer_configuration,
    transactional_configuration,
)
from runtime.kafka.records import Headers, header
from settlement.kafka.settler import records_of
from surveillance.domain.detection import SubjectState, watch
from surveillance.domain.facts import JudgedRound, RoutableFact
from surveillance.domain.routing import sort
from surveillance.domain.sightings import SourcedSighting, SubjectSighting
from surveillance.domain.table_activity import ActivityTracker
from surveillance.kafka.faust_app import GROUP, SIEVE
from tests.settlement.floor import Floor, Frame, Process, eventually
from tests.stack.broker import Broker
from wire import NotAnEvent, decode_event, headers, topics
from wire.alerts import decode_alert
from wire.errors import WireError
from wire.headers import INGESTED_AT, read_ingested_at, write_ingested_at
from wire.office_facts import decode_cage_fact, decode_desk_fact
from wire.setting_changes import decode_change
from wire.settlement import decode_record, decode_round

OFFICES = (topics.PROMOTION_EVENTS, topics.CAGE_EVENTS, topics.SURVEILLANCE_SETTINGS)
SAID = (topics.FINDINGS, topics.SETTLED_ROUNDS)
PLACE = (headers.SOURCE_TOPIC, headers.SOURCE_PARTITION, headers.SOURCE_OFFSET)
T = TypeVar("T")
_DECODE = msgspec.msgpack.Decoder(SubjectState).decode
Record = tuple[str, bytes, bytes]
"""A topic, a key and a value."""
Standing = dict[str, Alert]
"""The alerts that stand, by id, without their numbering."""


class House(Floor):
    """Every topic of ours, as large as in service."""

    inputs = (*OFFICES, topics.DEAD_LETTERS, topics.TABLE_EVENTS, *SAID)

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self.prefix = broker.prefix
        self.sent: list[Frame] = []
        broker._made += ensure_topics(broker.admin, named_topics(self.prefix)).created

    def worker(self, name: str = "0", *, module: str = "surveillance", **settings: str) -> Process:
        return Process(self, name, module, settings)

    def settle(self, frames: Sequence[Frame], *, seed: int = 0) -> list[Record]:
        """What settlement makes of these events, table by table taking turns."""
        streams: dict[str, list[Frame]] = {}
        for frame in frames:
            streams.setdefault(frame[0], []).append(frame)
        said: list[list[Record]] = []
        for table, stream in streams.items():
            events = [decode_event(data, ingested_at=at) for _, data, at in stream]
            steps = fold(Table.new(table), events)[1]
            said.append(
                [
                    (name, table.encode(), value)
                    for step in steps
                    for name, value, _ in records_of(step)
                ]
            )
        return list(_in_turn(said, Random(seed)))

    def fill(self, frames: Sequence[Frame]) -> None:
        self.send(frames)
        self.say(self.settle(frames))

    def say(self, records: Iterable[Record], *, batch: int = 50) -> None:
        """In transactions, as settlement does; and before each, one that comes to nothing."""
        producer = self._transactional("settling")
        waiting = list(records)
        while waiting:
            some, waiting = waiting[:batch], waiting[batch:]
            producer.begin_transaction()
            self._produce(producer, some[-3:])
            producer.flush(30)
            producer.abort_transaction(30)
            producer.begin_transaction()
            self._produce(producer, some)
            producer.commit_transaction(30)

    def leave_open(self, name: str, value: bytes) -> Producer:
        """In a transaction that is neither committed nor aborted while the producer is there."""
        producer = self._transactional("open", seconds_max=300)
        producer.begin_transaction()
        producer.produce(self.topic(name), value, b"k", 0)
        assert producer.flush(30) == 0
        return producer

    def rebuild(self) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "surveillance.kafka.rebuild"]
        return subprocess.run(
            [*command, "--author", "a test", "--reason", "to see whether it is the same"],
            env=os.environ
            | {"KAFKA_BOOTSTRAP": self.broker.bootstrap, "TOPIC_PREFIX": self.prefix},
            capture_output=True,
            text=True,
            check=False,
        )

    def is_done(self) -> bool:
        """Whether all that is there was read, and its reading was committed."""
        return all(self._done(group, self.topic(name)) for group, name in self._read_by())

    def is_deserted(self) -> bool:
        """Whether the brokers know of no worker any more."""
        groups = sorted({group for group, _ in self._read_by()})
        asked = self.broker.admin.describe_consumer_groups(groups)
        return not any(each.result(30).members for each in asked.values())

    def set_aside(self) -> dict[tuple[str, int, int], str]:
        """What became dead letters of surveillance: where it came from, and the code."""
        found = {}
        for message in self.read(topics.DEAD_LETTERS):
            if header(message, headers.CODE) is not None:
                source = (headers.SOURCE_TOPIC, headers.SOURCE_PARTITION, headers.SOURCE_OFFSET)
                topic, partition, offset = (
                    (header(message, each) or b"").decode() for each in source
                )
                code = (header(message, headers.CODE) or b"").decode()
                found[topic, int(partition), int(offset)] = code
        return found

    def _read_by(self) -> Iterator[tuple[str, str]]:
        yield f"{self.prefix}{GROUP}-{SIEVE}", topics.TABLE_EVENTS
        for name in (*self.inputs, topics.SURVEILLANCE_SIGHTINGS):
            if name != topics.TABLE_EVENTS:
                yield self.prefix + GROUP, name

    def _done(self, group: str, topic: str) -> bool:
        """A mark of a transaction behind the last message is nobody's to commit."""
        reader = Consumer({"bootstrap.servers": self.broker.bootstrap, "group.id": group})
        try:
            last: dict[int, int] = {}
            for message in self.broker.read(topic):
                last[message.partition() or 0] = message.offset() or 0
            asked = [TopicPartition(topic, each) for each in last]
            done = reader.committed(asked, timeout=30) if asked else []
            return all(each.offset > last[each.partition] for each in done)
        finally:
            reader.close()

    def _transactional(self, name: str, *, seconds_max: float = 10) -> Producer:
        configuration = transactional_configuration(
            self.broker.bootstrap, transactional_id=self.prefix + name
        )
        limit = {"transaction.timeout.ms": int(seconds_max * 1_000)}
        producer = make_producer(configuration | limit)
        producer.init_transactions(30)
        return producer

    def _produce(self, producer: Producer, records: Iterable[Record]) -> None:
        for topic, key, value in records:
            producer.produce(self.topic(topic), value, key)

    def alerts(self) -> list[Alert]:
        """All that was told, in order for each alert."""
        return [decode_alert(each.value() or b"") for each in self.read(topics.ALERTS)]

    def standing(self, *, generation: int = 0) -> Standing:
        return standing(each for each in self.alerts() if each.generation == generation)

    def expected(self) -> Standing:  # type: ignore[override]
        """The same topics, one after the other, folded subject by subject."""
        states: dict[str, SubjectState | None] = {}
        told: list[Alert] = []
        for placed in self.sightings(self.rules()):
            subject = placed.seen.subject
            states[subject], alerts = watch(states.get(subject), placed, DEFAULTS)
            told += alerts
        return standing(told)

    def rules(self) -> Catalogue:
        """All that is filed, and all that tables brought along."""
        brought: list[RuleSet] = []
        for message in self.read(topics.TABLE_EVENTS):
            event = event_of(message)
            fact = None if event is None else event.fact
            if isinstance(fact, RuleSetActivated) and fact.definition is not None:
                with suppress(NotFiled):
                    brought.append(compose(fact.definition))
        return FILED.with_(*brought)

    def sightings(self, rules: Catalogue) -> Iterator[SourcedSighting]:
        hearings: dict[int | None, ActivityTracker] = {}
        for message in self.read(topics.TABLE_EVENTS):
            if (event := event_of(message)) is not None:
                hearing = hearings.setdefault(message.partition(), ActivityTracker())
                seen = (*sort(event, day_of=day_of), *hearing.hear(event))
                yield from placed(topics.TABLE_EVENTS, message, seen)
        for name in OFFICES + SAID:
            for message in self.read(name):
                if (fact := fact_of(name, message.value() or b"", rules)) is not None:
                    yield from placed(name, message, sort(fact, day_of=day_of))
        for message in self.read(topics.DEAD_LETTERS):
            yield from placed(topics.DEAD_LETTERS, message, sort(letter_of(message), day_of=day_of))

    def states_never_go_back(self) -> bool:
        """Whether of every subject each state in the changelog has seen what the one before had."""
        seen: dict[bytes, dict[str, tuple[int, int]]] = {}
        for message in self.read(topics.SURVEILLANCE_STATES):
            key, value = message.key(), message.value()
            assert isinstance(key, bytes)
            assert isinstance(value, bytes)
            before, now = seen.get(key, {}), _DECODE(value).seen
            if any(now.get(source, (-1, -1)) < position for source, position in before.items()):
                return False
            seen[key] = now
        return bool(seen)

    def agrees(self, *, seconds_max: float = 60.0) -> None:
        """Until what stands is what must, by all that is there by then."""
        eventually(lambda: self.standing() == self.expected(), seconds_max=seconds_max)
        assert self.standing()


class Telling:
    """Says a day bit by bit, as settlement does, whatever becomes of workers and brokers."""

    def __init__(self, house: House, frames: Sequence[Frame], *, seconds: float) -> None:
        self._house = house
        self._frames = frames
        self._records = house.settle(frames)
        self._seconds = seconds
        self._thread = threading.Thread(target=self._tell)
        self._failed: BaseException | None = None

    def _tell(self) -> None:
        steps = 20
        producer = make_producer(producer_configuration(self._house.broker.bootstrap))
        events = self._house.topic(topics.TABLE_EVENTS)
        try:
            for step in range(steps):
                for table, data, at in part_of(self._frames, step, steps):
                    known: Headers = [(INGESTED_AT, write_ingested_at(at))]
                    producer.produce(events, data, table.encode(), headers=known)
                for topic, key, value in part_of(self._records, step, steps):
                    producer.produce(self._house.topic(topic), value, key)
                assert producer.flush(120) == 0
                time.sleep(self._seconds / steps)
        except BaseException as failed:
            self._failed = failed

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join()
        assert self._failed is None


def part_of(things: Sequence[T], step: int, steps: int) -> Sequence[T]:
    size = -(-len(things) // steps)
    return things[step * size : (step + 1) * size]


def placed(
    name: str, message: Message, seen: Iterable[SubjectSighting]
) -> Iterator[SourcedSighting]:
    source = f"{name}/{message.partition()}"
    for ordinal, each in enumerate(seen):
        yield SourcedSighting(source, message.offset() or 0, ordinal, each)


def event_of(message: Message) -> Event | None:
    ingested_at = read_ingested_at(header(message, INGESTED_AT))
    with suppress(NotAnEvent):
        return decode_event(message.value() or b"", ingested_at=ingested_at)
    return None


def letter_of(message: Message) -> DeadLetter:
    return DeadLetter(
        at=message.timestamp()[1] * 1_000,
        code=(header(message, headers.CODE) or b"").decode(),
        reason=(header(message, headers.REASON) or b"").decode(),
        id=f"{message.partition()}/{message.offset()}",
        topic=_said(message, headers.SOURCE_TOPIC),
        origin="/".join(_said(message, name) for name in PLACE),
    )


def _said(message: Message, name: str) -> str:
    return (header(message, name) or b"").decode()


def fact_of(name: str, value: bytes, rules: Catalogue) -> RoutableFact | None:
    with suppress(WireError):
        match name:
            case topics.PROMOTION_EVENTS:
                return decode_desk_fact(value)
            case topics.CAGE_EVENTS:
                return decode_cage_fact(value)
            case topics.SURVEILLANCE_SETTINGS:
                setting = decode_change(value).setting
                return setting if isinstance(setting, PatronExcluded | ExclusionLifted) else None
            case topics.SETTLED_ROUNDS:
                settled = decode_round(value)
                return JudgedRound(settled, rules.get(settled.context.rule_set))
            case _:
                record = decode_record(value)
                assert isinstance(record, Finding | Withdrawal)
                return record
    return None


def day_of(at: int) -> str:
    return PropertySettings.from_environment().calendar.day_of(at).isoformat()


def standing(told: Iterable[Alert]) -> Standing:
    last: dict[str, Alert] = {}
    for alert in told:
        known = last.get(alert.id)
        if known is None or alert.revision >= known.revision:
            last[alert.id] = alert
    return {
        name: replace(alert, revision=0, generation=0)
        for name, alert in last.items()
        if alert.state is AlertState.STANDING
    }


def _in_turn(streams: list[list[Record]], rng: Random) -> Iterator[Record]:
    waiting = [stream[::-1] for stream in streams if stream]
    while waiting:
        stream = rng.choice(waiting)
        yield stream.pop()
        waiting = [each for each in waiting if each]
