"""Quarantines are not for ever: at every assignment the engine that runs now tries again.

From the table as it stood before the event that broke the fold, all that came since is folded: up
to the committed offset, beyond which the loop goes on. If nothing breaks, the quarantine is over,
and what was withheld is said with the first transaction, which also holds the table's new
snapshot: whoever is killed before it leaves the quarantine as it was, to be tried again. If the
table breaks again, nothing is said or written. The first event is tried alone, so that a table
which still breaks costs one message, however long ago it broke.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from blackjack.play.table import Table
from runtime import logs
from runtime.kafka.records import Output
from runtime.positions import OffsetRange, Position
from settlement.domain.partition_tables import PartitionTables, PlacedEvent, TableEntry
from settlement.kafka.settler import (
    OUTPUT_BYTES_MAX,
    InputMessage,
    OutputRecord,
    Settler,
    records_of,
    rejected_messages,
    table_of,
)
from settlement.kafka.snapshot_records import SnapshotEntry, encode_entry
from settlement.kafka.snapshots import NotASnapshot, restore
from wire import NotAnEvent

AT_ONCE: Final = 2_000
"""Events folded at once, after the first."""
_log = logs.logger(__name__)


def try_again(
    settling: Settler,
    position: Position,
    name: str,
    entry: SnapshotEntry,
    messages: Callable[[Sequence[OffsetRange]], Iterator[InputMessage]],
) -> None:
    """Lift the quarantine of a table if the events that it missed can be folded now."""
    begin, table = entry.offset, _restored(settling, entry)
    if table is None:
        begin, table = 0, Table.new(name, settling.catalogue)
    held = TableEntry(table)
    trial: PartitionTables[list[OutputRecord]] = PartitionTables(settling.catalogue, records_of)
    trial.tables[name] = held
    withheld: list[Output] = []
    for _, records in trial.learn(settling.catalogue):
        if begin >= entry.withheld_from:
            withheld += settling.unprompted(name, records)
    count = 0
    stretch = OffsetRange(position.topic, position.partition, begin, position.offset)
    for causes, events in _batches(settling, name, messages([stretch])):
        if held.broken:
            break
        count += len(events)
        for offset, records in trial.fold(name, events)[0]:
            if offset >= entry.withheld_from:
                withheld += settling.outputs(name, records, causes[offset])
    size = 0 if held.broken else len(encode_entry(held, position.offset))
    if size > OUTPUT_BYTES_MAX:
        rejected_messages(held, size, position.offset)
    if held.broken:
        _log.warning("quarantine stays", table=name, offset=held.broken_at, reason=held.broken)
        return
    _log.info("quarantine lifted", table=name, reason=entry.broken, events=count,
              records=len(withheld))  # fmt: skip
    settling.release(position.partition, name, held, withheld)


def _restored(settling: Settler, entry: SnapshotEntry) -> Table | None:
    """None for a snapshot of another engine: what was said is then folded again, in silence."""
    try:
        return restore(entry.state, settling.catalogue)
    except NotASnapshot:
        return None


def _batches(
    settling: Settler, name: str, messages: Iterator[InputMessage]
) -> Iterator[tuple[dict[int, InputMessage], list[PlacedEvent]]]:
    """The events of one table, first one alone and then many, with their messages by offset."""
    of_table = (message for message in messages if table_of(message.key) == name)
    size = 1
    while some := list(islice(of_table, size)):
        causes: dict[int, InputMessage] = {}
        events: list[PlacedEvent] = []
        for message in some:
            try:
                _, placed = settling.read(message)
            except NotAnEvent:  # set aside when it came
                continue
            causes[message.offset] = message
            events.append(placed)
        if events:
            yield causes, events
        size = AT_ONCE
