"""A log file: the frames of many streams one after the other, as a gateway received them.

Eight bytes say what the file is and which version; then come frames, each the length as a
varint and so many bytes of an `IngestedEvent` (docs/log-file.md). A file that was damaged
is read around the damage: what is wrong is a value with its offset, and reading goes on at
the next place where frames begin again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from mmap import mmap
from typing import BinaryIO, Final

from google.protobuf.message import DecodeError
from msgspec import Struct

from blackjack.facts import Event
from casino.table.v1.event_pb2 import IngestedEvent, TableEvent
from wire.errors import NotAnEvent, UnreadableMessage
from wire.events import EVENT_BYTES_MAX, decode_event
from wire.vocabulary import read_time, write_time

MAGIC: Final = b"PITLOG\x00"
VERSION: Final = 1
HEADER: Final = MAGIC + bytes([VERSION])
FRAME_BYTES_MAX: Final = EVENT_BYTES_MAX + 64
"""An event, its ingest time, and the few bytes that say how long each is."""

PACKED: Final = (
    (b"\x1f\x8b", "gzip", "gunzip"),
    (b"\xfd7zXZ\x00", "xz", "unxz"),
    (b"\x28\xb5\x2f\xfd", "zstd", "unzstd"),
    (b"BZh", "bzip2", "bunzip2"),
    (b"PK\x03\x04", "zip", "unzip"),
)
"""How files begin that somebody packed before sending them on, and what unpacks them."""

Bytes = bytes | mmap

_EVENT_TAG: Final = 0x0A
_TIME_TAG: Final = 0x12
_WAITED_TAG: Final = 0x18
_VARINT_BYTES_MAX: Final = 10


class NotALogFile(ValueError):
    """The file does not begin as a log file does."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class Span(Struct, frozen=True, gc=False):
    """Where the payload of a frame lies."""

    offset: int
    length: int


class BadBytes(Struct, frozen=True, gc=False):
    """Bytes that were passed over, and why."""

    offset: int
    length: int
    reason: str


def delimited(data: bytes) -> bytes:
    """A message with its length before it, as protobuf's own tools read them.

    >>> delimited(b"abc")
    b'\\x03abc'
    """
    size = len(data)
    prefix = bytearray()
    while size > 0x7F:
        prefix.append(size & 0x7F | 0x80)
        size >>= 7
    prefix.append(size)
    return bytes(prefix) + data


def frame(data: bytes, *, ingested_at: int, waited_us: int = 0) -> bytes:
    """An event's bytes as received, and when, as they stand in a log file."""
    message = IngestedEvent(event=data, ingest_time=write_time(ingested_at), waited_us=waited_us)
    return delimited(message.SerializeToString(deterministic=True))


Received = tuple[bytes, int] | tuple[bytes, int, int]
"""An event's bytes, when they were received, and how long they had waited if they had."""


def write_log(file: BinaryIO, frames: Iterable[Received]) -> int:
    """A whole log file of events as they were received; how many there were."""
    file.write(HEADER)
    count = 0
    for data, ingested_at, *waited in frames:
        file.write(frame(data, ingested_at=ingested_at, waited_us=sum(waited)))
        count += 1
    return count


def check_header(data: Bytes) -> None:
    head = bytes(data[: len(HEADER)])
    for magic, name, tool in PACKED:
        if head.startswith(magic):
            raise NotALogFile(f"it is packed by {name}: unpack it first ({tool})")
    if head[: len(MAGIC)] != MAGIC:
        raise NotALogFile("it does not begin with PITLOG: it is no log file")
    if head != HEADER:
        version = head[-1] if len(head) == len(HEADER) else 0
        raise NotALogFile(f"it is of version {version}; this program reads version {VERSION}")


def spans(data: Bytes) -> Iterator[Span | BadBytes]:
    """Every frame of a log file, and every stretch of it that holds none."""
    check_header(data)
    offset, size = len(HEADER), len(data)
    while offset < size:
        found = _span_at(data, offset)
        if found is not None:
            yield found
            offset = found.offset + found.length
            continue
        following = _next_frame(data, offset)
        whole = following if following < size else size
        reason = "no frame begins here" if following < size else "no frame begins here, to the end"
        yield BadBytes(offset, whole - offset, reason)
        offset = whole


def table_of(data: Bytes, span: Span) -> str:
    """The stream that a frame belongs to, found without reading all of it where that can be."""
    try:
        message = IngestedEvent.FromString(data[span.offset : span.offset + span.length])
        event = message.event
        if len(event) > 2 and event[0] == _EVENT_TAG and event[1] < 0x80:
            return event[2 : 2 + event[1]].decode()
        return TableEvent.FromString(event).table_id
    except (DecodeError, UnicodeDecodeError):
        return ""


def event_at(data: Bytes, span: Span) -> Event:
    """The event of a frame, or `NotAnEvent` with the reason."""
    try:
        message = IngestedEvent.FromString(data[span.offset : span.offset + span.length])
        ingested_at = read_time(message.ingest_time)
    except DecodeError:
        raise NotAnEvent("the bytes are no IngestedEvent") from None
    except UnreadableMessage as error:
        raise NotAnEvent(f"ingest_time: {error.reason}") from None
    waited_us = max(message.waited_us, 0)
    return decode_event(message.event, ingested_at=ingested_at, waited_us=waited_us)


def _varint(data: Bytes, offset: int) -> tuple[int, int]:
    """A number and where it ends; -1 if there is none."""
    window = data[offset : offset + _VARINT_BYTES_MAX]
    if window and window[0] < 0x80:  # the usual case
        return window[0], offset + 1
    number = 0
    for place, byte in enumerate(window):
        number |= (byte & 0x7F) << 7 * place
        if byte < 0x80:
            return number, offset + place + 1
    return -1, offset


def _span_at(data: Bytes, offset: int) -> Span | None:
    """The frame that begins here: its parts must fill its length to the byte."""
    length, start = _varint(data, offset)
    end = start + length
    if not 2 <= length <= FRAME_BYTES_MAX or end > len(data) or data[start] != _EVENT_TAG:
        return None
    inner, place = _varint(data, start + 1)
    if inner < 0:
        return None
    place += inner
    if place < end and data[place] == _TIME_TAG:
        inner, place = _varint(data, place + 1)
        place += inner
    if place < end and data[place] == _WAITED_TAG:
        _, place = _varint(data, place + 1)
    return Span(start, length) if place == end else None


def _next_frame(data: Bytes, offset: int) -> int:
    """Where frames begin again: at one that is followed by another, or by the end."""
    size = len(data)
    for place in range(offset + 1, size - 1):
        span = _span_at(data, place)
        if span is None:
            continue
        end = span.offset + span.length
        if end == size or _span_at(data, end) is not None:
            return place
    return size
