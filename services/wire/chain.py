"""The chain of hashes: each event names the SHA-256 of the bytes of the one before.

Whoever changes, drops, inserts or reorders events must change every later one as well.
What a chain cannot show is that its last events are missing, or that the very last was
changed: for that, somebody else must have kept its digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from enum import StrEnum

from google.protobuf.message import DecodeError
from msgspec import Struct

from casino.table.v1.event_pb2 import TableEvent

_sha256 = hashlib.sha256


class ChainBreak(StrEnum):
    """What is wrong at a place of the chain."""

    LINK = "link"
    """The event names another event before it than the one that is there."""
    CONFLICT = "conflict"
    """Two events with different bytes have the same number."""
    FOREIGN = "foreign"
    """The event is another table's."""
    UNREADABLE = "unreadable"
    """The bytes are no event; the number is that of the event before, plus one."""


class ChainProblem(Struct, frozen=True):
    """One break: at which number, which digest was expected, which was found."""

    sequence: int
    expected: bytes
    found: bytes
    kind: ChainBreak = ChainBreak.LINK


class _ChainLink(Struct, frozen=True):
    digest: bytes
    previous: bytes
    starts_chain: bool


def digest(data: bytes) -> bytes:
    """The SHA-256 of an event's bytes, exactly as received."""
    return _sha256(data).digest()


def verify(frames: Iterable[bytes]) -> tuple[ChainProblem, ...]:
    """Every break in one table's stream, in the order of its numbers.

    Frames may come twice or late, as the log allows; numbers decide their order. The
    first event of a table names nothing; one that starts an extract is taken at its
    word. `ControllerRestarted` starts anew, whatever it names.
    """
    problems: list[ChainProblem] = []
    links: dict[int, _ChainLink] = {}
    table = ""
    sequence = 0
    for frame in frames:
        found = digest(frame)
        try:
            message = TableEvent.FromString(frame)
        except DecodeError:
            sequence += 1
            problems.append(ChainProblem(sequence, b"", found, ChainBreak.UNREADABLE))
            continue
        sequence = message.table_seq
        table = table or message.table_id
        if message.table_id != table:
            problems.append(ChainProblem(sequence, b"", found, ChainBreak.FOREIGN))
            continue
        starts_chain = message.HasField("controller_restarted")
        link = _ChainLink(found, message.previous_hash, starts_chain)
        known = links.setdefault(sequence, link)
        if known.digest != found:
            problems.append(ChainProblem(sequence, known.digest, found, ChainBreak.CONFLICT))
    problems.extend(_broken_links(links))
    return tuple(sorted(problems, key=lambda problem: problem.sequence))


def _broken_links(links: dict[int, _ChainLink]) -> Iterable[ChainProblem]:
    before: _ChainLink | None = None
    for sequence in sorted(links):
        link = links[sequence]
        if before is not None:
            expected = before.digest
        elif sequence == 1:
            expected = b""
        else:
            expected = link.previous
        if link.previous != expected and not link.starts_chain:
            yield ChainProblem(sequence, expected, link.previous)
        before = link
