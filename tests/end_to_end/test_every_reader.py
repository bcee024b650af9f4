"""What settlement can say, every reader can read: no finding or round is refused by anybody.

A short day of one table is altered as no device should: texts with zero bytes and controls, longest
names, largest amounts, times of broken clocks. Whatever settlement says of it is given to the
ledger, the archive, surveillance, and what surveillance tells of it to the alert desk.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple, cast

import msgspec
import psycopg
import pytest
from confluent_kafka import Message
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from alert_desk.kafka.projection import AlertProjection
from alerting.alert import Alert
from alerting.settings import DEFAULTS
from blackjack.facts import Event
from blackjack.findings import Finding, Withdrawal
from blackjack.rulebook.rule_set import FILED
from round_archive.kafka.decoder import read_finding, read_round
from round_archive.postgres import index_writer
from runtime.database.connection import session
from runtime.metrics import Metrics
from runtime.positions import OffsetRange
from surveillance.domain.detection import SubjectState, watch
from surveillance.domain.facts import JudgedRound, RoutableFact
from surveillance.domain.routing import sort
from surveillance.domain.sightings import SourcedSighting
from table_simulator.domain.games import GAMES
from table_simulator.domain.specs import specs
from tests.accounting.books import CALENDAR, Books, Log, Said
from tests.settlement.streams import bad_day
from tests.stack.databases import Databases
from tests.stack.houses import template_of
from tests.stack.service_house import urls_of
from wire import Unwritable, decode_event, encode_event, topics
from wire.alerts import encode_alert
from wire.settlement import decode_record, decode_round

SAID = (topics.SETTLED_ROUNDS, topics.FINDINGS)
STREAMS = [
    [decode_event(each) for each in bad_day(seed=seed, spec=specs(game)[0], rounds=3, table="T")]
    for seed, game in enumerate(GAMES)
]
TEXTS = ("", "\0", "a\0b", "\x01\x1b\x7f\r\n\t", "x" * 256, "\N{MUSICAL SYMBOL G CLEF}" * 256,
         "<b>&amp;'\"--%s{}", "\u2028\u200f\ufffe", "\ud7ff\ue000")  # fmt: skip
NUMBERS = (0, 1, -1, 10**11, 10**11 + 1, 2**31, 2**32 - 1, 2**53, 2**63 - 1, -(2**63))
TIMES = (1_000_000, 946_684_799_999_999, 4_102_444_800_000_000, 253_402_300_799_999_999)


class Change(NamedTuple):
    """Of one event of a stream: which field, among those of a kind, becomes what."""

    event: int
    field: int
    value: str | int


changes = st.lists(
    st.builds(
        Change,
        st.integers(0, 500),
        st.integers(0, 20),
        st.sampled_from(TEXTS) | st.sampled_from(NUMBERS),
    ),
    max_size=40,
)
clocks = st.lists(st.tuples(st.integers(0, 500), st.sampled_from(TIMES)), max_size=4)


def altered(stream: Sequence[Event], told: Sequence[Change]) -> Iterator[Event]:
    by_event = {each.event % len(stream): each for each in told}
    for number, event in enumerate(stream):
        change = by_event.get(number)
        fact = event.fact
        if change is not None:
            kind = type(change.value)
            names = [each.name for each in msgspec.structs.fields(fact) if each.type is kind]
            if names:
                fact = replace(fact, **{names[change.field % len(names)]: change.value})
        yield replace(event, fact=fact, previous=b"")


class Readers:
    """Everybody who reads what settlement says, on tables of their own."""

    def __init__(self, databases: Databases) -> None:
        made = {
            name: databases.make(template_of(databases, name))
            for name in ("accounting", "round_archive", "alert_desk")
        }
        self.log = Log(partitions=1)
        self.books = Books(made["accounting"])
        self.archive, self.desk = (
            psycopg.connect(
                session(urls_of(name, made[name].url)[0], service=name, statement_seconds_max=60),
                autocommit=True,
            )
            for name in ("round_archive", "alert_desk")
        )
        self.tables = AlertProjection(Metrics("alert_desk", version="0"), lambda: 0)
        self._read: dict[str, int] = {}
        self._alerts = 0

    def close(self) -> None:
        self.books.close()
        self.archive.close()
        self.desk.close()

    def news(self) -> list[Said]:
        """What was said since it was last asked."""
        found: list[Said] = []
        for name in SAID:
            said = self.log.of.get((name, 0), [])
            found += said[self._read.get(name, 0) :]
            self._read[name] = len(said)
        return found

    def post(self, said: Sequence[Said]) -> None:
        self.books.take(said)
        assert self.books.rows("refusals") == []

    def index(self, said: Sequence[Said]) -> None:
        entries = index_writer.IndexBatch()
        for each in said:
            message = cast(Message, each)
            if each.topic_name == topics.SETTLED_ROUNDS:
                entries.rounds.append(read_round(message))
            else:
                entries.findings.append(read_finding(message))
        assert index_writer.write(self.archive, entries, ()) == 0

    def watch(self, said: Sequence[Said]) -> list[Alert]:
        states: dict[str, SubjectState | None] = {}
        told: dict[str, Alert] = {}
        for each in said:
            seen = sort(fact_of(each), day_of=lambda at: CALENDAR.day_of(at).isoformat())
            for ordinal, one in enumerate(seen):
                placed = SourcedSighting(each.topic_name, each.at, ordinal, one)
                states[one.subject], alerts = watch(states.get(one.subject), placed, DEFAULTS)
                told |= {alert.id: alert for alert in alerts}
        return list(told.values())

    def list(self, alerts: Sequence[Alert]) -> None:
        said = []
        for alert in alerts:
            key = alert.id
            said.append(Said(topics.ALERTS, 0, self._alerts, encode_alert(alert), key.encode()))
            self._alerts += 1
        if said:
            reading = OffsetRange(topics.ALERTS, 0, said[0].at, self._alerts)
            self.tables.take(self.desk, cast(Sequence[Message], said), [reading])
        assert self.desk.execute("SELECT * FROM unreadable").fetchall() == []


def fact_of(said: Said) -> RoutableFact:
    if said.topic_name == topics.SETTLED_ROUNDS:
        settled = decode_round(said.body)
        return JudgedRound(settled, FILED.get(settled.context.rule_set))
    record = decode_record(said.body)
    assert isinstance(record, Finding | Withdrawal)
    return record


@pytest.fixture(scope="module")
def readers(databases: Databases) -> Iterator[Readers]:
    found = Readers(databases)
    yield found
    found.close()


numbers = itertools.count()
EXAMPLES = max(1, settings().max_examples // 4)  # each is a day through three databases


@settings(max_examples=EXAMPLES)
@given(
    stream=st.sampled_from(STREAMS),
    told=changes,
    wrong=clocks,
    name=st.sampled_from(TEXTS),
    has_gateway=st.booleans(),
)
def test_nobody_refuses_what_settlement_says(
    readers: Readers,
    stream: list[Event],
    told: list[Change],
    wrong: list[tuple[int, int]],
    name: str,
    has_gateway: bool,
) -> None:
    table = f"{next(numbers)}{name}"[:256]
    times = {number % len(stream): at for number, at in wrong}
    for number, event in enumerate(altered(stream, told)):
        at = times.get(number, event.at)
        with suppress(Unwritable):
            data = encode_event(replace(event, table=table, at=at))
            readers.log.report(table, data, event.at if has_gateway else 0)
    said = readers.news()
    assert said
    readers.post(said)
    readers.index(said)
    readers.list(readers.watch(said))
