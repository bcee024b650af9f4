"""Events of a table: bytes to `Event` and back.

The law: `decode_event(encode_event(event))` is the event, but for its digest, which is
made of the bytes, and its ingest time, which travels beside them; and the bytes of a
decoded event that we wrote are reproduced. Bytes that others wrote may say the same in
another way (hand 1 for hand 0, fields in another order): therefore digests are over the
bytes as received, never over bytes made anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from sys import intern
from typing import Any, Final, get_args

from google.protobuf.message import DecodeError

from blackjack.facts import CERTAIN, Event, Fact
from blackjack.play.clock import VALID_SINCE, VALID_UNTIL, nearest_valid
from casino.table.v1.event_pb2 import TableEvent
from wire.codec import generate
from wire.errors import NotAnEvent, UnreadableMessage, Unwritable
from wire.text_limits import NAME_MAX, check_texts
from wire.vocabulary import SECONDS_MAX, write_time

AT_MIN: Final = 1_000_000
"""The earliest time of an event, in microseconds: a clock that says nothing says 0."""

EVENT_BYTES_MAX: Final = 64 * 1024
"""A whole rule set takes one or two thousand; what is larger is a mistake or an attack."""

_LENGTH_DELIMITED: Final = 2
"""The wire type of a message in a message."""

HASH_SIZES: Final = (0, 32)
"""No hash, or one of SHA-256."""

_FIELDS: Final[Mapping[str, Any]] = TableEvent.DESCRIPTOR.fields_by_name
MEMBERS: Final[dict[type[Fact], str]] = {
    fact: re.sub(r"(?<!^)(?=[A-Z])", "_", fact.__name__).lower() for fact in get_args(Fact)
}
"""The name of each fact in the contract's `oneof fact`: `card_dealt` for `CardDealt`."""
_READERS: Final[dict[str, Callable[[Any], Fact]]] = {}
_FILLERS: Final[dict[type[Fact], Callable[[Any, Any], None]]] = {}
for _fact, _member in MEMBERS.items():
    _READERS[_member], _FILLERS[_fact] = generate(_fact, _FIELDS[_member].message_type)
_parse: Final = TableEvent.FromString


def tags_of(kinds: Iterable[str]) -> re.Pattern[bytes]:
    """Finds the tag of any of these facts, which an event of that kind has among its bytes.

    Where it finds none, the event is of another kind; where it finds one, only parsing decides.
    """
    tags = (_varint(_FIELDS[kind].number << 3 | _LENGTH_DELIMITED) for kind in sorted(kinds))
    return re.compile(b"|".join(map(re.escape, tags)))


def _varint(number: int) -> bytes:
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])


def decode_event(data: bytes, *, ingested_at: int = 0, waited_us: int = 0) -> Event:
    """The event that these bytes are, or `NotAnEvent` with the reason."""
    if len(data) > EVENT_BYTES_MAX:  # not even parsed
        raise NotAnEvent(f"{len(data)} bytes are more than the {EVENT_BYTES_MAX} of an event")
    try:
        message = _parse(data)
    except DecodeError:
        raise NotAnEvent("the bytes are no TableEvent, or were cut off") from None
    return read_event(message, len(data), sha256(data).digest(), ingested_at, waited_us)


def read_event(
    message: TableEvent, size: int, digest: bytes, ingested_at: int = 0, waited_us: int = 0
) -> Event:
    """The event of a message that takes `size` bytes, or `NotAnEvent` with the reason."""
    if size > NAME_MAX:  # in fewer bytes there is no longer text
        if size > EVENT_BYTES_MAX:
            raise NotAnEvent(f"{size} bytes are more than the {EVENT_BYTES_MAX} of an event")
        try:
            check_texts(message)
        except UnreadableMessage as error:
            raise NotAnEvent(error.reason) from None
    member = message.WhichOneof("fact")
    if member is None:
        raise NotAnEvent("no fact is set, or one that this contract does not know")
    # The same few names come with every event: kept once, they are hashed once, and a table's
    # last rounds take less memory.
    table = intern(message.table_id)
    seq = message.table_seq
    time = message.device_time
    seconds = time.seconds
    nanos = time.nanos
    confidence = message.confidence_permille or CERTAIN
    previous = message.previous_hash
    if not (
        table
        and seq
        and 0 < seconds <= SECONDS_MAX
        and 0 <= nanos <= 999_999_999
        and confidence <= CERTAIN
        and len(previous) in HASH_SIZES
    ):
        raise NotAnEvent(_envelope_problem(message))
    try:
        fact = _READERS[member](getattr(message, member))
    except UnreadableMessage as error:
        raise NotAnEvent(f"{member}: {error.reason}") from None
    if waited_us and ingested_at - waited_us < VALID_SINCE:
        waited_us = 0  # nothing waits since before any valid time
    at = seconds * 1_000_000 + nanos // 1000
    claimed_at = 0
    if not VALID_SINCE <= at < VALID_UNTIL:
        claimed_at, at = at, time_of_ingest(at, ingested_at, waited_us)
    return Event(
        table,
        seq,
        at,
        fact,
        intern(message.device_id),
        confidence,
        ingested_at,
        digest,
        previous,
        waited_us,
        claimed_at,
    )


def time_of_ingest(at: int, ingested_at: int, waited_us: int) -> int:
    """What counts as the time of an event whose clock says no valid one: when it was sent, or the
    nearest valid time where it passed no gateway."""
    return nearest_valid(ingested_at - waited_us if ingested_at else at)


def encode_event(event: Event) -> bytes:
    """The bytes of an event, always the same; digest and ingest time are not in them."""
    message = write_event(event)
    data = message.SerializeToString(deterministic=True)
    if len(data) > EVENT_BYTES_MAX:
        raise Unwritable(f"{len(data)} bytes are more than the {EVENT_BYTES_MAX} of an event")
    if len(data) > NAME_MAX:
        try:
            check_texts(message)
        except UnreadableMessage as error:
            raise Unwritable(error.reason) from None
    return data


def write_event(event: Event) -> TableEvent:
    """The message of an event, or `Unwritable` where no reader would take it back."""
    if not event.table:
        raise Unwritable("an event names its table")
    if event.seq < 1:
        raise Unwritable(f"table_seq runs from 1, and is {event.seq}")
    if event.at < AT_MIN:
        raise Unwritable(f"an event happens after 1970, not at {event.at} microseconds")
    if not 1 <= event.confidence <= CERTAIN:
        raise Unwritable(f"confidence runs from 1 to {CERTAIN}, and is {event.confidence}")
    if len(event.previous) not in HASH_SIZES:
        raise Unwritable(f"previous_hash has {len(event.previous)} bytes, not 0 or 32")
    member = MEMBERS[type(event.fact)]
    try:
        message = TableEvent(
            table_id=event.table,
            table_seq=event.seq,
            previous_hash=event.previous,
            device_id=event.device,
            confidence_permille=0 if event.confidence == CERTAIN else event.confidence,
            device_time=write_time(event.claimed_at or event.at),
        )
        fact = getattr(message, member)
        fact.SetInParent()
        _FILLERS[type(event.fact)](event.fact, fact)
    except (TypeError, ValueError) as error:
        raise Unwritable(f"{member}: {error}") from error
    return message


def _envelope_problem(message: TableEvent) -> str:
    if not message.table_id:
        return "table_id is not stated"
    if not message.table_seq:
        return "table_seq is not stated; it runs from 1"
    if not message.HasField("device_time"):
        return "device_time is not stated"
    if message.confidence_permille > CERTAIN:
        return f"confidence_permille is {message.confidence_permille}, above {CERTAIN}"
    if len(message.previous_hash) not in HASH_SIZES:
        return f"previous_hash has {len(message.previous_hash)} bytes, not 0 or 32"
    time = message.device_time
    return f"device_time is out of range: {time.seconds} seconds, {time.nanos} nanoseconds"
