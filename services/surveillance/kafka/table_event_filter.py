"""What tables report and surveillance needs, out of very much that it does not: cards.

Faust reads some thousand messages a second, and a floor reports as many; settlement reads a
hundred times that. So this reads the log as settlement does, in a thread, exactly once, and lets
through what is about people, money and papers, and now and then that a table speaks at all. Rule
sets that come along are written down for those who judge rounds by them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Final

from confluent_kafka import Message
from google.protobuf.message import DecodeError

from blackjack.facts import Event, HeartbeatSent, RuleSetActivated
from blackjack.play.clock import is_valid_time
from blackjack.rulebook.rule_set import NotFiled, compose
from casino.table.v1.event_pb2 import TableEvent
from runtime import logs
from runtime.kafka import topic_reader
from runtime.kafka.brokers import Bootstrap
from runtime.kafka.partitioner import partition_of
from runtime.kafka.records import Output, header, offset_of, place_of
from runtime.positions import OffsetRange, Partition, Position
from runtime.tracing import TRACEPARENT
from surveillance.domain.event_routing import TAKEN
from surveillance.domain.routing import DayOf, sort
from surveillance.domain.sightings import SourcedSighting, SubjectSighting
from surveillance.domain.table_activity import ActivityTracker
from surveillance.kafka.pace import Pace
from surveillance.kafka.rejections import NOT_WATCHED
from surveillance.kafka.sighting_records import Sighted, messages
from surveillance.kafka.silence_clock import Listening
from surveillance.metrics import Figures
from wire import NotAnEvent, decode_event, topics
from wire.catalogue import encode_rule_set, rule_set_key
from wire.dead_letters import dead_letter
from wire.events import MEMBERS, time_of_ingest
from wire.headers import INGESTED_AT, KIND, WAITED_US, read_ingested_at, read_kind, read_waited_us

LET_THROUGH: Final = frozenset(MEMBERS[fact] for fact in (*TAKEN, RuleSetActivated))
"""Facts that are read whole, as the contract names them."""
GATHER_SECONDS: Final = 0.2
"""Of a live floor: a transaction costs the brokers as much as all events of that time."""
HEARD_AGAIN: Final = 10_000
"""Messages of a partition before the one to begin with: more than its tables say in the minute
that may not have been told yet."""
HEARD_AGAIN_SECONDS_MAX: Final = 10.0
"""Without a message, because the brokers are away."""
_HEARD_ORDINAL: Final = 1_000
"""Behind what an event itself is sorted into."""
_SOMETHING: Final = HeartbeatSent()
_home = lru_cache(maxsize=10_000)(partition_of)
_log = logs.logger(__name__)


class Sieve:
    """The transform of an exactly-once loop. `listening` is None where time is simulated."""

    def __init__(
        self,
        bootstrap: Bootstrap,
        day_of: DayOf,
        figures: Figures,
        listening: Listening | None,
        pace: Pace,
        *,
        prefix: str,
        ready: Callable[[], None],
    ) -> None:
        self._bootstrap = bootstrap
        self._day_of = day_of
        self._figures = figures
        self._listening = listening
        self._pace = pace
        self._ready = ready
        self._sightings = prefix + topics.SURVEILLANCE_SIGHTINGS
        self._definitions = prefix + topics.SURVEILLANCE_DEFINITIONS
        self._dead_letters = prefix + topics.DEAD_LETTERS
        self._events = prefix + topics.TABLE_EVENTS
        self._partitions = 0
        """How many table events have; not known before the first assignment."""
        self._hearings: dict[int, ActivityTracker] = {}
        self._defined: set[str] = set()

    def assigned(self, positions: Sequence[Position]) -> None:
        """Hears again, in silence, what the last owner of a partition may not have told."""
        self._partitions = topic_reader.count_partitions(self._bootstrap, self._events)
        stretches = [
            OffsetRange(*each.place, max(0, each.offset - HEARD_AGAIN), each.offset)
            for each in positions
        ]
        try:
            for message in topic_reader.read(
                self._bootstrap, stretches, seconds_max=HEARD_AGAIN_SECONDS_MAX
            ):
                self._hear_again(message)
        except topic_reader.ReadingStuck as stuck:
            # Stretches then begin later than they could: that is no reason to end.
            _log.warning("not all is heard again", reason=str(stuck))
        self._ready()

    def revoked(self, partitions: Sequence[Partition]) -> None:
        """A batch may have failed, and what it defined with it."""
        self._defined.clear()
        for each in partitions:
            self._hearings.pop(each.partition, None)
            if self._listening is not None:
                self._listening.forget(each.partition)

    lost = revoked

    def transform(self, given: Sequence[Message]) -> Iterable[Output]:
        sighted: list[Sighted] = []
        first = min(message.timestamp()[1] for message in given)
        self._pace.keep_in_thread(topics.TABLE_EVENTS, first / 1_000)
        for message in given:
            for each in self._sifted(message):
                if isinstance(each, Output):
                    yield each
                else:
                    sighted.append(each)
        if self._listening is not None:
            sighted += self._listening.told(self._rest, given[-1])
        self._figures.sorted(topics.TABLE_EVENTS, len(given))
        yield from messages(self._sightings, sighted)

    def idle(self) -> Sequence[Output]:
        """What there is to say while no event comes."""
        if self._listening is None:
            return ()
        return tuple(messages(self._sightings, self._listening.told(self._rest)))

    def _rest(self, partition: int, table: str) -> Iterable[SubjectSighting]:
        hearing = self._hearings.get(partition)
        return () if hearing is None else hearing.rest(table)

    def _hear_again(self, message: Message) -> None:
        """Only who spoke and when: what was said has been sifted."""
        with suppress(DecodeError, NotAnEvent):
            _check_place(message, self._partitions)
            self._hear(_utterance(message), place_of(message).partition)

    def _hear(self, event: Event, partition: int) -> tuple[SubjectSighting, ...]:
        if self._listening is not None:
            self._listening.heard(partition, event.table)
        hearing = self._hearings.get(partition)
        if hearing is None:
            hearing = self._hearings[partition] = ActivityTracker()
        return hearing.hear(event)

    def _sifted(self, message: Message) -> Iterator[Output | Sighted]:
        try:
            yield from self._read_and_sift(message)
        except (DecodeError, NotAnEvent):
            return  # settlement sets it aside
        except Exception as failed:
            _log.error("not sorted", topic=message.topic(), offset=message.offset(), exc_info=True)
            self._figures.set_aside(topics.TABLE_EVENTS)
            yield self._dead_letter(message, repr(failed))

    def _read_and_sift(self, message: Message) -> Iterator[Output | Sighted]:
        partition = place_of(message).partition
        if self._prolongs_activity(message, partition):
            return
        event = _read(message, self._partitions)
        if isinstance(event.fact, RuleSetActivated):
            yield from self._define(event.fact)
        seen: list[tuple[int, SubjectSighting]] = []
        if event.fact is not _SOMETHING:
            seen += enumerate(sort(event, day_of=self._day_of))
        seen += enumerate(self._hear(event, partition), _HEARD_ORDINAL)
        source = f"{topics.TABLE_EVENTS}/{partition}"
        for ordinal, each in seen:
            trace = (header(message, TRACEPARENT) or b"").decode("ascii", "replace")
            yield Sighted(SourcedSighting(source, offset_of(message), ordinal, each), trace)

    def _prolongs_activity(self, message: Message, partition: int) -> bool:
        """Whether the headers alone show that the event only continues a stretch of activity: a
        card, mostly. It is then not parsed. Without a header of its kind, it is."""
        hearing = self._hearings.get(partition)
        if hearing is None or read_kind(header(message, KIND)) in {"", *LET_THROUGH}:
            return False
        _check_place(message, self._partitions)
        table = (message.key() or b"").decode("utf-8", "replace")
        value = message.value() or b""
        at = read_ingested_at(header(message, INGESTED_AT))
        if not (at and hearing.prolong(table, at, lambda: _seq_of(value))):
            return False
        if self._listening is not None:
            self._listening.heard(partition, table)
        return True

    def _dead_letter(self, message: Message, reason: str) -> Output:
        topic, partition = place_of(message)
        value, key, known = dead_letter(
            topic=topic,
            partition=partition,
            offset=offset_of(message),
            key=message.key(),
            value=message.value(),
            code=NOT_WATCHED,
            reason=reason,
        )
        return Output(self._dead_letters, value, key, headers=known)

    def _define(self, fact: RuleSetActivated) -> Iterator[Output]:
        if fact.definition is None:
            return
        try:
            rules = compose(fact.definition)
        except NotFiled:
            return  # settlement reports it, and judges no round by it
        if rules.hash not in self._defined:
            self._defined.add(rules.hash)
            yield Output(self._definitions, encode_rule_set(rules), rule_set_key(rules.hash))


def _read(message: Message, partitions: int) -> Event:
    """The event; of one that is not let through, only who spoke and when."""
    _check_place(message, partitions)
    value = message.value() or b""
    said = TableEvent.FromString(value)
    if said.table_id.encode() != message.key():
        raise NotAnEvent("another table's")
    if said.WhichOneof("fact") not in LET_THROUGH:
        return _utterance(message, said)
    ingested_at = read_ingested_at(header(message, INGESTED_AT))
    waited_us = read_waited_us(header(message, WAITED_US))
    return decode_event(value, ingested_at=ingested_at, waited_us=waited_us)


def _check_place(message: Message, partitions: int) -> None:
    if _home(message.key() or b"", partitions) != message.partition():
        raise NotAnEvent("a copy in another partition than that of its key")


def _seq_of(value: bytes) -> int:
    """The number of an event that was skipped, where it turns out to end a stretch; else 0."""
    with suppress(DecodeError):
        return TableEvent.FromString(value).table_seq
    return 0


def _utterance(message: Message, said: TableEvent | None = None) -> Event:
    """Who spoke and when, whatever was said."""
    said = TableEvent.FromString(message.value() or b"") if said is None else said
    ingested_at = read_ingested_at(header(message, INGESTED_AT))
    at = said.device_time.seconds * 1_000_000 + said.device_time.nanos // 1_000
    if not (said.table_id and said.table_seq and at > 0):
        raise NotAnEvent("without its place in a stream")
    if not is_valid_time(at):
        at = time_of_ingest(at, ingested_at, 0)
    return Event(said.table_id, said.table_seq, at, _SOMETHING, ingested_at=ingested_at)
