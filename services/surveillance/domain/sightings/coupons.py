"""What happened to a coupon, or to the coupons of a promotion."""

from __future__ import annotations

from msgspec import Struct


class CouponIssue(Struct, frozen=True, tag="Issued", gc=False):
    """The coupon was issued; to nobody in particular where `patron` is empty."""

    at: int
    patron: str
    entry_id: str


class CouponInvalidation(Struct, frozen=True, tag="Ended", gc=False):
    """The coupon was declared void or expired."""

    at: int
    words: str
    entry_id: str


class CouponAppearance(Struct, frozen=True, tag="Shown", gc=False):
    """The coupon was presented at a table, or (`is_dropped`) went into its box."""

    table: str
    seq: int
    at: int
    seat: int
    patron: str = ""
    is_dropped: bool = False


class CouponUsage(Struct, frozen=True, tag="Used", gc=False):
    """The coupon was part of a wager, or was redeemed at an office (`entry_id`).

    `is_spent`: it was taken, and must not come again; after a push it may.
    """

    at: int
    until: int
    version: int
    is_spent: bool
    patron: str = ""
    table: str = ""
    round: str = ""
    seat: int = 0
    wager: str = ""
    dealer: str = ""
    first_seq: int = 0
    last_seq: int = 0
    cents: int = 0
    entry_id: str = ""


class PromotionLimit(Struct, frozen=True, tag="Limited", gc=False):
    """A patron may use so many coupons of a promotion in a day."""

    limit: int
    name: str


class PromotionUse(Struct, frozen=True, tag="UsedOf", gc=False):
    """A coupon of a promotion was used by a patron, on a day."""

    patron: str
    gaming_day: str
    serial: str
    used: CouponUsage
