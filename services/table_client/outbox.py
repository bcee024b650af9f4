"""A controller's events on disk until they are acknowledged: an append-only file.

    T   the table, and the event that the file begins after (number, digest)
    W   when, by this machine's clock, the events after it were reported (microseconds since 1970)
    E   the bytes of an event, exactly as they are sent
    N   a number that was given out, and whose event is lost
    A   the number up to which the gateway has acknowledged
    G   an event that was rejected (its number), and the bytes of the next event: a `GapDeclared`
        from that number up to the last one before it
    R   one more that was rejected (its number), within such a gap
    L   the number up to which the others within such gaps have arrived

A crash can cut off the last record: it was never `synced`, so no caller relies on it, and it is
dropped. Damage before the end is an error. When everything is acknowledged and the file has grown,
it is replaced by one that begins after the last event.

Events after a rejected one are in the outbox already, numbered and chained, and no number is given
twice. So the gap reaches up to the last of them, the declaration follows it, and they are then
sent late, with unchanged bytes: the log is missing the rejected one alone, and the chain shows its
place.

On a full disk `OSError` is raised: the event was not appended, and has no number; once there is
room, the outbox goes on.

Two threads may append and sync at once: a sync covers the records that were appended before.
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
from table_client.errors import OutboxForeign
from table_client.record_file import RecordFile
from table_client.records import record, records
from wire import NotAnEvent, decode_event, encode_event
from wire.chain import digest

_TABLE, _WHEN, _EVENT, _LOST, _ACKNOWLEDGED = b"T", b"W", b"E", b"N", b"A"
_GAP, _REJECTED, _LATE = b"G", b"R", b"L"
_SEQ: Final = struct.Struct(">Q")
COMPACT_BYTES: Final = 4 * 1024 * 1024

WHEN_US: Final = 50_000
"""How often the time is recorded: no wait needs to be known more finely."""


def wall_clock_us() -> int:
    return time.time_ns() // 1_000


class Outbox:
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
        self._rejected: set[int] = set()
        self._base_digest = b""
        self._events: list[bytes] = []
        """Of the numbers after `base_seq`; empty where the event is lost."""
        self._reported: list[int] = []
        """When each of them was reported; 0 where that is not recorded."""
        self._when = 0
        self._compact_bytes = compact_bytes
        self._unsynced = False
        self._lock = threading.Lock()
        self._syncing = threading.Lock()
        self._file = self._opened()

    @property
    def rejected_path(self) -> Path:
        return self.path.with_name(self.path.name + ".rejected")

    @property
    def last_seq(self) -> int:
        return self.base_seq + len(self._events)

    @property
    def last_digest(self) -> bytes:
        """The hash that the next event names; empty where the last event is lost."""
        if not self._events:
            return self._base_digest
        return digest(self._events[-1]) if self._events[-1] else b""

    @property
    def is_new(self) -> bool:
        return self.last_seq == 0

    @property
    def is_empty(self) -> bool:
        """Whether the log has every event, apart from rejected ones."""
        return self.acknowledged_seq == self.last_seq and not self.late

    def has_arrived(self, seq: int) -> bool:
        """Whether the log has this event, or a declared gap in its place."""
        return seq <= self.acknowledged_seq and seq not in self.late

    def is_rejected(self, seq: int) -> bool:
        return seq in self._rejected

    def is_declaration(self, seq: int) -> bool:
        """Whether this event declares the gap of a rejected one."""
        return seq in self._gaps.values()

    def append(self, fact: Fact, *, at: int, device: str = "", confidence: int = CERTAIN) -> int:
        """Append the next event, and return its number. It is safe after the next `sync`.

        Raises `wire.Unwritable` for an invalid or too large event, and `OSError` if the disk
        fails: nothing was written then.
        """
        with self._lock:
            frame = self._encoded(fact, at=at, device=device, confidence=confidence)
            self._add(frame)
            return self.last_seq

    def append_frame(self, seq: int, frame: bytes, *, reported_at: int = 0) -> None:
        """Append an event that was numbered, chained and serialized elsewhere, unchanged.

        Numbers that it leaves out are lost, and should be declared: see `GapDeclared`. An event
        that is here already is skipped. `reported_at` is when it began to wait, if not now.
        """
        with self._lock:
            lost = max(seq - self.last_seq - 1, 0)
            if lost:
                self._append(record(_LOST, b"") * lost)
                self._events += [b""] * lost
                self._reported += [0] * lost
            if self.last_seq < seq:
                self._add(frame, reported_at)

    def sync(self) -> None:
        """Make sure that events appended before this call survive a crash of the machine."""
        with self._syncing:
            with self._lock:
                if not self._unsynced:
                    return
                self._unsynced = False
                descriptor = self._file.duplicate()
            try:  # without the lock: `append` does not wait for the disk
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
        """Events after `seq` up to `through`, as many as one batch holds and at least one."""
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
        """How long each of `count` events, from number `first` on, has been here by now."""
        now = self._now()
        start = first - self.base_seq - 1
        there = (
            reported
            for frame, reported in zip(self._events[start:], self._reported[start:], strict=True)
            if frame
        )
        return [max(now - reported, 0) if reported else 0 for reported in islice(there, count)]

    def number_at(self, first: int, index: int) -> int:
        """The number of the event at this index of a batch that begins with number `first`."""
        there = (seq for seq in range(first, self.last_seq + 1) if self.event(seq))
        return next(islice(there, index, None))

    def event(self, seq: int) -> bytes:
        """The bytes of an event that the file has."""
        return self._events[seq - self.base_seq - 1]

    def acknowledge(self, seq: int) -> None:
        """Record that the log has everything up to this number, apart from `late` events."""
        with self._lock:
            if seq > self.acknowledged_seq:
                self._write(_ACKNOWLEDGED, _SEQ.pack(seq))
                self.acknowledged_seq = seq

    def acknowledge_late(self, seq: int) -> None:
        """Record that the log has the late events up to this number."""
        with self._lock:
            self._write(_LATE, _SEQ.pack(seq))
            self.late = [number for number in self.late if number > seq]

    def reject(self, seq: int, *, code: str, reason: str) -> rejected_events.RejectedEvent:
        """Keep a rejected event for people, and let the stream go on without it."""
        rejected = rejected_events.RejectedEvent(self.table, seq, code, reason, self.event(seq))
        rejected_events.append(self.rejected_path, rejected)
        with self._lock:
            if seq in self.late:
                self._write(_REJECTED, _SEQ.pack(seq))
                self._forget(seq)
            else:
                fact = GapDeclared(seq, self.last_seq, f"event {seq} was rejected: {code}")
                frame = self._encoded(fact, at=self._last_time())
                self._record_time(self._now())
                self._write(_GAP, _SEQ.pack(seq) + frame)
                self._declare(seq, frame)
        return rejected

    def rejected_events(self) -> list[rejected_events.RejectedEvent]:
        """All events that were rejected, until the file is deleted."""
        return rejected_events.read(self.rejected_path)

    def can_compact(self) -> bool:
        return self.is_empty and self._file.end > self._compact_bytes

    def compact(self) -> None:
        """Replace the file by one that begins after the last event, if that is acknowledged."""
        with self._lock:
            if self.can_compact():
                self._begin_after(self.last_seq, self.last_digest)

    def adopt(self, seq: int, last_digest: bytes) -> None:
        """Begin where the log ends: for a new outbox of a table that has reported before."""
        with self._lock:
            if not self.is_new:
                raise ValueError(f"{self.path} has events of its own")
            self._begin_after(seq, last_digest)

    def close(self) -> None:
        self.sync()
        with self._lock:
            self._file.close()

    def __enter__(self) -> Outbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _encoded(
        self, fact: Fact, *, at: int, device: str = "", confidence: int = CERTAIN
    ) -> bytes:
        seq, previous = self.last_seq + 1, self.last_digest
        return encode_event(Event(self.table, seq, at, fact, device, confidence, previous=previous))

    def _last_time(self) -> int:
        """The time of the last event with a valid one: the gap is declared after it. Without such
        an event, the controller's clock."""
        for frame in reversed(self._events):
            try:
                event = decode_event(frame)
            except NotAnEvent:
                continue
            if not event.claimed_at:
                return event.at
        return nearest_valid(self._now())

    def _add(self, frame: bytes, reported_at: int = 0) -> None:
        self._record_time(reported_at or self._now())
        self._write(_EVENT, frame)
        self._keep(frame)

    def _keep(self, frame: bytes) -> None:
        self._events.append(frame)
        self._reported.append(self._when)

    def _record_time(self, at: int) -> None:
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
        self._rejected.add(seq)
        self.late += range(seq + 1, last + 1)
        self._keep(frame)

    def _forget(self, seq: int) -> None:
        self._rejected.add(seq)
        self.late.remove(seq)

    def _opened(self) -> RecordFile:
        if not self.path.exists():
            self._replace(0, b"")
            self._sync_folder()
        return RecordFile(self.path, self._load())

    def _load(self) -> int:
        """Read the file; return where its last whole record ends."""
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
            elif kind == _REJECTED:
                self._forget(_SEQ.unpack(content)[0])
            else:
                through = _SEQ.unpack(content)[0]
                self.late = [number for number in self.late if number > through]
        return end

    def _load_table(self, content: bytes) -> None:
        seq, found = _SEQ.unpack_from(content)[0], content[_SEQ.size + 32 :].decode()
        if found != self.table:
            raise OutboxForeign(self.path, table=self.table, found=found)
        self.base_seq = self.acknowledged_seq = seq
        self._base_digest = content[_SEQ.size : _SEQ.size + 32] if seq else b""

    def _begin_after(self, seq: int, last_digest: bytes) -> None:
        self._replace(seq, last_digest)  # first: if there is no room for it, all is as it was
        self._file.close()
        self._events = []
        self._reported = []
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
