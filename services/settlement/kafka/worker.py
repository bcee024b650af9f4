"""The transform of the exactly-once loop: tables as of the committed offset, then batch by batch.

Snapshots are written less often than outputs, because they are large. Every table is stored at
the latest `refold_max` offsets after it changed; so on assignment the tables are restored, and
the stretch that far behind the committed offset is folded again in silence, into each table
from its own snapshot's offset on. What was said is not said again, and the state is the same.

A snapshot of another engine cannot be restored, and one that was deleted is gone: its table is
folded anew from the beginning of the partition, which takes as long as its history is. So is every
table when the topic of snapshots was deleted and created again.
A table in quarantine is tried again (`settlement.kafka.quarantine`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from confluent_kafka import Consumer, Message

from blackjack.play.table import Table
from blackjack.rulebook.rule_set import FILED, Catalogue
from runtime import logs
from runtime.kafka import topic_reader
from runtime.kafka.brokers import Bootstrap
from runtime.kafka.records import (
    Output,
    header,
    headers_of,
    key_and_value,
    offset_of,
    place_of,
)
from runtime.positions import OffsetRange, Partition, Position
from settlement.domain.partition_tables import QUARANTINED, PlacedEvent, TableEntry
from settlement.kafka.finding_log import logged
from settlement.kafka.quarantine import try_again
from settlement.kafka.settler import InputMessage, Settler, table_of
from settlement.kafka.snapshot_records import SnapshotRecord, StoredSnapshots, collect
from settlement.kafka.snapshots import NotASnapshot, UnknownForm, restore
from settlement.metrics import SettlementMetrics
from wire import NotAnEvent, topics
from wire.catalogue import with_definitions
from wire.headers import (
    INGESTED_AT,
    SOURCE_OFFSET,
    SOURCE_PARTITION,
    SOURCE_TOPIC,
    read_ingested_at,
    read_number,
)

REFOLD_BATCH: Final = 10_000
"""Events held at once while folding again, however long a history is."""
_log = logs.logger(__name__)


class SettlementWorker:
    """Settles the partitions it is given. Topics have `prefix` before their names."""

    def __init__(
        self,
        bootstrap: Bootstrap,
        *,
        refold_max: int,
        prefix: str = "",
        ready: Callable[[], None] = lambda: None,
        metrics: SettlementMetrics | None = None,
    ) -> None:
        self._bootstrap = bootstrap
        self._refold_max = refold_max
        self._prefix = prefix
        self._ready = ready
        self._metrics = metrics
        self._settling: Settler | None = None
        self._definitions: Consumer | None = None

    def topic(self, name: str) -> str:
        return self._prefix + name

    def assigned(self, positions: Sequence[Position]) -> None:
        settling = self._begin()
        self._learn(settling)
        if positions:
            stored = self._stored(settling, positions)
            stretches = [
                self._restore(settling, position, stored[position.partition])
                for position in positions
            ]
            self._refold(settling, stretches, stored)
            for position in positions:
                for name, entry in stored[position.partition].entries.items():
                    if entry.broken:
                        try_again(settling, position, name, entry, self._messages)
                for damaged in stored[position.partition].damaged.values():
                    _log.error("snapshot damaged", key=damaged.snapshot.key, reason=damaged.reason)
                    settling.replace_damaged(position.partition, damaged)
        self._count_held()
        self._ready()

    def revoked(self, partitions: Sequence[Partition]) -> None:
        for partition in partitions:
            if self._settling is not None:
                self._settling.close(partition.partition)
        self._count_held()

    lost = revoked

    def transform(self, messages: Sequence[Message]) -> Iterable[Output]:
        settling = self._begin()
        self._learn(settling)
        return self._reported(settling, messages)

    def idle(self) -> Sequence[Output]:
        """What there is to say while no event comes."""
        if self._settling is None:
            return ()
        self._learn(self._settling)
        return tuple(self._reported(self._settling, ()))

    def _reported(self, settling: Settler, messages: Sequence[Message]) -> Iterator[Output]:
        """What a batch brings forth, said in the log and counted too."""
        metrics, outputs = self._metrics, settling.settle(map(input_of, messages))
        yield from logged(
            outputs,
            dead_letters_topic=self.topic(topics.DEAD_LETTERS),
            metrics=metrics,
        )
        if metrics is not None and messages:
            metrics.settled(read_ingested_at(header(messages[-1], INGESTED_AT)))
        self._count_held()

    def _count_held(self) -> None:
        if self._metrics is not None and self._settling is not None:
            self._metrics.hold(self._settling.pits.values())

    def _begin(self) -> Settler:
        """At the first assignment: all definitions there are, and where to go on with them."""
        if self._settling is None:
            snapshots = topic_reader.whole(self._bootstrap, self.topic(topics.TABLE_SNAPSHOTS))
            catalogue = topic_reader.whole(self._bootstrap, self.topic(topics.CATALOGUE))
            known = _with_definitions(FILED, topic_reader.read(self._bootstrap, catalogue))
            ends = [
                Position(reading.topic, reading.partition, reading.end) for reading in catalogue
            ]
            self._definitions = topic_reader.follow(self._bootstrap, ends)
            self._settling = Settler(
                known,
                refold_max=self._refold_max,
                topic_of=self.topic,
                snapshot_partitions=len(snapshots),
                partitions=topic_reader.count_partitions(
                    self._bootstrap, self.topic(topics.TABLE_EVENTS)
                ),
            )
        return self._settling

    def _learn(self, settling: Settler) -> None:
        if self._definitions is not None and (news := topic_reader.news(self._definitions)):
            settling.learn(_with_definitions(settling.catalogue, news))

    def _messages(self, stretches: Sequence[OffsetRange]) -> Iterator[InputMessage]:
        return map(input_of, topic_reader.read(self._bootstrap, stretches))

    def _stored(
        self, settling: Settler, positions: Sequence[Position]
    ) -> dict[int, StoredSnapshots]:
        readings = topic_reader.whole(self._bootstrap, self.topic(topics.TABLE_SNAPSHOTS))
        wanted = {position.partition % len(readings) for position in positions}
        messages = topic_reader.read(
            self._bootstrap, [r for r in readings if r.partition in wanted]
        )
        ends = {position.partition: position.offset for position in positions}
        return collect(ends, map(snapshot_of, messages), partitions=settling.partitions)

    def _restore(
        self, settling: Settler, position: Position, stored: StoredSnapshots
    ) -> OffsetRange:
        """Opens the partition with what is stored of it; gives the stretch to be refolded."""
        pit = settling.open(position.partition, end=position.offset)
        if stored.ahead is None:
            # Nothing was settled yet, or all snapshots are gone with their topic.
            begin = 0
        else:
            begin = max(0, position.offset - stored.ahead.refold_max)
        for name, reason in stored.gone.items():
            _log.warning("table is folded anew", table=name, reason=reason)
            begin = 0
        for name, entry in list(stored.entries.items()):
            if entry.offset > position.offset:
                reason = "its snapshot is ahead of the committed offset, which was set back"
                _log.warning("table is folded anew", table=name, reason=reason)
                del stored.entries[name]
                begin = 0
                continue
            try:
                table = restore(entry.state, settling.catalogue)
                if table.name != name:
                    raise NotASnapshot(f"it is of table {table.name!r}")
            except NotASnapshot as rejected:
                _log.warning("table is folded anew", table=name, reason=rejected.reason)
                if not isinstance(rejected, UnknownForm) and entry.state:
                    stored.is_damaged(name, rejected.reason)
                if not entry.broken:
                    del stored.entries[name]
                    begin = 0
                    continue
                table = Table.new(name, settling.catalogue)
            held = pit.tables[name] = TableEntry(table)
            if entry.broken:  # as it is written down, so that there is nothing to write
                held.breaks(entry.broken, at=entry.offset, withheld_from=entry.withheld_from)
                held.urgent = held.untold = False
        return OffsetRange(position.topic, position.partition, begin, position.offset)

    def _refold(
        self,
        settling: Settler,
        stretches: Sequence[OffsetRange],
        stored: dict[int, StoredSnapshots],
    ) -> None:
        """In silence: all of it was said, in the transactions that were committed."""
        tables: set[tuple[int, str]] = set()
        count = 0
        by_table: dict[tuple[int, str], list[PlacedEvent]] = {}

        def fold() -> None:
            for (partition, name), events in by_table.items():
                _, rejected = settling.pits[partition].fold(name, events)
                if rejected and rejected[0].reason != QUARANTINED:
                    _log.error("table is quarantined", table=name, reason=rejected[0].reason)
            tables.update(by_table)
            by_table.clear()

        for given in self._messages(stretches):
            entry = stored[given.partition].entries.get(table_of(given.key) or "")
            if entry is not None and (entry.broken or given.offset < entry.offset):
                continue
            try:
                name, placed = settling.read(given)
            except NotAnEvent:
                continue
            by_table.setdefault((given.partition, name), []).append(placed)
            count += 1
            if count % REFOLD_BATCH == 0:
                fold()
        fold()
        _log.info(
            "tables restored",
            tables=sum(len(settling.pits[stretch.partition].tables) for stretch in stretches),
            refolded_tables=len(tables),
            refolded_events=count,
        )


def input_of(message: Message) -> InputMessage:
    value = message.value() or b""
    partition = place_of(message).partition
    return InputMessage(partition, offset_of(message), message.key(), value, headers_of(message))


def source_of(message: Message) -> Position | None:
    """The event that one of our outputs was made of, where its headers name one."""
    topic, partition, offset = (
        header(message, name) for name in (SOURCE_TOPIC, SOURCE_PARTITION, SOURCE_OFFSET)
    )
    number, at = read_number(partition), read_number(offset)
    if not topic or number is None or at is None:
        return None
    return Position(topic.decode(errors="replace"), number, at)


def snapshot_of(message: Message) -> SnapshotRecord:
    written_at = read_number(header(message, SOURCE_OFFSET))
    return SnapshotRecord(
        place_of(message).partition,
        offset_of(message),
        message.key() or b"",
        message.value(),
        -1 if written_at is None else written_at,
    )


def _with_definitions(catalogue: Catalogue, messages: Iterable[Message]) -> Catalogue:
    return with_definitions(catalogue, map(key_and_value, messages), _log_rejected)


def _log_rejected(key: bytes, reason: str) -> None:
    _log.warning("definition refused", key=repr(key), reason=reason)
