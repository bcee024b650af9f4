"""Papers and boxes, at the table and at the offices."""

from __future__ import annotations

from msgspec import Struct


class SignedPaper(Struct, frozen=True, tag="PaperSeen"):
    """A paper that must be signed, at the table (`seq`) or at an office (`entry_id`)."""

    kind: str
    slip: str
    at: int
    table: str
    signers: tuple[str, ...]
    seq: int = 0
    entry_id: str = ""


class SlipNumberVoided(Struct, frozen=True, tag="NumberVoided", gc=False):
    number: int


class SlipNumbersExplained(Struct, frozen=True, tag="NumbersExplained", gc=False):
    first: int
    last: int


class CashSale(Struct, frozen=True, tag="SoldForCash", gc=False):
    """Money went into the box of the table."""

    seq: int
    at: int
    cents: int


class BoxRemoved(Struct, frozen=True, tag="BoxTaken", gc=False):
    box: str
    seq: int
    at: int


class BoxCounted(Struct, frozen=True, tag=True, gc=False):
    """What the count team found; a verifier's count stands in the place of the first."""

    box: str
    at: int
    cents: int
    entry_id: str
    again: bool
