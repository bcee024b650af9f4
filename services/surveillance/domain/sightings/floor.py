"""What is heard of tables, and what was refused."""

from __future__ import annotations

from msgspec import Struct


class Spoke(Struct, frozen=True, tag=True, gc=False):
    """A table spoke from one moment to another, without a pause that matters."""

    table: str
    since: int
    until: int
    first_seq: int
    last_seq: int


class Turned(Struct, frozen=True, tag=True, gc=False):
    """A table was opened or closed."""

    table: str
    seq: int
    at: int
    is_open: bool


class Listened(Struct, frozen=True, tag=True, gc=False):
    """All that the table has said was read, and by this moment there was nothing more."""

    table: str
    at: int


class Refused(Struct, frozen=True, tag=True, gc=False):
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
