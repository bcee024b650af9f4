"""What is heard of tables, and what was refused."""

from __future__ import annotations

from msgspec import Struct


class TableActivity(Struct, frozen=True, tag="Spoke", gc=False):
    """A table spoke from one moment to another, without a pause that matters."""

    table: str
    since: int
    until: int
    first_seq: int
    last_seq: int


class TableStatus(Struct, frozen=True, tag="Turned", gc=False):
    """A table was opened or closed."""

    table: str
    seq: int
    at: int
    is_open: bool


class TableCaughtUp(Struct, frozen=True, tag="Listened", gc=False):
    """All that the table has said was read, and by this moment there was nothing more."""

    table: str
    at: int


class MessageRejected(Struct, frozen=True, tag="Refused", gc=False):
    """Something was refused, and kept where `id` says."""

    id: str
    at: int
    code: str
    reason: str
    table: str
    sender: str
    by_hand: bool
    """Whether a person entered it at an office."""
    topic: str = ""
    """Where the message was, if it was ever in a topic."""
    origin: str = ""
    """The same for all letters of one message, where it is known."""
