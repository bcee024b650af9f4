"""Texts of a request that no row of the ledger can hold: a zero byte, or more than a name has."""

from __future__ import annotations

from typing import Final

from google.protobuf.message import Message

from accounting.grpc.errors import InvalidCommand
from accounting.kafka.decoding import NAME_MAX
from runtime.rpc import text_limits

LONG: Final = {"reason": 2_000, "note": 2_000, "csv": 3_000_000}
"""Characters of what is more than a name."""


def refuse_bad_texts(request: Message) -> None:
    """Of a question: raises `InvalidQuery`."""
    text_limits.reject_bad_texts(request, NAME_MAX, longer=LONG)


def check_names(event: Message) -> None:
    """Of a fact that is to be entered: the same as `InvalidCommand`."""
    for field, problem in text_limits.bad_texts(event, NAME_MAX, longer=LONG):
        raise InvalidCommand("unreadable", f"{field}: {problem}")
