"""What cannot be worked on is set aside with the reason, and the rest goes on."""

from __future__ import annotations

from typing import Any, Final

from faust.types import Message

from runtime.kafka.records import Headers, Output
from wire import headers
from wire.chain import digest
from wire.events import EVENT_BYTES_MAX

UNREADABLE: Final = "unreadable"
"""The code of what no codec reads."""
NOT_WATCHED: Final = "not_watched"
"""The code of what could be read, and on which surveillance failed: a mistake of ours."""
KEY_BYTES_MAX: Final = 1024


def dead_letter(topic: str, message: Message, *, code: str, reason: str) -> Output:
    """As much of a message as is kept; `length` and the digest tell of the whole."""
    value = message.value or b""
    known: Headers = [
        (headers.SOURCE_TOPIC, message.topic.encode()),
        (headers.SOURCE_PARTITION, b"%d" % message.partition),
        (headers.SOURCE_OFFSET, b"%d" % message.offset),
        (headers.CODE, code.encode()),
        (headers.REASON, reason.encode()[: headers.BYTES_MAX].decode(errors="ignore").encode()),
        (headers.LENGTH, b"%d" % len(value)),
        (headers.DIGEST, digest(value).hex()),
    ]
    return Output(
        topic, value[:EVENT_BYTES_MAX], (message.key or b"")[:KEY_BYTES_MAX], headers=known
    )


def header(message: Message, name: str) -> bytes | None:
    """The last of that name, as Kafka's own clients have it."""
    given: Any = message.headers or ()
    found: bytes | None = None
    for key, value in given:
        if key == name:
            found = value
    return found
