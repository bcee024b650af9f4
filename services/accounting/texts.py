"""Texts of a request that no row can hold: a zero byte, or more than a name has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from google.protobuf.message import Message

from accounting.errors import BadQuestion, Malformed
from accounting.reading import NAME_MAX

LONG: Final = {"reason": 2_000, "note": 2_000, "csv": 3_000_000}
"""Characters of what is more than a name."""


def refuse_bad_texts(request: Message) -> None:
    """Of a question: raises `BadQuestion` for the first such text, at any depth."""
    for field, problem in _problems(request):
        raise BadQuestion(field, problem)


def refuse_bad_names(event: Message) -> None:
    """Of a fact that is to be entered: the same as `Malformed`."""
    for field, problem in _problems(event):
        raise Malformed("unreadable", f"{field}: {problem}")


def _problems(message: Message, within: str = "") -> Iterator[tuple[str, str]]:
    for field, value in message.ListFields():
        name = within + field.name
        for each in list(value) if field.is_repeated else [value]:
            if isinstance(each, Message):
                yield from _problems(each, f"{name}.")
            elif isinstance(each, str):
                characters_max = LONG.get(field.name, NAME_MAX)
                if "\0" in each:
                    yield name, "a text has no zero byte"
                elif len(each) > characters_max:
                    yield name, f"a text of {len(each)} characters: at most {characters_max}"
