"""A batch of received messages: bounded by messages, bytes and waiting time."""

from __future__ import annotations

import time
from typing import Final

from confluent_kafka import Consumer, Message

BATCH_BYTES_MAX: Final = 16 * 1024 * 1024
"""A batch of the largest number of ordinary events has a twentieth of it. No more is taken once it
is reached: a log of large messages would otherwise lie in memory as a whole."""
_AT_ONCE: Final = 200
"""Messages taken before their bytes are counted: of the largest events they are 13 MB."""


def take_batch(
    consumer: Consumer, *, messages_max: int, idle_seconds: float, linger_seconds: float
) -> list[Message]:
    """All that is there: `idle_seconds` are waited for the first, `linger_seconds` for all others.

    Errors are among the messages: who takes them looks.
    """
    taken = consumer.consume(1, idle_seconds)
    bytes_taken = sum(map(len, taken))
    until = time.monotonic() + linger_seconds
    while taken and len(taken) < messages_max and bytes_taken < BATCH_BYTES_MAX:
        wanted = min(_AT_ONCE, messages_max - len(taken))
        more = consumer.consume(wanted, max(0.0, until - time.monotonic()))
        taken += more
        if len(more) < wanted:
            break
        bytes_taken += sum(map(len, more))
    return taken
