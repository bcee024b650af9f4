"""Texts of a request that no row can hold: the database knows no zero byte."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from google.protobuf.message import Message

from round_archive.errors import BadQuestion


def refuse_zero_bytes(request: Message, within: str = "") -> None:
    """Raises `BadQuestion` for the first text, at any depth, that has a zero byte."""
    for field, value in request.ListFields():
        name = within + field.name
        values: Collection[Any] = value if field.is_repeated else (value,)
        if isinstance(value, Mapping):
            values = [*value.keys(), *value.values()]
        for each in values:
            if isinstance(each, Message):
                refuse_zero_bytes(each, f"{name}.")
            elif isinstance(each, str) and "\0" in each:
                raise BadQuestion(name, "a text has no zero byte")
