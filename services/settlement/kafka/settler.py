"""Messages in, messages out: the codecs around the tables of the partitions that are ours.

Rounds and findings are keyed by table, and their bytes depend on the table's events alone;
where those stood, and their trace, travels in headers. Nothing that comes in stops the others:
bytes that are no event become a dead letter with the reason, and so do the events of a table
that is quarantined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec import Struct

from blackjack.findings import Finding, Withdrawal
from blackjack.outcomes import Step
from blackjack.rulebook.rule_set import Catalogue
from runtime import logs
from runtime.kafka.partitioner import partition_of
from runtime.kafka.records import Headers, Output
from runtime.tracing import TRACEPARENT
from settlement.domain.partition_tables import QUARANTINED, PartitionTables, PlacedEvent, TableEntry
from settlement.kafka.snapshot_records import (
    DamagedSnapshot,
    ahead_key,
    encode_ahead,
    encode_entry,
    entry_key,
)
from wire import NotAnEvent, decode_event, headers, topics
from wire.dead_letters import MISPLACED, UNREADABLE, dead_letter
from wire.errors import Misplaced
from wire.settlement import encode_record, encode_round
from wire.text_limits import NAME_MAX

NOT_SETTLED: Final = "not_settled"
"""The code of an event that no codec of ours got through: a mistake of ours."""
_NO_KEY: Final = "the message has no key, which names the table"
_NO_TABLE: Final = "the key is no text, or too long a one, and names no table"
TABLE_BYTES_MAX: Final = 4 * NAME_MAX
"""Of a key: a name's letters have up to four bytes each."""
OUTPUT_BYTES_MAX: Final = topics.MESSAGE_BYTES_MAX - 64 * 1024
"""Of a value, with room for its key, its headers and what the protocol puts around it."""
HEADERS_MAX: Final = 16
"""Of those that a message came with, how many its dead letter keeps. The gateway writes three."""
_log = logs.logger(__name__)


@lru_cache(maxsize=10_000)
def _home(table: str, partitions: int) -> int:
    return partition_of(table.encode(), partitions)


class OutputRecord(NamedTuple):
    """What is to be written to a topic; `found` is what the bytes of a finding say."""

    topic: str
    value: bytes
    found: Finding | Withdrawal | None = None


class FindingOutput(Output):
    """The message of a finding or withdrawal, which the log and the metrics need not decode."""

    found: Finding | Withdrawal


class NotInPlace(NotAnEvent):
    """No event of this partition."""


class NotSettled(NotAnEvent):
    """Bytes on which a codec failed, other than by refusing them."""


class RecordTooLarge(Exception):
    """A record that no broker would take: it cannot be told, which breaks its table."""

    def __init__(self, topic: str, size: int) -> None:
        self.topic = topic
        self.size = size
        super().__init__(f"{size} bytes for {topic} are more than the {OUTPUT_BYTES_MAX} it takes")


class InputMessage(Struct, frozen=True, gc=False):
    """One message of a partition of table events."""

    partition: int
    offset: int
    key: bytes | None
    value: bytes
    headers: Headers

    def header(self, name: str) -> bytes | None:
        for key, value in self.headers:
            if key == name:
                return value.encode() if isinstance(value, str) else value
        return None


class Settler:
    """The tables of the partitions that are ours, and what a batch of events makes of them."""

    def __init__(
        self,
        catalogue: Catalogue,
        *,
        refold_max: int,
        topic_of: Callable[[str], str] = str,
        snapshot_partitions: int = 1,
        partitions: int = 1,
    ) -> None:
        self.pits: dict[int, PartitionTables[list[OutputRecord]]] = {}
        self.catalogue = catalogue
        self._refold_max = refold_max
        self._topic_of = topic_of
        self._snapshot_partitions = snapshot_partitions
        self.partitions = partitions
        """How many table events have."""
        self._begun: set[int] = set()
        """Partitions of which our own `Ahead` is written down."""
        self._unlearned = False
        """Whether tables may wait for what the catalogue has."""
        self._withheld: dict[int, list[Output]] = {}
        """What tables have to say whose quarantine was lifted, by partition."""

    def open(self, partition: int, *, end: int = 0) -> PartitionTables[list[OutputRecord]]:
        """A partition becomes ours from this offset on, with no table yet."""
        pit: PartitionTables[list[OutputRecord]] = PartitionTables(
            self.catalogue, records_of, end=end
        )
        self.pits[partition] = pit
        self._unlearned = True
        return pit

    def close(self, partition: int) -> None:
        self.pits.pop(partition, None)
        self._begun.discard(partition)
        self._withheld.pop(partition, None)

    def release(self, partition: int, name: str, held: TableEntry, withheld: list[Output]) -> None:
        """A table leaves its quarantine; what was withheld is said with what comes next."""
        held.urgent = True
        self.pits[partition].tables[name] = held
        self._withheld.setdefault(partition, []).extend(withheld)

    def learn(self, catalogue: Catalogue) -> None:
        """More is known; what that changes is said with the next batch."""
        self.catalogue = catalogue
        self._unlearned = True

    def settle(self, batch: Iterable[InputMessage]) -> Iterator[Output]:
        """What a batch brings forth; the tables are those after it once all of it is taken.

        An empty batch says what there is to say without an event: what was withheld, and what
        definitions changed. There is none, as a rule.
        """
        sender = set(self._withheld)
        for outputs in self._withheld.values():
            yield from outputs
        self._withheld.clear()
        if self._unlearned:
            for partition, pit in self.pits.items():
                for table, records in pit.learn(self.catalogue):
                    yield from self.unprompted(table, records)
                if any(held.urgent for held in pit.tables.values()):
                    sender.add(partition)
            self._unlearned = False
        by_key: dict[tuple[int, bytes | None], list[PlacedEvent]] = {}
        inputs: dict[int, dict[int, InputMessage]] = {}
        """Each by its partition and offset."""
        for message in batch:
            partition = message.partition
            of_partition = inputs.get(partition)
            if of_partition is None:
                of_partition = inputs[partition] = {}
            of_partition[message.offset] = message
            place = partition, message.key
            of_key = by_key.get(place)
            try:
                if of_key is None:
                    # before its event is looked at, and once for all of a key
                    self._check_place(named(message.key), partition)
                placed = read_event(message)
            except NotAnEvent as rejected:
                yield self._reject(message, rejected)
                continue
            if of_key is None:
                of_key = by_key[place] = []
            of_key.append(placed)
        for (partition, key), events in by_key.items():
            table = named(key)
            said, rejected_events = self.pits[partition].fold(table, events)
            for offset, records in said:
                yield from self.outputs(table, records, inputs[partition][offset])
            for offset, reason in rejected_events:
                if reason != QUARANTINED:
                    _log.error("table is quarantined", table=table, offset=offset, reason=reason)
                yield self._dead_letter(inputs[partition][offset], QUARANTINED, reason)
        for partition, of_partition in inputs.items():
            self.pits[partition].end = next(reversed(of_partition)) + 1
        for partition in inputs.keys() | sender:
            yield from self._write_down(partition)

    def read(self, message: InputMessage) -> tuple[str, PlacedEvent]:
        """The table whose stream the message is in, by its key, and the event."""
        table = named(message.key)
        self._check_place(table, message.partition)
        return table, read_event(message)

    def _check_place(self, table: str, partition: int) -> None:
        """A copy in another partition would be a second table of that name."""
        home = _home(table, self.partitions)
        if home != partition and self.partitions > 1:
            raise NotInPlace(Misplaced(partition, home).reason)

    def _reject(self, source: InputMessage, rejected: NotAnEvent) -> Output:
        match rejected:
            case NotInPlace():
                code = MISPLACED
            case NotSettled():
                code = NOT_SETTLED
                where = {"partition": source.partition, "offset": source.offset}
                _log.error("event not settled", **where, reason=rejected.reason)
            case _:
                code = UNREADABLE
        return self._dead_letter(source, code, f"{code}: {rejected.reason}")

    def replace_damaged(self, partition: int, damaged: DamagedSnapshot) -> None:
        """A damaged or foreign snapshot becomes a dead letter, and is written over."""
        where, offset, key, value, _ = damaged.snapshot
        topic = self._topic_of(topics.TABLE_SNAPSHOTS)
        kept = dead_letter(
            topic=topic, partition=where, offset=offset, key=key, value=value,
            code=UNREADABLE, reason=f"{UNREADABLE}: {damaged.reason}",
        )  # fmt: skip
        said = self._withheld.setdefault(partition, [])
        dead_letters = self._topic_of(topics.DEAD_LETTERS)
        said.append(Output(dead_letters, kept.value, kept.key, headers=kept.headers))
        if not damaged.is_table:
            said.append(Output(topic, None, key, where))
            return
        held = self.pits[partition].tables.get(key.partition(b"/")[2].decode())
        if held is not None:
            held.urgent = True
        elif b"/" in key:
            said.append(Output(topic, None, key, where))

    def outputs(
        self, table: str, records: list[OutputRecord], cause: InputMessage
    ) -> Iterator[Output]:
        """What a table says because of an event."""
        known = self._source(cause.partition, cause.offset)
        for name in (headers.INGESTED_AT, TRACEPARENT):
            if (value := cause.header(name)) is not None and len(value) <= headers.BYTES_MAX:
                known.append((name, value))
        yield from self._outputs(table, records, known)

    def unprompted(self, table: str, records: list[OutputRecord]) -> Iterator[Output]:
        """What a table says because of a definition, and no event."""
        yield from self._outputs(table, records, None)

    def _outputs(
        self, table: str, records: list[OutputRecord], known: Headers | None
    ) -> Iterator[Output]:
        key = table.encode()
        for topic, value, found in records:
            if found is None:
                yield Output(self._topic_of(topic), value, key, headers=known)
            else:
                output = FindingOutput(self._topic_of(topic), value, key, headers=known)
                output.found = found
                yield output

    def _dead_letter(self, source: InputMessage, code: str, reason: str) -> Output:
        """As much of it as is kept; `length` and the digest tell of the whole."""
        value, key, known = dead_letter(
            topic=self._topic_of(topics.TABLE_EVENTS),
            partition=source.partition,
            offset=source.offset,
            key=source.key,
            value=source.value,
            code=code,
            reason=reason,
            table=table_of(source.key) or "",
        )
        topic = self._topic_of(topics.DEAD_LETTERS)
        return Output(topic, value, key, headers=[*few(source.headers), *known])

    def _source(self, partition: int, offset: int) -> Headers:
        return [
            (headers.SOURCE_TOPIC, self._topic_of(topics.TABLE_EVENTS).encode()),
            (headers.SOURCE_PARTITION, b"%d" % partition),
            (headers.SOURCE_OFFSET, b"%d" % offset),
        ]

    def _write_down(self, partition: int) -> Iterator[Output]:
        pit = self.pits[partition]
        topic = self._topic_of(topics.TABLE_SNAPSHOTS)
        where = partition % self._snapshot_partitions
        known = self._source(partition, max(pit.end - 1, 0))
        if partition not in self._begun:
            yield Output(topic, encode_ahead(self._refold_max), ahead_key(partition), where, known)
            self._begun.add(partition)
        due = pit.due(self._refold_max)
        for name, held in due:
            entry = encode_entry(held, pit.end)
            if len(entry) > OUTPUT_BYTES_MAX:
                if not held.broken:
                    rejected_messages(held, len(entry), pit.end)
                    _log.error("table is quarantined", table=name, reason=held.broken)
                entry = encode_entry(held, pit.end, with_state=False)
            yield Output(topic, entry, entry_key(partition, name), where, known)
        pit.written(name for name, _ in due)


def few(given: Headers) -> Headers:
    """Of headers that anybody may have written, those that a dead letter keeps."""
    kept: Headers = []
    for name, value in given:
        if len(name) + len(value or b"") <= headers.BYTES_MAX and len(kept) < HEADERS_MAX:
            kept.append((name, value))
    return kept


def table_of(key: bytes | None) -> str | None:
    """The table whose stream a message is in, if its key names one."""
    if not key or len(key) > TABLE_BYTES_MAX:
        return None
    try:
        return key.decode()
    except UnicodeDecodeError:
        return None


def named(key: bytes | None) -> str:
    """The table whose stream a message with this key is in; `NotAnEvent` where it names none."""
    table = table_of(key)
    if table is None:
        raise NotAnEvent(_NO_TABLE if key else _NO_KEY)
    return table


def read_event(message: InputMessage) -> PlacedEvent:
    try:
        ingested_at = headers.read_ingested_at(message.header(headers.INGESTED_AT))
        waited_us = headers.read_waited_us(message.header(headers.WAITED_US))
        event = decode_event(message.value, ingested_at=ingested_at, waited_us=waited_us)
    except NotAnEvent:
        raise
    except Exception as failed:  # a mistake of ours, which must not stop the partition
        raise NotSettled(repr(failed)) from failed
    return PlacedEvent(message.offset, event)


def records_of(step: Step) -> list[OutputRecord]:
    """A step as records: first what was found, then the rounds that name it."""
    found: tuple[Finding | Withdrawal, ...] = (*step.findings, *step.withdrawals)
    records = [
        *(OutputRecord(topics.FINDINGS, encode_record(finding), finding) for finding in found),
        *(OutputRecord(topics.SETTLED_ROUNDS, encode_round(settled)) for settled in step.rounds),
    ]
    for topic, value, _ in records:
        if len(value) > OUTPUT_BYTES_MAX:
            raise RecordTooLarge(topic, len(value))
    return records


def rejected_messages(held: TableEntry, state_bytes: int, end: int) -> None:
    """A table whose state cannot be written down: all below `end` is said, and no more is."""
    reason = f"its state has {state_bytes} bytes, more than the {OUTPUT_BYTES_MAX} of a message"
    held.breaks(reason, at=end, withheld_from=end)
