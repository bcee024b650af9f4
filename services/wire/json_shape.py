"""Whether a JSON object has the shape of a message, said in plain words.

protobuf's own reader is lenient where a log must not be (a list for an object, letters
that are no base64, two spellings of one field), and speaks of Python when it complains.
So the shape is checked first, field by field, and the complaint names the place:
`cardDealt.seat: -1 is not a whole number from 0 to 4294967295`.
"""

from __future__ import annotations

import difflib
import json
import re
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.timestamp_pb2 import Timestamp

from wire.errors import UnreadableMessage

_RANGES: Final = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}
_WHOLE: Final = re.compile(r"-?[0-9]{1,20}")
_BASE64: Final = re.compile(r"([A-Za-z0-9+/_-]{4})*([A-Za-z0-9+/_-]{2,3}={0,2})?")


def check_shape(value: object, message: Descriptor, *, place: str = "") -> None:
    """Raise `UnreadableMessage` at the first thing that is not as the contract says."""
    if not isinstance(value, dict):
        raise _unfit(place, value, "an object in braces")
    spellings: dict[str, str] = {}
    choices: dict[str, str] = {}
    for name, member in value.items():
        field = message.fields_by_camelcase_name.get(name) or message.fields_by_name.get(name)
        if field is None:
            raise UnreadableMessage(_unknown(name, message, place))
        other = spellings.setdefault(field.name, name)
        if other != name:
            raise UnreadableMessage(f'"{other}" and "{name}" are the same field')
        if member is None:
            continue
        choice = field.containing_oneof
        other = choices.setdefault(choice.name, name) if choice is not None else name
        if other != name:
            raise UnreadableMessage(f'"{other}" and "{name}" are both given, and only one may be')
        _check_field(member, field, f"{place}.{name}" if place else name)


def _check_field(value: object, field: FieldDescriptor, place: str) -> None:
    entry = field.message_type
    if entry is not None and entry.GetOptions().map_entry:
        if not isinstance(value, dict):
            raise _unfit(place, value, "an object in braces")
        for name, member in value.items():
            if not _is_text(name):
                raise _unfit(place, name, "a text in quotes")
            _check_value(member, entry.fields_by_name["value"], f"{place}.{name}")
    elif field.is_repeated:
        if not isinstance(value, list):
            raise _unfit(place, value, "a list in brackets")
        for index, element in enumerate(value):
            _check_value(element, field, f"{place}[{index}]")
    else:
        _check_value(value, field, place)


def _check_value(value: object, field: FieldDescriptor, place: str) -> None:
    if field.message_type is not None:
        if field.message_type.full_name != "google.protobuf.Timestamp":
            check_shape(value, field.message_type, place=place)
        elif not _is_time(value):
            raise _unfit(place, value, 'a time such as "2026-03-01T20:15:00.250Z"')
    elif field.enum_type is not None:
        _check_enum(value, field.enum_type, place)
    elif field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        if not isinstance(value, bool):
            raise _unfit(place, value, "true or false, without quotes")
    elif field.type == FieldDescriptor.TYPE_BYTES:
        if not (isinstance(value, str) and _BASE64.fullmatch(value)):
            raise _unfit(place, value, "bytes written in base64")
    elif field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        if not _is_text(value):
            raise _unfit(place, value, "a text in quotes")
    else:
        _check_whole(value, field, place)


def _check_enum(value: object, enum: EnumDescriptor, place: str) -> None:
    if isinstance(value, str) and value not in enum.values_by_name:
        near = difflib.get_close_matches(value.upper(), enum.values_by_name, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise UnreadableMessage(f"{place}: {_shown(value)} is not a {enum.name}{hint}")
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise _unfit(place, value, f"a {enum.name}")
    if isinstance(value, int) and value not in enum.values_by_number:
        raise _unfit(place, value, f"the number of a {enum.name}")


def _check_whole(value: object, field: FieldDescriptor, place: str) -> None:
    least, most = _RANGES[field.cpp_type]
    number: Any = value
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        number = int(value)
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
        raise _unfit(place, value, f"a whole number from {least} to {most}")


def _is_time(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        Timestamp().FromJsonString(value)
    except (ValueError, OverflowError):
        return False
    return True


def _is_text(value: object) -> bool:
    """Whether it is text that UTF-8 can carry: JSON can spell half a character."""
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _unfit(place: str, value: object, wanted: str) -> UnreadableMessage:
    problem = f"{_shown(value)} is not {wanted}"
    return UnreadableMessage(f"{place}: {problem}" if place else problem)


def _unknown(name: str, message: Descriptor, place: str) -> str:
    near = difflib.get_close_matches(name, message.fields_by_camelcase_name, n=1)
    hint = f'; did you mean "{near[0]}"?' if near else ""
    where = f"{place}: " if place else ""
    return f"{where}there is no field {_shown(name)} in {message.name}{hint}"
