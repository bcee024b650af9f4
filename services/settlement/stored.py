"""What settlement writes down for itself, as the topic `table-snapshots` holds it.

Under `<partition>/<table>` lies the table as of an offset of its input partition: all events of
the table below it are folded. For one in quarantine that is the offset of the event that broke the
fold, and it stays there, so that another engine can try it again. Under `<partition>` lies how far
the events may have run ahead of the snapshots of that partition, so that whoever takes it over
knows from where to read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeVar

import msgspec

from settlement.domain.pit import Held
from settlement.snapshots import snapshot

T = TypeVar("T")
_DIGITS_MAX: Final = 9
_FROM_THE_BEGINNING: Final = 2**62
"""More offsets than a partition has."""


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """One table: everything below `offset` is in `state`; `broken` tells of a quarantine, and
    what the events from `withheld_from` on bring forth was then not said."""

    offset: int
    broken: str
    state: bytes
    withheld_from: int = 0


class Ahead(msgspec.Struct, frozen=True, array_like=True):
    """How many offsets the committed position may be ahead of the oldest change not stored."""

    refold_max: int


class Stored:
    """What is written down of one partition."""

    __slots__ = ("ahead", "entries", "gone")

    def __init__(self) -> None:
        self.ahead: Ahead | None = None
        self.entries: dict[str, Entry] = {}
        self.gone: dict[str, str] = {}
        """Tables whose entry somebody took away or damaged, and which of it: they are folded from
        the beginning."""


def entry_key(partition: int, table: str) -> bytes:
    return b"%d/%s" % (partition, table.encode())


def ahead_key(partition: int) -> bytes:
    return b"%d" % partition


def encode_entry(held: Held, end: int, *, with_state: bool = True) -> bytes:
    """The table as it stands after all events below `end`, or as it stood when it broke.

    Without its state it is made anew from the log, as one whose snapshot cannot be restored.
    """
    state = snapshot(held.table) if with_state else b""
    if held.broken:
        entry = Entry(held.broken_at, held.broken, state, held.withheld_from)
    else:
        entry = Entry(end, "", state)
    return msgspec.msgpack.encode(entry)


def encode_ahead(refold_max: int) -> bytes:
    return msgspec.msgpack.encode(Ahead(refold_max))


def collect(
    partitions: Iterable[int], messages: Iterable[tuple[bytes | None, bytes | None]]
) -> dict[int, Stored]:
    """The latest of each key, for these partitions; what was deleted or damaged is gone."""
    stored = {partition: Stored() for partition in partitions}
    for key, value in messages:
        number, slash, name = (key or b"").partition(b"/")
        of = stored.get(int(number)) if number.isdigit() and len(number) <= _DIGITS_MAX else None
        if of is None:
            continue
        if not slash:
            of.ahead = _decode(value, Ahead) or Ahead(_FROM_THE_BEGINNING) if value else None
            continue
        try:
            table = name.decode()
        except UnicodeDecodeError:  # no table has such a name: the entry is nobody's
            continue
        entry = _decode(value, Entry) if value else None
        if entry is not None:
            of.entries[table] = entry
            of.gone.pop(table, None)
        else:
            of.entries.pop(table, None)
            of.gone[table] = "its snapshot cannot be read" if value else "its snapshot was deleted"
    return stored


def _decode(value: bytes, kind: type[T]) -> T | None:
    try:
        return msgspec.msgpack.decode(value, type=kind)
    except msgspec.MsgspecError:
        return None
