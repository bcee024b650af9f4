"""The transform of the exactly-once loop: tables as of the committed offset, then batch by batch.

Snapshots are written less often than outputs, because they are large. Every table is stored at
the latest `refold_max` offsets after it changed; so on assignment the tables are restored, and
the stretch that far behind the committed offset is folded again in silence, into each table
from its own snapshot's offset on. What was said is not said again, and the state is the same.

A snapshot of another engine cannot be restored, and one that was deleted is gone: its table is
folded anew from the beginning of the partition, which takes as long as its history is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from confluent_kafka import Consumer, Message

from blackjack.rule_set import FILED, Catalogue, RuleSet
from blackjack.table import Table
from runtime import logs
from runtime.kafka import reading
from runtime.kafka.records import Output, headers_of
from runtime.positions import Partition, Position, Reading
from settlement.domain.pit import Held, Placed
from settlement.settling import Input, Settling, read
from settlement.snapshots import NotASnapshot, restore
from settlement.stored import Stored, collect
from settlement.telling import telling
from wire import NotADefinition, NotAnEvent, topics
from wire.catalogue import decode_rule_set, is_rule_set

REFOLD_BATCH: Final = 10_000
"""Events held at once while folding again, however long a history is."""
_log = logs.logger(__name__)


class Worker:
    """Settles the partitions it is given. Topics have `prefix` before their names."""

    def __init__(
        self,
        bootstrap: str,
        *,
        refold_max: int,
        prefix: str = "",
        ready: Callable[[], None] = lambda: None,
    ) -> None:
        self._bootstrap = bootstrap
        self._refold_max = refold_max
        self._prefix = prefix
        self._ready = ready
        self._settling: Settling | None = None
        self._definitions: Consumer | None = None

    def topic(self, name: str) -> str:
        return self._prefix + name

    def assigned(self, positions: Sequence[Position]) -> None:
        settling = self._begin()
        self._learn(settling)
        if positions:
            stored = self._stored([each.partition for each in positions])
            stretches = [
                self._restore(settling, position, stored[position.partition])
                for position in positions
            ]
            self._refold(settling, stretches, stored)
        self._ready()

    def revoked(self, partitions: Sequence[Partition]) -> None:
        for each in partitions:
            if self._settling is not None:
                self._settling.close(each.partition)

    lost = revoked

    def transform(self, messages: Sequence[Message]) -> Iterable[Output]:
        settling = self._begin()
        self._learn(settling)
        outputs = settling.settle(map(input_of, messages))
        return telling(outputs, findings_topic=self.topic(topics.FINDINGS))

    def _begin(self) -> Settling:
        """At the first assignment: all definitions there are, and where to go on with them."""
        if self._settling is None:
            snapshots = reading.whole(self._bootstrap, self.topic(topics.TABLE_SNAPSHOTS))
            catalogue = reading.whole(self._bootstrap, self.topic(topics.CATALOGUE))
            known = with_definitions(FILED, reading.read(self._bootstrap, catalogue))
            ends = [Position(each.topic, each.partition, each.end) for each in catalogue]
            self._definitions = reading.follow(self._bootstrap, ends)
            self._settling = Settling(
                known,
                refold_max=self._refold_max,
                topic_of=self.topic,
                snapshot_partitions=len(snapshots),
            )
        return self._settling

    def _learn(self, settling: Settling) -> None:
        if self._definitions is not None and (news := reading.news(self._definitions)):
            settling.learn(with_definitions(settling.catalogue, news))

    def _stored(self, partitions: Sequence[int]) -> dict[int, Stored]:
        readings = reading.whole(self._bootstrap, self.topic(topics.TABLE_SNAPSHOTS))
        wanted = {each % len(readings) for each in partitions}
        messages = reading.read(self._bootstrap, [r for r in readings if r.partition in wanted])
        return collect(partitions, ((each.key(), each.value()) for each in messages))

    def _restore(self, settling: Settling, position: Position, stored: Stored) -> Reading:
        """Opens the partition with what is stored of it; gives the stretch to be refolded."""
        pit = settling.open(position.partition)
        refold_max = stored.ahead.refold_max if stored.ahead is not None else 0
        begin = max(0, position.offset - refold_max)
        for name in stored.deleted:
            _log.warning("table is folded anew", table=name, reason="its snapshot was deleted")
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
            except NotASnapshot as refused:
                _log.warning("table is folded anew", table=name, reason=refused.reason)
                if not entry.broken:
                    del stored.entries[name]
                    begin = 0
                    continue
                table = Table.new(name, settling.catalogue)
            pit.tables[name] = Held(table, broken=entry.broken)
        return Reading(position.topic, position.partition, begin, position.offset)

    def _refold(
        self, settling: Settling, stretches: Sequence[Reading], stored: dict[int, Stored]
    ) -> None:
        """In silence: all of it was said, in the transactions that were committed."""
        tables: set[tuple[int, str]] = set()
        count = 0
        by_table: dict[tuple[int, str], list[Placed]] = {}

        def fold() -> None:
            for (partition, name), events in by_table.items():
                settling.pits[partition].fold(name, events)
            tables.update(by_table)
            by_table.clear()

        for message in reading.read(self._bootstrap, stretches):
            given = input_of(message)
            try:
                name, placed = read(given)
            except NotAnEvent:
                continue
            entry = stored[given.partition].entries.get(name)
            if entry is None or given.offset >= entry.offset:
                by_table.setdefault((given.partition, name), []).append(placed)
                count += 1
                if count % REFOLD_BATCH == 0:
                    fold()
        fold()
        _log.info(
            "tables restored",
            tables=sum(len(settling.pits[each.partition].tables) for each in stretches),
            refolded_tables=len(tables),
            refolded_events=count,
        )


def input_of(message: Message) -> Input:
    partition, offset = message.partition(), message.offset()
    if partition is None or offset is None:
        raise ValueError("a message that was not read from a topic")
    value = message.value() or b""
    return Input(partition, offset, message.key(), value, headers_of(message))


def with_definitions(catalogue: Catalogue, messages: Iterable[Message]) -> Catalogue:
    """The catalogue and what was published; what cannot be read is told and left out."""
    return catalogue.with_(*_rule_sets(messages))


def _rule_sets(messages: Iterable[Message]) -> Iterator[RuleSet]:
    for message in messages:
        key, value = message.key(), message.value()
        if isinstance(key, bytes) and is_rule_set(key) and value:
            try:
                yield decode_rule_set(key, value)
            except NotADefinition as refused:
                _log.warning("definition refused", key=key.decode(), reason=refused.reason)
