"""What cannot be worked on is set aside with the reason, and the rest goes on."""

from __future__ import annotations

from typing import Any, Final

from faust.types import Message

from runtime.kafka.records import Output
from wire import dead_letters

UNREADABLE: Final = dead_letters.UNREADABLE
MISPLACED: Final = dead_letters.MISPLACED
NOT_WATCHED: Final = "not_watched"
"""The code of what could be read, and on which surveillance failed: a mistake of ours."""


def dead_letter(topic: str, message: Message, *, code: str, reason: str) -> Output:
    value, key, headers = dead_letters.dead_letter(
        topic=message.topic,
        partition=message.partition,
        offset=message.offset,
        key=message.key,
        value=message.value,
        code=code,
        reason=reason,
    )
    return Output(topic, value, key, headers=headers)


def header(message: Message, name: str) -> bytes | None:
    """The last of that name, as Kafka's own clients have it."""
    given: Any = message.headers or ()
    found: bytes | None = None
    for key, value in given:
        if key == name:
            found = value
    return found
