"""Texts of a request that no row can hold: a zero byte, or more characters than it has room for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from google.protobuf.message import Message

from runtime.query_errors import InvalidQuery


def bad_texts(
    message: Message,
    characters_max: int | None = None,
    *,
    longer: Mapping[str, int] | None = None,
    within: str = "",
) -> Iterator[tuple[str, str]]:
    """Each such text, at any depth: its field and its problem.

    `longer` are the fields, by name, that may have more characters than the others.
    """
    for field, value in message.ListFields():
        name = within + field.name
        if isinstance(value, Mapping):
            values = [*value.keys(), *value.values()]
        else:
            values = list(value) if field.is_repeated else [value]
        most = (longer or {}).get(field.name, characters_max)
        for part in values:
            if isinstance(part, Message):
                yield from bad_texts(part, characters_max, longer=longer, within=f"{name}.")
            elif isinstance(part, str) and "\0" in part:
                yield name, "a text has no zero byte"
            elif isinstance(part, str) and most is not None and len(part) > most:
                yield name, f"a text of {len(part)} characters: at most {most}"


def reject_bad_texts(
    request: Message,
    characters_max: int | None = None,
    *,
    longer: Mapping[str, int] | None = None,
) -> None:
    """Raises `InvalidQuery` for the first such text."""
    for field, problem in bad_texts(request, characters_max, longer=longer):
        raise InvalidQuery(field, problem)
