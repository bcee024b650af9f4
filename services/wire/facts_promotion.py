"""Facts of promotions and coupons, from the wire and back."""

from __future__ import annotations

from typing import Final

from blackjack.facts import (
    CouponDropped,
    CouponExpired,
    CouponIssued,
    CouponPresented,
    CouponVoided,
    PromotionDefined,
)
from casino.table.v1 import facts_promotion_pb2 as pb
from wire.codec import Codec
from wire.errors import Unreadable
from wire.promotions import read_terms, write_terms
from wire.vocabulary import read_time, write_time


def read_promotion_defined(message: pb.PromotionDefined) -> PromotionDefined:
    if not message.HasField("terms"):
        raise Unreadable("a promotion is defined without its terms")
    return PromotionDefined(message.promotion, read_terms(message.terms))


def write_promotion_defined(fact: PromotionDefined) -> pb.PromotionDefined:
    return pb.PromotionDefined(promotion=fact.promotion, terms=write_terms(fact.terms))


def read_coupon_issued(message: pb.CouponIssued) -> CouponIssued:
    return CouponIssued(
        message.serial, message.promotion, message.patron, read_time(message.expires_at)
    )


def write_coupon_issued(fact: CouponIssued) -> pb.CouponIssued:
    return pb.CouponIssued(
        serial=fact.serial,
        promotion=fact.promotion,
        patron=fact.patron,
        expires_at=write_time(fact.expires_at),
    )


def read_coupon_voided(message: pb.CouponVoided) -> CouponVoided:
    return CouponVoided(message.serial, message.reason)


def write_coupon_voided(fact: CouponVoided) -> pb.CouponVoided:
    return pb.CouponVoided(serial=fact.serial, reason=fact.reason)


def read_coupon_expired(message: pb.CouponExpired) -> CouponExpired:
    return CouponExpired(message.serial)


def write_coupon_expired(fact: CouponExpired) -> pb.CouponExpired:
    return pb.CouponExpired(serial=fact.serial)


def read_coupon_presented(message: pb.CouponPresented) -> CouponPresented:
    return CouponPresented(
        message.seat,
        message.wager,
        message.serial,
        message.promotion,
        message.patron,
        read_time(message.expires_at),
    )


def write_coupon_presented(fact: CouponPresented) -> pb.CouponPresented:
    return pb.CouponPresented(
        seat=fact.seat,
        wager=fact.wager,
        serial=fact.serial,
        promotion=fact.promotion,
        patron=fact.patron,
        expires_at=write_time(fact.expires_at),
    )


def read_coupon_dropped(message: pb.CouponDropped) -> CouponDropped:
    return CouponDropped(message.serial, message.seat)


def write_coupon_dropped(fact: CouponDropped) -> pb.CouponDropped:
    return pb.CouponDropped(serial=fact.serial, seat=fact.seat)


CODECS: Final = (
    Codec(PromotionDefined, read_promotion_defined, write_promotion_defined),
    Codec(CouponIssued, read_coupon_issued, write_coupon_issued),
    Codec(CouponVoided, read_coupon_voided, write_coupon_voided),
    Codec(CouponExpired, read_coupon_expired, write_coupon_expired),
    Codec(CouponPresented, read_coupon_presented, write_coupon_presented),
    Codec(CouponDropped, read_coupon_dropped, write_coupon_dropped),
)
