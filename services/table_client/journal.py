"""What a controller has to say, on disk before it is sent: an append-only file.

A record is its kind, the length and the CRC-32 of its content, and the content:

    T   the table, and the event that the file begins after (number, digest)
    E   the bytes of an event, exactly as they are sent
    L   a number that was given out, and whose event is lost
    A   the number up to which the gateway has acknowledged

A crash can cut off the last record: it was never `synced`, so nobody was told that it is safe,
and it is dropped. Damage before the end is another matter, and is raised. When everything is
acknowledged and the file has grown, it is replaced by one that begins after the last event.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from blackjack.facts import CERTAIN, Event, Fact
from table_client.errors import JournalDamaged, JournalForeign
from wire import encode_event
from wire.chain import digest
from wire.events import EVENT_BYTES_MAX

_HEAD: Final = struct.Struct(">cII")
_TABLE, _EVENT, _LOST, _ACKNOWLEDGED = b"T", b"E", b"L", b"A"
_SEQ: Final = struct.Struct(">Q")
_CONTENT_BYTES_MAX: Final = EVENT_BYTES_MAX + 1024
COMPACT_BYTES: Final = 4 * 1024 * 1024


class Journal:
    """One table's. A context: at its end the file is closed."""

    def __init__(self, path: Path, table: str, *, compact_bytes: int = COMPACT_BYTES) -> None:
        self.path = path
        self.table = table
        self.base_seq = 0
        """The file has the events after this one."""
        self.acknowledged_seq = 0
        self._base_digest = b""
        self._events: list[bytes] = []
        """Of the numbers after `base_seq`; empty where the event is lost."""
        self._compact_bytes = compact_bytes
        self._synced = True
        self._file = self._opened()

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

    def append(self, fact: Fact, *, at: int, device: str = "", confidence: int = CERTAIN) -> int:
        """Writes the next event, and gives its number. It is safe after the next `sync`."""
        seq = self.last_seq + 1
        previous = self.last_digest
        event = Event(self.table, seq, at, fact, device, confidence, previous=previous)
        self._write(_EVENT, frame := encode_event(event))
        self._events.append(frame)
        return seq

    def keep(self, seq: int, frame: bytes) -> None:
        """Writes an event that was numbered, chained and serialised elsewhere, as it is.

        Numbers that it leaves out are lost, and it should say so: see `GapDeclared`. An event
        that is here already is passed over.
        """
        while self.last_seq + 1 < seq:
            self._write(_LOST, b"")
            self._events.append(b"")
        if self.last_seq < seq:
            self._write(_EVENT, frame)
            self._events.append(frame)

    def sync(self) -> None:
        """What was appended survives a crash of the machine from here on."""
        if not self._synced:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._synced = True

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

    def acknowledge(self, seq: int) -> None:
        """The log has everything up to this number."""
        if seq <= self.acknowledged_seq:
            return
        self.acknowledged_seq = seq
        self._write(_ACKNOWLEDGED, _SEQ.pack(seq))
        if seq == self.last_seq and self._file.tell() > self._compact_bytes:
            self._begin_after(seq, self.last_digest)

    def adopt(self, seq: int, last_digest: bytes) -> None:
        """A new journal of a table that has spoken before goes on where the log ends."""
        if not self.is_new:
            raise ValueError(f"{self.path} has events of its own")
        self._begin_after(seq, last_digest)

    def close(self) -> None:
        self.sync()
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, kind: bytes, content: bytes) -> None:
        self._file.write(_record(kind, content))
        self._synced = False

    def _opened(self) -> BinaryIO:
        if not self.path.exists():
            self._replace(0, b"")
        whole = self._load()
        file = self.path.open("r+b")
        file.truncate(whole)
        file.seek(whole)
        return file

    def _load(self) -> int:
        """Reads the file; gives where its last whole record ends."""
        end = 0
        for kind, content, end in _records(self.path):  # noqa: B007
            if kind == _TABLE:
                seq, found = _SEQ.unpack_from(content)[0], content[_SEQ.size + 32 :].decode()
                if found != self.table:
                    raise JournalForeign(self.path, table=self.table, found=found)
                self.base_seq = self.acknowledged_seq = seq
                self._base_digest = content[_SEQ.size : _SEQ.size + 32] if seq else b""
            elif kind in (_EVENT, _LOST):
                self._events.append(content)
            else:
                self.acknowledged_seq = _SEQ.unpack(content)[0]
        return end

    def _begin_after(self, seq: int, last_digest: bytes) -> None:
        self._file.close()
        self._replace(seq, last_digest)
        self._events = []
        self._synced = True
        self._file = self._opened()

    def _replace(self, seq: int, last_digest: bytes) -> None:
        """The new file is there whole, or the old one still is."""
        new = self.path.with_name(self.path.name + ".new")
        content = _SEQ.pack(seq) + last_digest.ljust(32, b"\0") + self.table.encode()
        with new.open("wb") as file:
            file.write(_record(_TABLE, content))
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, self.path)
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _record(kind: bytes, content: bytes) -> bytes:
    return _HEAD.pack(kind, len(content), zlib.crc32(kind + content)) + content


def _records(path: Path) -> Iterator[tuple[bytes, bytes, int]]:
    """Kind, content and end of every whole record."""
    data = path.read_bytes()
    offset = 0
    while offset + _HEAD.size <= len(data):
        kind, length, checksum = _HEAD.unpack_from(data, offset)
        end = offset + _HEAD.size + length
        content = data[offset + _HEAD.size : end]
        if length > _CONTENT_BYTES_MAX:
            raise JournalDamaged(path, offset)
        if end > len(data):
            return
        if zlib.crc32(kind + content) != checksum:
            if end == len(data):  # the length reached the disk, the content did not
                return
            raise JournalDamaged(path, offset)
        yield kind, content, end
        offset = end
