"""What a controller has to say, on disk before it is sent: an append-only file.

    T   the table, and the event that the file begins after (number, digest)
    W   when, by this machine's clock, the events after it were told, in microseconds since 1970
    E   the bytes of an event, exactly as they are sent
    N   a number that was given out, and whose event is lost
    A   the number up to which the gateway has acknowledged
    G   an event that was refused (its number), and the bytes of the next event: a `GapDeclared`
        from that number up to the last one before it
    R   one more that was refused (its number), within such a gap
    L   the number up to which the others within such gaps have arrived

A crash can cut off the last record: it was never `synced`, so nobody was told that it is safe,
and it is dropped. Damage before the end is another matter, and is raised. When everything is
acknowledged and the file has grown, it is replaced by one that begins after the last event.

Events after a refused one are in the journal already, numbered and chained, and no number is
given twice. So the gap reaches up to the last of them, the declaration follows it, and they are
then sent late, as the bytes they are: missing in the log is the refused one alone, and the
chain shows its place.

A disk that is full takes nothing back: what raised `OSError` was not appended, and has no number;
once there is room, the journal goes on.

Appending and syncing may go on in two threads at once: a sync covers what was appended before.
"""

from __future__ import annotations

import os
import struct
import threading
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Final

from blackjack.facts import CERTAIN, Event, Fact, GapDeclared
from blackjack.play.clock import nearest_valid
from table_client import rejected_events
from table_client.errors import JournalForeign
from table_client.record_file import RecordFile
from table_client.records import record, records
from wire import NotAnEvent, decode_event, encode_event
from wire.chain import digest

_TABLE, _WHEN, _EVENT, _LOST, _ACKNOWLEDGED = b"T", b"W", b"E", b"N", b"A"
_GAP, _REFUSED, _LATE = b"G", b"R", b"L"
_SEQ: Final = struct.Struct(">Q")
COMPACT_BYTES: Final = 4 * 1024 * 1024

WHEN_US: Final = 50_000
"""The time is written down again after so long: nobody needs to know a wait more finely."""


def wall_clock_us() -> int:
    return time.time_ns() // 1_000


class Journal:
    """One table's. A context: at its end the file is closed."""

    def __init__(
        self,
        path: Path,
        table: str,
        *,
        compact_bytes: int = COMPACT_BYTES,
        now: Callable[[], int] = wall_clock_us,
    ) -> None:
        self.path = path
        self.table = table
        self._now = now
        self.base_seq = 0
        """The file has the events after this one."""
        self.acknowledged_seq = 0
        self.late: list[int] = []
        """Within declared gaps, and not yet known to have arrived: the numbers, in order."""
        self._gaps: dict[int, int] = {}
        """The first number of a declared gap, and that of its declaration."""
        self._aside: set[int] = set()
        self._base_digest = b""
        self._events: list[bytes] = []
        """Of the numbers after `base_seq`; empty where the event is lost."""
        self._told: list[int] = []
        """When each of them was told; 0 where that was not written down."""
        self._when = 0
        self._compact_bytes = compact_bytes
        self._unsynced = False
        self._lock = threading.Lock()
        self._syncing = threading.Lock()
        self._file = self._opened()

    @property
    def aside_path(self) -> Path:
        return self.path.with_name(self.path.name + ".refused")

    @property
    def last_seq(self) -> int:
        return self.base_seq + len(self._events)

    @property
    def last_digest(self) -> bytes:
        """What the next event names; nothing where the last one is lost."""
        if not self._events:
            return self._base_digest
        return digest(self._events[-1]) if self._events[-1] else b""

    @property
    def is_new(self) -> bool:
        return self.last_seq == 0

    @property
    def is_empty(self) -> bool:
        """The log has everything, or somebody was told why not."""
        return self.acknowledged_seq == self.last_seq and not self.late

    def has_arrived(self, seq: int) -> bool:
        """The log has this event, or has its place as a gap because it was refused."""
        return seq <= self.acknowledged_seq and seq not in self.late

    def is_aside(self, seq: int) -> bool:
        return seq in self._aside

    def is_declaration(self, seq: int) -> bool:
        """Of a gap that a refusal left."""
        return seq in self._gaps.values()

    def append(self, fact: Fact, *, at: int, device: str = "", confidence: int = CERTAIN) -> int:
        """Writes the next event, and gives its number. It is safe after the next `sync`.

        Raises `wire.Unwritable` for what is no event, or too large, and `OSError` if the disk does
        not take it: nothing was written then.
        """
        with self._lock:
            frame = self._encoded(fact, at=at, device=device, confidence=confidence)
            self._add(frame)
            return self.last_seq

    def keep(self, seq: int, frame: bytes, *, told_at: int = 0) -> None:
        """Writes an event that was numbered, chained and serialised elsewhere, as it is.

        Numbers that it leaves out are lost, and it should say so: see `GapDeclared`. An event
        that is here already is passed over. `told_at` is since when it waits, if not from now on.
        """
        with self._lock:
            lost = max(seq - self.last_seq - 1, 0)
            if lost:
                self._append(record(_LOST, b"") * lost)
                self._events += [b""] * lost
                self._told += [0] * lost
            if self.last_seq < seq:
                self._add(frame, told_at)

    def sync(self) -> None:
        """What was appended before this call survives a crash of the machine after it."""
        with self._syncing:
            with self._lock:
                if not self._unsynced:
                    return
                self._unsynced = False
                descriptor = self._file.duplicate()
            try:  # without the lock: who appends does not wait for the disk
                os.fsync(descriptor)
            except BaseException:
                self._unsynced = True
                raise
            finally:
                os.close(descriptor)

    def first_after(self, seq: int) -> int:
        """The number to send when the log ends with this one: the next, or a declared gap."""
        return self._gaps.get(seq + 1, seq + 1)

    def after(
        self, seq: int, *, weight_max: int, overhead: int, through: int | None = None
    ) -> list[bytes]:
        """Events after `seq`, as many as one batch holds and at least one.

        None after the number `through`, if one is given.
        """
        batch: list[bytes] = []
        weight = 0
        start = max(seq - self.base_seq, 0)
        end = len(self._events) if through is None else max(through - self.base_seq, 0)
        for frame in filter(None, self._events[start:end]):
            weight += len(frame) + overhead
            if batch and weight > weight_max:
                break
            batch.append(frame)
        return batch

    def waits_us(self, first: int, count: int) -> list[int]:
        """How long so many events, from number `first` on, have been here by now."""
        now = self._now()
        start = first - self.base_seq - 1
        there = (
            told
            for frame, told in zip(self._events[start:], self._told[start:], strict=True)
            if frame
        )
        return [max(now - told, 0) if told else 0 for told in islice(there, count)]

    def number_at(self, first: int, index: int) -> int:
        """The number of the event at this place of a batch that begins with number `first`."""
        there = (seq for seq in range(first, self.last_seq + 1) if self.event(seq))
        return next(islice(there, index, None))

    def event(self, seq: int) -> bytes:
        """The bytes of an event that the file has."""
        return self._events[seq - self.base_seq - 1]

    def acknowledge(self, seq: int) -> None:
        """The log has everything up to this number, but for what is `late`."""
        with self._lock:
            if seq > self.acknowledged_seq:
                self._write(_ACKNOWLEDGED, _SEQ.pack(seq))
                self.acknowledged_seq = seq

    def late_arrived(self, seq: int) -> None:
        """The log has what was late up to this number."""
        with self._lock:
            self._write(_LATE, _SEQ.pack(seq))
            self.late = [each for each in self.late if each > seq]

    def set_aside(self, seq: int, *, code: str, reason: str) -> rejected_events.SetAside:
        """Keeps a refused event for people, and lets the stream go on without it."""
        refused = rejected_events.SetAside(self.table, seq, code, reason, self.event(seq))
        rejected_events.keep(self.aside_path, refused)
        with self._lock:
            if seq in self.late:
                self._write(_REFUSED, _SEQ.pack(seq))
                self._forget(seq)
            else:
                fact = GapDeclared(seq, self.last_seq, f"event {seq} was refused: {code}")
                frame = self._encoded(fact, at=self._last_time())
                self._tell_time(self._now())
                self._write(_GAP, _SEQ.pack(seq) + frame)
                self._declare(seq, frame)
        return refused

    def set_aside_before(self) -> list[rejected_events.SetAside]:
        """Everything that was ever refused, as long as nobody has deleted it."""
        return rejected_events.kept(self.aside_path)

    def can_begin_anew(self) -> bool:
        return self.is_empty and self._file.end > self._compact_bytes

    def begin_anew(self) -> None:
        """Replaces the file by one that begins after the last event, if that is acknowledged."""
        with self._lock:
            if self.can_begin_anew():
                self._begin_after(self.last_seq, self.last_digest)

    def adopt(self, seq: int, last_digest: bytes) -> None:
        """A new journal of a table that has spoken before goes on where the log ends."""
        with self._lock:
            if not self.is_new:
                raise ValueError(f"{self.path} has events of its own")
            self._begin_after(seq, last_digest)

    def close(self) -> None:
        self.sync()
        with self._lock:
            self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _encoded(
        self, fact: Fact, *, at: int, device: str = "", confidence: int = CERTAIN
    ) -> bytes:
        seq, previous = self.last_seq + 1, self.last_digest
        return encode_event(Event(self.table, seq, at, fact, device, confidence, previous=previous))

    def _last_time(self) -> int:
        """That of the last event that says a valid one: a gap is declared after it, and has no
        clock. Without one it is the controller's own, by which the gap is told."""
        for frame in reversed(self._events):
            try:
                event = decode_event(frame)
            except NotAnEvent:
                continue
            if not event.claimed_at:
                return event.at
        return nearest_valid(self._now())

    def _add(self, frame: bytes, told_at: int = 0) -> None:
        self._tell_time(told_at or self._now())
        self._write(_EVENT, frame)
        self._keep(frame)

    def _keep(self, frame: bytes) -> None:
        self._events.append(frame)
        self._told.append(self._when)

    def _tell_time(self, at: int) -> None:
        if not 0 <= at - self._when < WHEN_US:
            self._write(_WHEN, _SEQ.pack(at))
            self._when = at

    def _write(self, kind: bytes, content: bytes) -> None:
        self._append(record(kind, content))

    def _append(self, data: bytes) -> None:
        self._file.append(data)
        self._unsynced = True

    def _declare(self, seq: int, frame: bytes) -> None:
        last = self.last_seq
        self._gaps[seq] = last + 1
        self._aside.add(seq)
        self.late += range(seq + 1, last + 1)
        self._keep(frame)

    def _forget(self, seq: int) -> None:
        self._aside.add(seq)
        self.late.remove(seq)

    def _opened(self) -> RecordFile:
        if not self.path.exists():
            self._replace(0, b"")
            self._sync_folder()
        return RecordFile(self.path, self._load())

    def _load(self) -> int:
        """Reads the file; gives where its last whole record ends."""
        end = 0
        for kind, content, end in records(self.path):  # noqa: B007
            if kind == _TABLE:
                self._load_table(content)
            elif kind == _WHEN:
                self._when = _SEQ.unpack(content)[0]
            elif kind in (_EVENT, _LOST):
                self._keep(content)
            elif kind == _ACKNOWLEDGED:
                self.acknowledged_seq = _SEQ.unpack(content)[0]
            elif kind == _GAP:
                self._declare(_SEQ.unpack_from(content)[0], content[_SEQ.size :])
            elif kind == _REFUSED:
                self._forget(_SEQ.unpack(content)[0])
            else:
                self.late = [each for each in self.late if each > _SEQ.unpack(content)[0]]
        return end

    def _load_table(self, content: bytes) -> None:
        seq, found = _SEQ.unpack_from(content)[0], content[_SEQ.size + 32 :].decode()
        if found != self.table:
            raise JournalForeign(self.path, table=self.table, found=found)
        self.base_seq = self.acknowledged_seq = seq
        self._base_digest = content[_SEQ.size : _SEQ.size + 32] if seq else b""

    def _begin_after(self, seq: int, last_digest: bytes) -> None:
        self._replace(seq, last_digest)  # first: if there is no room for it, all is as it was
        self._file.close()
        self._events = []
        self._told = []
        self._when = 0
        self._gaps = {}
        self._unsynced = False
        self._file = self._opened()
        self._sync_folder()

    def _replace(self, seq: int, last_digest: bytes) -> None:
        """The new file is there whole, or the old one still is."""
        new = self.path.with_name(self.path.name + ".new")
        content = _SEQ.pack(seq) + last_digest.ljust(32, b"\0") + self.table.encode()
        with new.open("wb") as file:
            file.write(record(_TABLE, content))
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, self.path)

    def _sync_folder(self) -> None:
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
