"""The log as text: one JSON object a line, in protobuf's JSON mapping.

A line is a `TableEvent`, which people can read and write, or an `IngestedEvent`, which
keeps the very bytes of the event and its ingest time (known by its key `event`).

Digests. An `IngestedEvent` has the digest of the bytes it carries. A `TableEvent` has no
bytes; its digest is that of its deterministic serialisation, so that a stream we wrote
keeps its chain through text. But a text that somebody typed has no chain, and must not
be checked against one: a line that names no `previousHash` gets no digest, and then it
is not checked. Lines that start a chain name none either, and do get one, for the next
line to name: the first event of a table, and `ControllerRestarted`. A caller who knows
that the stream is `chained` has every line checked.
"""

from __future__ import annotations

import json
from typing import Any, Final, Never, TypeVar, cast

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from blackjack.facts import ControllerRestarted, Event
from casino.settlement.v1.record_pb2 import SettlementRecord
from casino.table.v1.event_pb2 import IngestedEvent, TableEvent
from wire.chain import digest
from wire.errors import NotAnEvent, NotARecord, UnreadableMessage, Unwritable
from wire.events import MEMBERS, decode_event, read_event, write_event
from wire.json_shape import check_shape
from wire.settlement import Record, read_record, write_record
from wire.vocabulary import read_time, write_time

M = TypeVar("M", bound=Message)
_RESTART: Final = MEMBERS[ControllerRestarted]


def event_from_json(line: str, *, chained: bool = False) -> Event:
    """The event of a line; `NotAnEvent` says in plain words what is wrong with it."""
    try:
        fields = _object(line)
        if "event" in fields:
            frame = _message(fields, IngestedEvent())
            return decode_event(
                frame.event,
                ingested_at=read_time(frame.ingest_time),
                waited_us=max(frame.waited_us, 0),
            )
        message = _message(fields, TableEvent())
    except UnreadableMessage as error:
        raise NotAnEvent(error.reason) from None
    starts = message.table_seq == 1 or message.WhichOneof("fact") == _RESTART
    is_checked = chained or starts or bool(message.previous_hash)
    return read_event(message, message.ByteSize(), _digest(message) if is_checked else b"")


def event_to_json(event: Event) -> str:
    """The line of an event, without its ingest time.

    An event whose digest is not that of our own serialisation cannot be told in this
    form without breaking its chain: `frame_to_json` keeps its bytes.
    """
    message = write_event(event)
    if event.digest and event.digest != _digest(message):
        raise Unwritable("the digest is that of other bytes; write the frame, not the event")
    return _line(message)


def frame_to_json(frame: bytes, *, ingested_at: int = 0) -> str:
    """The line of an event's bytes as received, with its ingest time."""
    return _line(IngestedEvent(event=frame, ingest_time=write_time(ingested_at)))


def record_to_json(record: Record) -> str:
    """The line of what settlement said."""
    return _line(write_record(record))


def record_from_json(line: str) -> Record:
    try:
        return read_record(_message(_object(line), SettlementRecord()))
    except UnreadableMessage as error:
        raise NotARecord(error.reason) from None


def _digest(message: TableEvent) -> bytes:
    return digest(message.SerializeToString(deterministic=True))


def _line(message: Message) -> str:
    fields = json_format.MessageToDict(message)
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _object(line: str) -> dict[str, Any]:
    try:
        fields = json.loads(line, object_pairs_hook=_no_key_twice, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise UnreadableMessage(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise UnreadableMessage("the JSON is nested too deeply") from None
    except UnreadableMessage:
        raise
    except ValueError as error:
        raise UnreadableMessage(f"not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise UnreadableMessage("a line must be one JSON object, in braces")
    return fields


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise UnreadableMessage(f'the key "{twice}" stands twice in one object')
    return fields


def _no_constant(name: str) -> Never:
    raise UnreadableMessage(f"{name} is no number")


def _message(fields: dict[str, Any], message: M) -> M:
    try:
        check_shape(fields, cast(Descriptor, message.DESCRIPTOR))
        return json_format.ParseDict(fields, message)
    except RecursionError:
        raise UnreadableMessage("the JSON is nested too deeply") from None
    except (json_format.ParseError, TypeError, ValueError) as error:
        if isinstance(error, UnreadableMessage):
            raise
        raise UnreadableMessage(str(error).splitlines()[0]) from None
