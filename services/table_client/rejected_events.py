"""Events that the gateway rejected, kept for people: one line of JSON each, beside the outbox.

The stream of the table goes on without them, so this file is the only place at the table where
the bytes still are. It is only ever appended to, after its last whole line; people may delete it
once they have read it.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from table_client.record_file import RecordFile


class RejectedEvent(msgspec.Struct, frozen=True):
    """The number of an event, why it was rejected, and its bytes."""

    table: str
    seq: int
    code: str
    reason: str
    event: bytes
    """As JSON it is written in base64."""


def append(path: Path, rejected: RejectedEvent) -> None:
    """Append one event; it is on disk when this returns."""
    path.touch()
    file = RecordFile(path, path.read_bytes().rfind(b"\n") + 1)
    try:
        file.append(msgspec.json.encode(rejected) + b"\n")
        file.sync()
    finally:
        file.close()


def read(path: Path) -> list[RejectedEvent]:
    """All events in the order of rejection; one may be there twice, if a crash came between."""
    if not path.exists():
        return []
    whole, _, _ = path.read_bytes().rpartition(b"\n")  # a crash may have cut off the last line
    return [msgspec.json.decode(line, type=RejectedEvent) for line in whole.splitlines() if line]
