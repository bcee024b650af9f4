"""Promotions and their coupons."""

from __future__ import annotations

from msgspec import Struct

from blackjack.rulebook.promotions import Terms


class PromotionDefined(Struct, frozen=True, gc=False):
    promotion: str
    terms: Terms


class CouponIssued(Struct, frozen=True, gc=False):
    serial: str
    promotion: str
    patron: str = ""
    expires_at: int = 0


class CouponVoided(Struct, frozen=True, gc=False):
    serial: str
    reason: str = ""


class CouponExpired(Struct, frozen=True, gc=False):
    serial: str


class CouponPresented(Struct, frozen=True, gc=False):
    """`expires_at` is the date printed on the coupon, 0 where none is printed."""

    seat: int
    wager: str
    serial: str
    promotion: str
    patron: str = ""
    expires_at: int = 0


class CouponDropped(Struct, frozen=True, gc=False):
    serial: str
    seat: int = 0


PromotionFact = (
    PromotionDefined | CouponIssued | CouponVoided | CouponExpired | CouponPresented | CouponDropped
)
