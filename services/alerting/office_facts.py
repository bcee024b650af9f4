"""Facts that the promotions desk and the cage entered, and rejected messages, for surveillance.

Each is a fact of its own topic with the id that its sender gave it: the same id again is the
same fact. Facts of no use to surveillance (terms without a limit, manual entries) are left out.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class PaperKind(StrEnum):
    """Papers that must be signed."""

    FILL = "fill"
    CREDIT = "credit"
    OPENER = "opener"
    CLOSER = "closer"
    BOX = "box"


class PromotionLimited(Struct, frozen=True, gc=False):
    """Terms were published that limit the coupons of a patron in a day."""

    promotion: str
    patron_daily_limit: int
    name: str = ""


class CouponsIssued(Struct, frozen=True):
    serials: tuple[str, ...]
    promotion: str
    at: int
    event_id: str
    patron: str = ""


class CouponEnd(StrEnum):
    VOIDED = "voided"
    EXPIRED = "expired"


class CouponsEnded(Struct, frozen=True):
    """Declared void or expired."""

    serials: tuple[str, ...]
    end: CouponEnd
    at: int
    event_id: str
    reason: str = ""


class CouponRedeemed(Struct, frozen=True, gc=False):
    """Redeemed where no device reports it."""

    serial: str
    at: int
    event_id: str
    table: str = ""
    patron: str = ""
    paid_cents: int = 0


class PaperSigned(Struct, frozen=True):
    """The cage's half of a fill or credit, or an inventory counted by hand."""

    kind: PaperKind
    slip: str
    signers: tuple[str, ...]
    at: int
    event_id: str
    table: str = ""


class SlipVoided(Struct, frozen=True, gc=False):
    slip: str
    at: int
    event_id: str


class SlipsExplained(Struct, frozen=True, gc=False):
    series: str
    first: int
    last: int
    at: int
    event_id: str


class DropBoxCount(Struct, frozen=True, gc=False):
    """`again`: a recount, which replaces the first count."""

    box: str
    table: str
    currency_cents: int
    at: int
    event_id: str
    again: bool = False


class CageRedemption(Struct, frozen=True, gc=False):
    """Chips were exchanged for cash; patron and seat are empty where they are unknown."""

    patron: str
    cents: int
    at: int
    gaming_day: str
    event_id: str
    table: str = ""
    seat: int = 0
    note: str = ""


class DeadLetter(Struct, frozen=True, gc=False):
    """A message was rejected at `at`."""

    at: int
    code: str
    reason: str
    table: str = ""
    peer: str = ""
    """The sender, by certificate."""
    author: str = ""
    """The person who entered it, if it is no event of a table."""
    id: str = ""
    """Its position in `dead-letters`: partition and offset."""
    topic: str = ""
    """The topic of the message, if it was ever in one."""
    origin: str = ""
    """The id of the message: two dead letters of one message have the same, where it is known."""


DeskFact = PromotionLimited | CouponsIssued | CouponsEnded | CouponRedeemed
CageFact = PaperSigned | SlipVoided | SlipsExplained | DropBoxCount | CageRedemption
