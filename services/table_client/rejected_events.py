"""What the gateway refused, kept for people: one line of JSON each, beside the journal.

The stream of the table goes on without it, so this file is the only place at the table where
the bytes still are. It is only ever appended to, after its last whole line; whoever has looked
into it may delete it.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from table_client.record_file import RecordFile


class SetAside(msgspec.Struct, frozen=True):
    """An event that was refused: its number, why, and its bytes."""

    table: str
    seq: int
    code: str
    reason: str
    event: bytes
    """As JSON it is written in base64."""


def keep(path: Path, refused: SetAside) -> None:
    """On disk when this returns."""
    path.touch()
    file = RecordFile(path, path.read_bytes().rfind(b"\n") + 1)
    try:
        file.append(msgspec.json.encode(refused) + b"\n")
        file.sync()
    finally:
        file.close()


def kept(path: Path) -> list[SetAside]:
    """In the order of refusal; the same twice, if a crash came between."""
    if not path.exists():
        return []
    whole, _, _ = path.read_bytes().rpartition(b"\n")  # a crash may have cut off the last line
    return [msgspec.json.decode(line, type=SetAside) for line in whole.splitlines() if line]
