"""An entry: transfers that belong together because of one fact, dated to a gaming day."""

from __future__ import annotations

from hashlib import sha256

from msgspec import Struct

from bookkeeping.transfers import Transfer


class LogPosition(Struct, frozen=True):
    """The position in the log of the message that holds a fact."""

    topic: str
    partition: int
    offset: int


class LedgerEntry(Struct, frozen=True):
    """`day` is a gaming day as text, 2026-03-01; `at` microseconds since 1970."""

    id: str
    day: str
    kind: str
    at: int
    source: LogPosition
    transfers: tuple[Transfer, ...]
    table: str = ""
    round: str = ""
    version: int = 0
    seq: int = 0
    author: str = ""
    reason: str = ""


def entry_id(*parts: str | int) -> str:
    """32 hexadecimal digits derived from the key of an entry: the same log gives the same ids."""
    text = "\0".join(map(str, parts))
    return sha256(text.encode()).hexdigest()[:32]
