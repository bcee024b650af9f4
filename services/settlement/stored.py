"""What settlement writes down for itself, as the topic `table-snapshots` holds it.

Under `<partition>/<table>` lies the table as of an offset of its input partition: all events of
the table below it are folded. Under `<partition>` lies how far the events may have run ahead of
the snapshots of that partition, so that whoever takes it over knows from where to read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from settlement.domain.pit import Held
from settlement.snapshots import NotASnapshot, snapshot

T = TypeVar("T")


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """One table: everything below `offset` is in `state`; `broken` tells of a quarantine."""

    offset: int
    broken: str
    state: bytes


class Ahead(msgspec.Struct, frozen=True, array_like=True):
    """How many offsets the committed position may be ahead of the oldest change not stored."""

    refold_max: int


class Stored:
    """What is written down of one partition."""

    __slots__ = ("ahead", "deleted", "entries")

    def __init__(self) -> None:
        self.ahead: Ahead | None = None
        self.entries: dict[str, Entry] = {}
        self.deleted: set[str] = set()
        """Tables whose entry somebody took away, so that they are folded from the beginning."""


def entry_key(partition: int, table: str) -> bytes:
    return b"%d/%s" % (partition, table.encode())


def ahead_key(partition: int) -> bytes:
    return b"%d" % partition


def encode_entry(held: Held, offset: int) -> bytes:
    return msgspec.msgpack.encode(Entry(offset, held.broken, snapshot(held.table)))


def encode_ahead(refold_max: int) -> bytes:
    return msgspec.msgpack.encode(Ahead(refold_max))


def collect(
    partitions: Iterable[int], messages: Iterable[tuple[bytes | None, bytes | None]]
) -> dict[int, Stored]:
    """The latest of each key, for these partitions; what was deleted is gone."""
    stored = {partition: Stored() for partition in partitions}
    for key, value in messages:
        number, slash, table = (key or b"").partition(b"/")
        of = stored.get(int(number)) if number.isdigit() else None
        if of is None:
            continue
        if not slash:
            of.ahead = _decode(value, Ahead) if value else None
        elif value:
            of.entries[table.decode()] = _decode(value, Entry)
            of.deleted.discard(table.decode())
        else:
            of.entries.pop(table.decode(), None)
            of.deleted.add(table.decode())
    return stored


def _decode(value: bytes, kind: type[T]) -> T:
    try:
        return msgspec.msgpack.decode(value, type=kind)
    except msgspec.MsgspecError as error:
        raise NotASnapshot(f"an entry cannot be read ({error})") from error
