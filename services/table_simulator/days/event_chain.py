"""Entries of a controller to the bytes that it sends: numbered, hash-chained, never made twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from msgspec.structs import replace

from blackjack.facts import ControllerRestarted, Event, RoundClosed
from table_simulator.domain.faults.draft import Noise, StreamEntry
from wire.chain import digest
from wire.events import EVENT_BYTES_MAX, encode_event


@dataclass(frozen=True, slots=True)
class Frame:
    """The bytes of a `TableEvent`, and when the gateway receives them."""

    stream: str
    seq: int
    data: bytes
    ingested_at: int
    ends_round: bool = False


@dataclass(frozen=True, slots=True)
class StrayMessage:
    """Bytes that are no next event of their stream, sent once the log has event `after_seq`.

    `rejected_as` is the code with which the gateway rejects them; empty: it ignores them.
    """

    stream: str
    after_seq: int
    data: bytes
    ingested_at: int
    rejected_as: str = ""


@dataclass(frozen=True, slots=True)
class ControllerScript:
    """The messages of one controller: its events, in order, and stray messages."""

    stream: str
    frames: tuple[Frame, ...]
    asides: tuple[StrayMessage, ...]


def seal_events(entries: Iterable[StreamEntry]) -> Iterator[Frame]:
    """The frames that arrive. Each event names the hash of the one before, as it was made.

    A lost event is in the chain all the same. A twin follows the chain, and nothing follows the
    twin. An event that names a predecessor of its own keeps it.
    """
    head = before = b""
    for entry in entries:
        event = entry.event
        if entry.noise:
            continue
        if entry.is_twin:
            data = encode_event(replace(event, previous=before))
        else:
            data = encode_event(event if event.previous else _after(head, event))
            before, head = head, digest(data)
        if not entry.is_lost:
            yield _frame(event, data)


def script_of(stream: str, entries: Iterable[StreamEntry]) -> ControllerScript:
    """The messages of a stream's controller to a gateway, which rejects some of them.

    An event that names another predecessor is rejected, and sent again with the right one. A
    twin is rejected and not sent again. A lost event is never sent: the next one declares it.
    """
    frames: list[Frame] = []
    asides: list[StrayMessage] = []
    ahead: list[int] = []
    head = before = b""
    for entry in entries:
        event, seq = entry.event, entry.event.seq
        if entry.noise is Noise.AHEAD:
            ahead.append(len(frames) + 1)
        elif entry.noise:
            asides.append(_aside(event, *_noise(entry.noise, event, frames[-1].data)))
        elif entry.is_twin:
            asides.append(_aside(event, encode_event(replace(event, previous=before)), "conflict"))
        else:
            if event.previous:
                wrong = encode_event(event)
                asides.append(
                    StrayMessage(stream, seq - 1, wrong, event.ingested_at, "chain_broken")
                )
            data = encode_event(_after(head, event))
            before, head = head, digest(data)
            if not entry.is_lost:
                frames.append(_frame(event, data))
    for place in ahead:
        early, now = frames[place], frames[place - 2]
        asides.append(StrayMessage(stream, now.seq, early.data, now.ingested_at, "out_of_order"))
    asides.sort(key=lambda aside: aside.after_seq)
    return ControllerScript(stream, tuple(frames), tuple(asides))


def _after(head: bytes, event: Event) -> Event:
    """The event as it hangs on the one before; after a restart, on none."""
    return replace(event, previous=b"" if type(event.fact) is ControllerRestarted else head)


def _frame(event: Event, data: bytes) -> Frame:
    ends_round = type(event.fact) is RoundClosed
    return Frame(event.table, event.seq, data, event.ingested_at, ends_round)


def _aside(event: Event, data: bytes, rejected_as: str) -> StrayMessage:
    return StrayMessage(event.table, event.seq, data, event.ingested_at, rejected_as)


def _noise(noise: Noise, event: Event, last: bytes) -> tuple[bytes, str]:
    """The stray message after the last event, and the gateway's code for it."""
    match noise:
        case Noise.GARBAGE:
            return bytes(byte ^ 0xA5 for byte in last), "malformed"
        case Noise.OVERSIZED:
            return last * (EVENT_BYTES_MAX // len(last) + 1), "oversized"
        case Noise.FOREIGN:
            stray = replace(event, table=f"{event.table}-X", seq=event.seq + 1)
            return encode_event(replace(stray, previous=digest(last))), "foreign"
        case Noise.AGAIN:
            return last, ""
        case Noise.AHEAD:
            raise ValueError("an event ahead is sealed later")
        case _:
            assert_never(noise)
