"""What settlement writes down for itself, as the topic `table-snapshots` holds it.

Under `<partition>/<table>` lies the table as of an offset of its input partition: all events of
the table below it are folded. For one in quarantine that is the offset of the event that broke the
fold, and it stays there, so that another engine can try it again. Under `<partition>` lies how far
the events may have run ahead of the snapshots of that partition, so that whoever takes it over
knows from where to read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, TypeVar

import msgspec

from settlement.domain.partition_tables import TableEntry
from settlement.kafka.snapshots import snapshot

T = TypeVar("T")
_DIGITS_MAX: Final = 9
_FROM_THE_BEGINNING: Final = 2**62
"""More offsets than a partition has."""


class SnapshotEntry(msgspec.Struct, frozen=True, array_like=True):
    """One table: everything below `offset` is in `state`; `broken` tells of a quarantine, and
    what the events from `withheld_from` on bring forth was then not said."""

    offset: int
    broken: str
    state: bytes
    withheld_from: int = 0


class RefoldDistance(msgspec.Struct, frozen=True, array_like=True):
    """How many offsets the committed position may be ahead of the oldest change not stored."""

    refold_max: int


class StoredSnapshots:
    """What is written down of one partition."""

    __slots__ = ("ahead", "damaged", "entries", "gone", "snapshots")

    def __init__(self) -> None:
        self.ahead: RefoldDistance | None = None
        self.entries: dict[str, SnapshotEntry] = {}
        self.gone: dict[str, str] = {}
        """Tables whose entry somebody took away or damaged, and which of it: they are folded from
        the beginning."""
        self.damaged: dict[bytes, DamagedSnapshot] = {}
        """By key: what is not ours, or was damaged, and is not written over yet."""
        self.snapshots: dict[str, SnapshotRecord] = {}
        """By table: the message that its entry is from."""

    def is_damaged(self, table: str, reason: str) -> None:
        snapshot = self.snapshots[table]
        self.damaged[snapshot.key] = DamagedSnapshot(snapshot, reason, is_table=True)


class SnapshotRecord(NamedTuple):
    """A message of `table-snapshots`; `written_at` is the input offset that its headers name."""

    partition: int
    offset: int
    key: bytes
    value: bytes | None
    written_at: int


class DamagedSnapshot(NamedTuple):
    snapshot: SnapshotRecord
    reason: str
    is_table: bool
    """Whether it lies under the key of a table, which is written over; else nobody's."""


def entry_key(partition: int, table: str) -> bytes:
    return b"%d/%s" % (partition, table.encode())


def ahead_key(partition: int) -> bytes:
    return b"%d" % partition


def encode_entry(held: TableEntry, end: int, *, with_state: bool = True) -> bytes:
    """The table as it stands after all events below `end`, or as it stood when it broke.

    Without its state it is made anew from the log, as one whose snapshot cannot be restored.
    """
    state = snapshot(held.table) if with_state else b""
    if held.broken:
        entry = SnapshotEntry(held.broken_at, held.broken, state, held.withheld_from)
    else:
        entry = SnapshotEntry(end, "", state)
    return msgspec.msgpack.encode(entry)


def encode_ahead(refold_max: int) -> bytes:
    return msgspec.msgpack.encode(RefoldDistance(refold_max))


def collect(
    ends: Mapping[int, int], snapshots: Iterable[SnapshotRecord], *, partitions: int = 1
) -> dict[int, StoredSnapshots]:
    """The latest of each key, for those of so many partitions that are ours, each up to an offset.

    What was deleted is gone. What was damaged leaves the entry before it in force; and so does a
    copy of an older entry, unless the younger one is ahead of what is read, which was set back.
    """
    stored = {partition: StoredSnapshots() for partition in ends}
    for candidate in snapshots:
        number, slash, name = candidate.key.partition(b"/")
        is_number = number.isdigit() and len(number) <= _DIGITS_MAX and int(number) < partitions
        of = stored.get(int(number) if is_number else candidate.partition)
        if of is None:
            continue  # another worker's
        of.damaged.pop(candidate.key, None)
        if not is_number:
            if candidate.value is not None:
                of.damaged[candidate.key] = DamagedSnapshot(
                    candidate, "its key names no partition", is_table=False
                )
        elif not slash:
            _collect_ahead(of, candidate)
        else:
            _collect_entry(of, candidate, name, ends[int(number)])
    return stored


def _collect_ahead(of: StoredSnapshots, candidate: SnapshotRecord) -> None:
    if candidate.value is None:
        of.ahead = None
        return
    ahead = _decode(candidate.value, RefoldDistance)
    if ahead is None or ahead.refold_max < 0:
        of.ahead = RefoldDistance(_FROM_THE_BEGINNING)
        of.damaged[candidate.key] = DamagedSnapshot(
            candidate, "it does not say how far to refold", is_table=True
        )
    else:
        of.ahead = ahead


def _collect_entry(of: StoredSnapshots, candidate: SnapshotRecord, name: bytes, end: int) -> None:
    try:
        table = name.decode()
    except UnicodeDecodeError:
        if candidate.value is not None:
            of.damaged[candidate.key] = DamagedSnapshot(
                candidate, "its key names no table", is_table=False
            )
        return
    if candidate.value is None:
        of.entries.pop(table, None)
        of.snapshots.pop(table, None)
        of.gone[table] = "its snapshot was deleted"
        return
    entry = _decode(candidate.value, SnapshotEntry)
    if entry is None:
        if table not in of.entries:
            of.gone[table] = "its snapshot cannot be read"
        of.damaged[candidate.key] = DamagedSnapshot(
            candidate, "the bytes are no snapshot", is_table=True
        )
        return
    known = of.snapshots.get(table)
    if known is None or not candidate.written_at < known.written_at < end:
        of.entries[table] = entry
        of.snapshots[table] = candidate
        of.gone.pop(table, None)


def _decode(value: bytes, kind: type[T]) -> T | None:
    try:
        return msgspec.msgpack.decode(value, type=kind)
    except Exception:  # the library raises more than its own errors: of text, of depth
        return None
