"""Codecs between the engine's structs and the contract's messages, derived from both.

A struct and its message have the same fields, so neither direction is written by hand: `derive`
generates a function that reads a message and one that fills it. They are generated as source and
compiled once, at import, because every event passes through them: going through the fields at
every call would take several times as long. For `PlayerActed` this is generated:

    def read_PlayerActed(message):
        return PlayerActed(
            message.seat, Action_of[message.action], message.hand or 1, message.cents
        )

    def fill_PlayerActed(value, message):
        if value.seat: message.seat = value.seat
        message.action = number_of_Action[value.action]
        if value.hand != 1: message.hand = value.hand
        if value.cents: message.cents = value.cents

Rules that neither side states are in the tables below.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from keyword import iskeyword
from sys import intern
from types import NoneType
from typing import Any, Final, Generic, NamedTuple, Never, TypeVar, cast, get_args, get_origin

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.timestamp_pb2 import Timestamp
from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

from blackjack.cards.card import Card
from blackjack.facts import CardDealt, PromotionDefined, RoundOpened
from blackjack.findings import Kind
from blackjack.money import Odds
from wire.errors import NotARecord, UnreadableMessage, Unwritable
from wire.vocabulary import (
    CARD_NUMBERS,
    CARDS,
    ENUMERATIONS,
    READ_CARDS,
    fill_time,
    read_kind,
    read_time,
)

S = TypeVar("S", bound=Struct)
M = TypeVar("M", bound=Message)

RENAMED: Final = {"table": "table_id", "since": "from", "face_up": "face_down"}
"""Fields that have another name in the contract."""

REQUIRED: Final = frozenset({(RoundOpened, "round"), (PromotionDefined, "terms")})
"""Fields that have no default, and are refused where they are empty or left out."""

SPECIAL: Final[dict[tuple[type[Struct], str], tuple[str, str]]] = {
    (CardDealt, "face_up"): (
        "not message.face_down",
        "if not value.face_up: message.face_down = True",
    ),
    (Odds, "stake"): (
        "message.stake or 1",
        "message.stake = value.stake or refuse(f'odds of {value.win} to 0 mean nothing')",
    ),
}
"""The expression that reads a field, and the statement that fills it in."""


class MessageCodec(NamedTuple, Generic[S, M]):
    """A struct and its message, in both directions."""

    message: type[M]
    read: Callable[[M], S]
    fill: Callable[[S, M], None]
    """Into an empty message, where it belongs: made on its own, it would be copied there."""

    def write(self, value: S) -> M:
        message = self.message()
        self.fill(value, message)
        return message


def derive(struct: type[S], message: type[M]) -> MessageCodec[S, M]:
    """The codec of a struct with all structs in it, or `TypeError` where the message differs."""
    descriptor: Any = message.DESCRIPTOR
    return MessageCodec(message, *generate(struct, descriptor))


def parse(message: type[M], data: bytes) -> M:
    """The message of these bytes, or `NotARecord`."""
    try:
        return message.FromString(data)
    except DecodeError:
        name = message.DESCRIPTOR.name
        raise NotARecord(f"the bytes are no {name}, or were cut off") from None


def read_record(codec: MessageCodec[S, M], message: M) -> S:
    """The value of a message, or `NotARecord`."""
    try:
        return codec.read(message)
    except UnreadableMessage as error:
        raise NotARecord(error.reason) from None


def write_record(codec: MessageCodec[S, M], value: S, name: str) -> M:
    """The message of a value, or `Unwritable` with its name."""
    try:
        return codec.write(value)
    except (TypeError, ValueError) as error:
        raise Unwritable(f"{name}: {error}") from error


@cache
def generate(struct: type[Struct], message: Descriptor) -> tuple[Any, Any]:
    """The functions that read and fill the message of a struct, as `MessageCodec` has them."""
    name = struct.__name__
    own_names = {_wire_name(field) for field in fields(struct)}
    differing = own_names ^ {field.name for field in message.fields}
    if differing:
        raise TypeError(f"{name} and {message.full_name} differ in {', '.join(sorted(differing))}")
    names: dict[str, Any] = {**_NAMES, name: struct}
    parts = [_field(struct, field, message, names) for field in fields(struct)]
    made = f"{name}({', '.join(read for read, _ in parts)})"
    if not parts:  # all of them are equal: one is enough
        made = f"the_{name}"
        names[made] = struct()
    lines = [
        f"def read_{name}(message):",
        f"    return {made}",
        f"def fill_{name}(value, message):",
        *(f"    {fill}" for _, fill in parts),
        "    return",
    ]
    exec(compile("\n".join(lines), f"<codec of {name}>", "exec"), names)
    return names[f"read_{name}"], names[f"fill_{name}"]


def _wire_name(field: FieldInfo) -> str:
    return RENAMED.get(field.name, field.name)


def _field(
    struct: type[Struct], field: FieldInfo, message: Descriptor, names: dict[str, Any]
) -> tuple[str, str]:
    """The expression that reads a field, and the statement that fills it in."""
    if (struct, field.name) in SPECIAL:
        return SPECIAL[struct, field.name]
    name = _wire_name(field)
    wire = message.fields_by_name[name]
    there = f"getattr(message, '{name}')" if iskeyword(name) else f"message.{name}"
    here = f"value.{field.name}"
    if wire.is_repeated:
        return _values(field.type, wire, there, here, names)
    if name == "hand" and field.default == 1:  # left out where it is the first, as nearly always
        return "message.hand or 1", "if value.hand != 1: message.hand = value.hand"
    if name == "wager":  # of a few names: kept once, each is hashed once
        return "intern(message.wager)", "if value.wager: message.wager = value.wager"
    part = wire.message_type
    if part is not None and part.full_name == Timestamp.DESCRIPTOR.full_name:
        return f"read_time({there})", f"if {here}: fill_time({here}, {there})"
    read, write = _value(field.type, wire, names)
    reading = read.format(there)
    if part is not None:
        filling = f"{there}.SetInParent(); {write.format(here, there)}"
    elif field.type in (bool, int, str) and not wire.has_presence:
        # To see that it is empty takes less time than to set it.
        filling = f"if {here}: {there} = {here}"
    else:
        filling = f"{there} = {write.format(here)}"
    if (struct, field.name) in REQUIRED:
        stated = there if part is None else f"message.HasField('{name}')"
        reading = f"{reading} if {stated} else unstated('{name}')"
        if part is None:
            filling = f"{there} = {here} or refuse('{name} is not stated')"
    elif wire.has_presence and field.default is not NODEFAULT:
        names[f"default_{name}"] = field.default
        reading = f"{reading} if message.HasField('{name}') else default_{name}"
        if field.default is None:
            filling = f"if {here} is not None: {filling}"
    return reading, filling


def _values(
    kind: Any, wire: FieldDescriptor, there: str, here: str, names: dict[str, Any]
) -> tuple[str, str]:
    """The same for a list or a mapping."""
    if get_origin(kind) is dict:
        item = cast(Descriptor, wire.message_type).fields_by_name["value"]
        read, write = _value(get_args(kind)[1], item, names)
        if item.message_type is None:
            return f"dict({there})", f"{there}.update({here})"
        return (
            f"{{key: {read.format('item')} for key, item in {there}.items()}}",
            f"for key, item in {here}.items(): {write.format('item', f'{there}[key]')}",
        )
    read, write = _value(get_args(kind)[0], wire, names)
    if wire.message_type is not None:
        filling = f"for item in {here}: {write.format('item', f'{there}.add()')}"
    elif read == "{}":
        return f"tuple({there})", f"if {here}: {there}.extend({here})"
    else:
        filling = f"if {here}: {there}.extend([{write.format('item')} for item in {here}])"
    return f"tuple([{read.format('item')} for item in {there}])", filling


def _value(kind: Any, wire: FieldDescriptor, names: dict[str, Any]) -> tuple[str, str]:
    """How one value is read, and how it is written; braces stand for where it is."""
    if kind == Card | None:
        return "CARDS[{}]", "CARD_NUMBERS[{}]"
    if kind is Card:
        return "READ_CARDS[{}]", "CARD_NUMBERS[{}]"
    if kind is Kind:
        return "read_kind({})", "{}.value"
    (kind,) = (
        get_argument for get_argument in get_args(kind) or (kind,) if get_argument is not NoneType
    )
    if kind in ENUMERATIONS:
        name = kind.__name__
        names[f"{name}_of"], names[f"number_of_{name}"] = ENUMERATIONS[kind]
        return f"{name}_of[{{}}]", f"number_of_{name}[{{}}]"
    if wire.message_type is not None:
        name = kind.__name__
        names[f"read_{name}"], names[f"fill_{name}"] = generate(kind, wire.message_type)
        return f"read_{name}({{}})", f"fill_{name}({{}}, {{}})"
    if kind not in (bool, float, int, str):
        raise TypeError(f"{wire.full_name}: {kind} has no place in a message")
    return "{}", "{}"


def _unstated(name: str) -> Never:
    raise UnreadableMessage(f"{name} is not stated")


def _reject(reason: str) -> Never:
    raise Unwritable(reason)


_NAMES: Final = {
    "CARDS": CARDS,
    "CARD_NUMBERS": CARD_NUMBERS,
    "READ_CARDS": READ_CARDS,
    "fill_time": fill_time,
    "intern": intern,
    "read_kind": read_kind,
    "read_time": read_time,
    "refuse": _reject,
    "unstated": _unstated,
}
"""What generated source may refer to."""
