"""What a patron did: where he was, what he played and paid, whether he may."""

from __future__ import annotations

from msgspec import Struct


class PatronPresence(Struct, frozen=True, tag="Present", gc=False):
    """Proof that a patron was at a table: he sat down, bought chips or had wagers there."""

    gaming_day: str
    table: str
    since: int
    until: int
    first_seq: int
    last_seq: int
    words: str


class PatronArrival(Struct, frozen=True, tag="SatDown", gc=False):
    table: str
    seq: int
    at: int


class PatronDeparture(Struct, frozen=True, tag="Rose", gc=False):
    """The patron left the table."""

    table: str
    seq: int
    at: int


class PatronRound(Struct, frozen=True, tag="Played", gc=False):
    """A round of a patron. A round that only pushed has decided nothing."""

    table: str
    round: str
    version: int
    first_seq: int
    last_seq: int
    at: int
    has_coupon: bool
    is_decided: bool


class UnusedCoupon(Struct, frozen=True, tag="Tried", gc=False):
    """The patron had a coupon in a round in which it had no part: settlement found why."""

    table: str
    seq: int
    at: int


class CashMovement(Struct, frozen=True, tag="CashMoved", gc=False):
    """A patron bought chips, or (negative) turned chips into cash at the cage."""

    gaming_day: str
    at: int
    cents: int
    table: str = ""
    seq: int = 0
    entry_id: str = ""
    is_debit: bool = False


class UnnamedCash(Struct, frozen=True, tag=True, gc=False):
    """Somebody whose name nobody took paid cash in, or (negative) was paid out at the cage."""

    gaming_day: str
    at: int
    cents: int
    table: str = ""
    seat: int = 0
    note: str = ""
    seq: int = 0
    entry_id: str = ""


class PatronBar(Struct, frozen=True, tag="Barred", gc=False):
    """From a moment on a patron may not play, or (`lifted`) may again."""

    change_id: str
    valid_from: int
    valid_until: int = 0
    lifted: bool = False
