"""Limits of texts in requests: no zero byte, and not longer than a row can hold."""

from __future__ import annotations

from typing import Final

from google.protobuf.message import Message

from accounting.grpc.errors import InvalidCommand
from accounting.kafka.decoder import NAME_MAX
from runtime.rpc import text_limits

LONG: Final = {"reason": 2_000, "note": 2_000, "csv": 3_000_000}
"""The most characters of fields that may be longer than a name."""


def check_texts(request: Message) -> None:
    """Raises `InvalidQuery` for a bad text in a query."""
    text_limits.reject_bad_texts(request, NAME_MAX, longer=LONG)


def check_names(event: Message) -> None:
    """Raises `InvalidCommand` for a bad text in a command."""
    for field, problem in text_limits.bad_texts(event, NAME_MAX, longer=LONG):
        raise InvalidCommand("unreadable", f"{field}: {problem}")
