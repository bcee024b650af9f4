"""The records of an outbox's file: kind, length, CRC-32 of the content, and the content."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from table_client.errors import OutboxDamaged
from wire.events import EVENT_BYTES_MAX

_HEAD: Final = struct.Struct(">cII")
_CONTENT_BYTES_MAX: Final = EVENT_BYTES_MAX + 1024


def record(kind: bytes, content: bytes) -> bytes:
    return _HEAD.pack(kind, len(content), zlib.crc32(kind + content)) + content


def records(path: Path) -> Iterator[tuple[bytes, bytes, int]]:
    """Kind, content and end of every whole record."""
    data = path.read_bytes()
    offset = 0
    while offset + _HEAD.size <= len(data):
        kind, length, checksum = _HEAD.unpack_from(data, offset)
        end = offset + _HEAD.size + length
        content = data[offset + _HEAD.size : end]
        if length > _CONTENT_BYTES_MAX:
            raise OutboxDamaged(path, offset)
        if end > len(data):
            return
        if zlib.crc32(kind + content) != checksum:
            if end == len(data):  # the length reached the disk, the content did not
                return
            raise OutboxDamaged(path, offset)
        yield kind, content, end
        offset = end
