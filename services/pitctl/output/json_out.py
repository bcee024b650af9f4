"""JSON for programs: names as in the contract, numbers with all known digits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any, Final

import msgspec
from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

PLACES: Final = 15
"""Decimals of every figure that is exact."""

_ENCODER: Final = msgspec.json.Encoder(decimal_format="number")
_WIDE: Final = (FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64)


def write_json(file: IO[bytes], value: Any) -> None:
    """Write a value; exact decimals are numbers with all their places."""
    file.write(msgspec.json.format(_ENCODER.encode(value), indent=2) + b"\n")


def print_fields(message: Message, *, indent: int | None = None) -> None:
    """One JSON object on standard output."""
    print(json.dumps(fields_of(message), ensure_ascii=False, indent=indent), flush=True)


def fields_of(message: Message) -> dict[str, Any]:
    """A message with the names of its `.proto` file, all its fields, and numbers as numbers.

    protobuf's own mapping writes 64-bit numbers as text for the sake of JavaScript; cents and
    offsets stay far below what that can hold.
    """
    shown: dict[str, Any] = json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return _with_numbers(shown, message.DESCRIPTOR.fields_by_name)


def _with_numbers(shown: dict[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _number(value, fields[name]) for name, value in shown.items()}


def _number(value: Any, field: FieldDescriptor) -> Any:
    kind = field.message_type
    if isinstance(value, list):
        return [_number(item, field) for item in value]
    if kind is not None and kind.GetOptions().map_entry:
        of = kind.fields_by_name["value"]
        return {name: _number(item, of) for name, item in value.items()}
    if isinstance(value, dict) and kind is not None:
        return _with_numbers(value, kind.fields_by_name)
    return int(value) if field.cpp_type in _WIDE else value
