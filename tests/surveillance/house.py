"""A house on a real broker: what is said of a day, workers over it, and what must come out.

What must come out is folded here from the same topics, without a worker and without Faust.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from random import Random

from confluent_kafka import Message, Producer
from msgspec.structs import replace

from alerting.alert import Alert, AlertState
from alerting.settings import DEFAULTS
from blackjack.facts import Event, RuleSetActivated
from blackjack.findings import Finding, Withdrawal
from blackjack.rule_set import FILED, Catalogue, NotFiled, RuleSet, compose
from blackjack.table import Table, fold
from property_calendar.settings import PropertySettings
from provisioning.topics import ensure_topics, named_topics
from runtime.kafka.configuration import make_producer, transactional_configuration
from runtime.kafka.records import header
from settlement.settling import tell
from surveillance.domain.facts import Judged, SortedFact
from surveillance.domain.hearing import Hearing
from surveillance.domain.sightings import Placed, Seen
from surveillance.domain.sorting import sort
from surveillance.domain.watching import SubjectState, watch
from tests.settlement.floor import Floor, Frame, Process, eventually
from tests.stack.broker import Broker
from wire import NotAnEvent, decode_event, topics
from wire.alerts import decode_alert
from wire.errors import WireError
from wire.headers import INGESTED_AT, read_ingested_at
from wire.offices import decode_cage_fact, decode_desk_fact
from wire.settlement import decode_record, decode_round

OFFICES = (topics.PROMOTION_EVENTS, topics.CAGE_EVENTS)
SAID = (topics.FINDINGS, topics.SETTLED_ROUNDS)
Record = tuple[str, bytes, bytes]
"""A topic, a key and a value."""
Standing = dict[str, Alert]
"""The alerts that stand, by id, without their numbering."""


class House(Floor):
    """Every topic of ours, as large as in service."""

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self.prefix = broker.prefix
        self.sent: list[Frame] = []
        broker._made += ensure_topics(broker.admin, named_topics(self.prefix)).made

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
                [(name, table.encode(), value) for step in steps for name, value in tell(step)]
            )
        return list(_in_turn(said, Random(seed)))

    def say(self, records: Iterable[Record], *, batch: int = 50, aborted: bool = True) -> None:
        """In transactions, as settlement does; and before each, one that comes to nothing."""
        name = f"{self.prefix}settling"
        producer = make_producer(
            transactional_configuration(self.broker.bootstrap, transactional_id=name)
        )
        producer.init_transactions(30)
        waiting = list(records)
        while waiting:
            some, waiting = waiting[:batch], waiting[batch:]
            if aborted:
                producer.begin_transaction()
                self._produce(producer, [(topic, key, value) for topic, key, value in some[-3:]])
                producer.flush(30)
                producer.abort_transaction(30)
            producer.begin_transaction()
            self._produce(producer, some)
            producer.commit_transaction(30)

    def _produce(self, producer: Producer, records: Iterable[Record]) -> None:
        for topic, key, value in records:
            producer.produce(self.topic(topic), value, key)

    def alerts(self) -> list[Alert]:
        """All that was told, in order for each alert."""
        return [decode_alert(each.value() or b"") for each in self.read(topics.ALERTS)]

    def standing(self) -> Standing:
        return standing(self.alerts())

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

    def sightings(self, rules: Catalogue) -> Iterator[Placed]:
        hearings: dict[int | None, Hearing] = {}
        for message in self.read(topics.TABLE_EVENTS):
            if (event := event_of(message)) is not None:
                hearing = hearings.setdefault(message.partition(), Hearing())
                seen = (*sort(event, day_of=day_of), *hearing.hear(event))
                yield from placed(topics.TABLE_EVENTS, message, seen)
        for name in OFFICES + SAID:
            for message in self.read(name):
                if (fact := fact_of(name, message.value() or b"", rules)) is not None:
                    yield from placed(name, message, sort(fact, day_of=day_of))

    def agrees(self, *, seconds_max: float = 60.0) -> None:
        """Until what stands is what must; it is never more than that at the end."""
        expected = self.expected()
        assert expected
        eventually(lambda: self.standing() == expected, seconds_max=seconds_max)


def placed(name: str, message: Message, seen: Iterable[Seen]) -> Iterator[Placed]:
    source = f"{name}/{message.partition()}"
    for ordinal, each in enumerate(seen):
        yield Placed(source, message.offset() or 0, ordinal, each)


def event_of(message: Message) -> Event | None:
    ingested_at = read_ingested_at(header(message, INGESTED_AT))
    with suppress(NotAnEvent):
        return decode_event(message.value() or b"", ingested_at=ingested_at)
    return None


def fact_of(name: str, value: bytes, rules: Catalogue) -> SortedFact | None:
    with suppress(WireError):
        match name:
            case topics.PROMOTION_EVENTS:
                return decode_desk_fact(value)
            case topics.CAGE_EVENTS:
                return decode_cage_fact(value)
            case topics.SETTLED_ROUNDS:
                settled = decode_round(value)
                return Judged(settled, rules.get(settled.context.rule_set))
            case _:
                record = decode_record(value)
                assert isinstance(record, Finding | Withdrawal)
                return record
    return None


def day_of(at: int) -> str:
    return PropertySettings().calendar.day_of(at).isoformat()


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


def line_of(process: Process, event: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(process.wait_for(event))
    return found
