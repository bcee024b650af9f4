"""What the promotions desk and the cage entered, from the wire, as surveillance needs it.

None is what surveillance has no use for: terms without a limit, entries of accountants, days.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final

from alerting.office_facts import (
    CageFact,
    CageRedemption,
    CouponEnd,
    CouponRedeemed,
    CouponsEnded,
    CouponsIssued,
    DeskFact,
    DropBoxCount,
    PaperKind,
    PaperSigned,
    PromotionLimited,
    SlipsExplained,
    SlipVoided,
)
from blackjack.play.clock import is_valid_time
from casino.accounting.v1 import cage_event_pb2, promotion_event_pb2
from casino.table.v1 import facts_money_pb2
from wire.codec import parse
from wire.errors import NotARecord, UnreadableMessage
from wire.vocabulary import read_time

SERIALS_MAX: Final = 100_000
"""Coupons of one issue: accounting takes no more."""
DIGITS_MAX: Final = 12
CURRENCY: Final = "currency"


def decode_desk_fact(data: bytes) -> DeskFact | None:
    """What a message of the topic promotion-events says."""
    try:
        event = parse(promotion_event_pb2.PromotionEvent, data)
        _check_envelope(event)
        return read_desk_fact(event)
    except UnreadableMessage as error:
        raise NotARecord(error.reason) from None


def decode_cage_fact(data: bytes) -> CageFact | None:
    """What a message of the topic cage-events says."""
    try:
        event = parse(cage_event_pb2.CageEvent, data)
        _check_envelope(event)
        return read_cage_fact(event)
    except UnreadableMessage as error:
        raise NotARecord(error.reason) from None


def _check_envelope(event: promotion_event_pb2.PromotionEvent | cage_event_pb2.CageEvent) -> None:
    """Raises `NotARecord` where an entry has no id, time or day: it may be of the other topic."""
    if not event.event_id:
        raise NotARecord("its id is not stated")
    if not is_valid_time(read_time(event.at)):
        raise NotARecord("its time is not stated, or no valid one")
    try:
        date.fromisoformat(event.gaming_day)
    except ValueError:
        raise NotARecord(f"{event.gaming_day!r} is no gaming day"[:200]) from None


def read_desk_fact(event: promotion_event_pb2.PromotionEvent) -> DeskFact | None:
    at, event_id = read_time(event.at), event.event_id
    match event.WhichOneof("fact"):
        case "promotion_defined":
            defined = event.promotion_defined
            limit = defined.terms.patron_daily_limit
            name = defined.terms.name
            return PromotionLimited(defined.promotion, limit, name) if limit else None
        case "coupons_issued":
            issued = event.coupons_issued
            serials = tuple(_serials(issued))
            return CouponsIssued(serials, issued.promotion, at, event_id, issued.patron)
        case "coupons_voided":
            voided = event.coupons_voided
            serials = tuple(voided.serials)
            return CouponsEnded(serials, CouponEnd.VOIDED, at, event_id, voided.reason)
        case "coupons_expired":
            serials = tuple(event.coupons_expired.serials)
            return CouponsEnded(serials, CouponEnd.EXPIRED, at, event_id)
        case "coupon_redeemed":
            redeemed = event.coupon_redeemed
            return CouponRedeemed(
                redeemed.serial, at, event_id, redeemed.table_id, redeemed.patron,
                redeemed.paid_cents,
            )  # fmt: skip
        case None:
            raise NotARecord("no fact is set, or one that this contract does not know")


def _serials(issued: promotion_event_pb2.CouponsIssued) -> list[str]:
    """One, or a range of numbers behind a common beginning."""
    if issued.count <= 1:
        return [issued.serial]
    if issued.count > SERIALS_MAX or issued.digits > DIGITS_MAX:
        raise NotARecord(f"{issued.count} coupons are more than are issued at once")
    return [
        f"{issued.serial}{number:0{issued.digits}d}"
        for number in range(issued.first, issued.first + issued.count)
    ]


def read_cage_fact(event: cage_event_pb2.CageEvent) -> CageFact | None:
    at, event_id, table = read_time(event.at), event.event_id, event.table_id
    match event.WhichOneof("fact"):
        case "fill_issued":
            fill = event.fill_issued
            signers = tuple(fill.signers)
            return PaperSigned(PaperKind.FILL, fill.slip, signers, at, event_id, table)
        case "credit_accepted":
            credit = event.credit_accepted
            signers = tuple(credit.signers)
            return PaperSigned(PaperKind.CREDIT, credit.slip, signers, at, event_id, table)
        case "inventory_counted":
            counted = event.inventory_counted
            opens = counted.kind == cage_event_pb2.INVENTORY_KIND_OPENER
            kind = PaperKind.OPENER if opens else PaperKind.CLOSER
            return PaperSigned(kind, counted.slip, tuple(counted.signers), at, event_id, table)
        case "drop_counted":
            drop = event.drop_counted
            return DropBoxCount(drop.box, table, _currency(drop.counts), at, event_id)
        case "drop_recounted":
            again = event.drop_recounted
            return DropBoxCount(again.box, table, _currency(again.counts), at, event_id, again=True)
        case "chips_redeemed":
            redeemed = event.chips_redeemed
            return CageRedemption(
                redeemed.patron, redeemed.cents, at, event.gaming_day, event_id, table,
                redeemed.seat, redeemed.note,
            )  # fmt: skip
        case "slip_voided":
            return SlipVoided(event.slip_voided.slip, at, event_id)
        case "slips_explained":
            explained = event.slips_explained
            return SlipsExplained(explained.series, explained.first, explained.last, at, event_id)
        case None:
            raise NotARecord("no fact is set, or one that this contract does not know")
        case _:
            return None


def _currency(counts: Iterable[facts_money_pb2.DropCount]) -> int:
    return sum(count.denomination_cents * count.count for count in counts if count.kind == CURRENCY)
