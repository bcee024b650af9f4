"""Entries of a controller to the bytes that it sends: numbered, hash-chained, never made twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from table_simulator.domain.faults.draft import Entry
from wire.chain import digest
from wire.events import encode_event


@dataclass(frozen=True, slots=True)
class Frame:
    """The bytes of a `TableEvent`, and when the gateway receives them."""

    stream: str
    seq: int
    data: bytes
    ingested_at: int


def seal(entries: Iterable[Entry]) -> Iterator[Frame]:
    """What arrives of a stream. Each event names the hash of the one before, as it was made.

    What was lost on the way is in the chain all the same; a twin hangs on it and nothing
    hangs on the twin; an event that names a predecessor of its own keeps it.
    """
    head = before = b""
    for entry in entries:
        event = entry.event
        if entry.is_twin:
            data = encode_event(replace(event, previous=before))
        else:
            data = encode_event(event if event.previous else replace(event, previous=head))
            before, head = head, digest(data)
        if not entry.is_lost:
            yield Frame(event.table, event.seq, data, event.ingested_at)
