"""`pitctl promotion` and `pitctl coupon`: queries and entries of the promotions desk."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from blackjack.money import format_cents
from casino.accounting.v1.promotion_event_pb2 import CouponsIssued, PromotionEvent
from casino.accounting.v1.service_pb2 import (
    CouponStep,
    ExpireCouponsRequest,
    ExpireCouponsResponse,
    GetCouponRequest,
    GetCouponResponse,
    ListPromotionsRequest,
    Promotion,
)
from casino.table.v1.facts_promotion_pb2 import PromotionDefined, PromotionKind
from pitctl.accounting.client import ACCOUNTING
from pitctl.accounting.entry import record_promotion
from pitctl.accounting.terms_file import read_terms_file
from pitctl.arguments import read_stamp
from pitctl.connection.channel import Endpoint
from pitctl.errors import InvalidArgument
from pitctl.output.exit import NEGATIVE, OK, command_name
from pitctl.output.json_out import fields_of, write_json
from pitctl.output.text import Page, count_noun, escape, format_moment
from wire.promotions import write_terms
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub

HASH_SHOWN: Final = 12
"""Digits of a hash that distinguish promotions, as `pitctl replay` shows them."""


def publish(place: Endpoint, path: str, *, event_id: str, as_json: bool) -> int:
    """Publish terms under their hash."""
    terms = read_terms_file(path)
    defined = PromotionDefined(promotion=terms.hash, terms=write_terms(terms))
    event = PromotionEvent(promotion_defined=defined)
    status = record_promotion(place, event, day="", at="", event_id=event_id, as_json=as_json)
    if not as_json:
        print(f"  promotion {terms.hash}")
        print(f"  {command_name()} coupon issue {terms.hash[:HASH_SHOWN]} SERIAL")
    return status


def list_promotions(place: Endpoint, *, as_json: bool) -> int:
    promotions = ACCOUNTING.call(place, _promotions)
    if as_json:
        write_json(sys.stdout.buffer, [fields_of(promotion) for promotion in promotions])
    else:
        print_promotions(Page(sys.stdout), promotions)
    return OK


async def _promotions(books: AccountingServiceAsyncStub) -> Sequence[Promotion]:
    return (await books.ListPromotions(ListPromotionsRequest())).promotions


def print_promotions(page: Page, promotions: Sequence[Promotion]) -> None:
    if not promotions:
        page.line(("No promotions.", "yellow"))
        return
    rows = [
        (
            promotion.promotion[:HASH_SHOWN],
            format_cents(promotion.terms.face_cents, currency=False),
            f"{promotion.outstanding:,}",
            format_cents(promotion.outstanding_cents, currency=False),
            _validity(promotion),
            _kind_words(promotion),
            promotion.terms.name,
        )
        for promotion in promotions
    ]
    headings = ("promotion", "face", "outstanding", "value", "valid until", "kind", "name")
    page.table(headings, rows, indent=0, align="lrrrlll")


def _kind_words(promotion: Promotion) -> str:
    name = PromotionKind.Name(promotion.terms.kind).removeprefix("PROMOTION_KIND_")
    return name.lower().replace("_", " ")


def _validity(promotion: Promotion) -> str:
    terms = promotion.terms
    return (
        format_moment(read_time(terms.valid_until))
        if terms.HasField("valid_until")
        else "indefinite"
    )


def find_promotion(promotions: Sequence[Promotion], wanted: str) -> Promotion:
    """The promotion of this hash, of a hash that begins with it, or the newest of this name."""
    for fits in (
        [known for known in promotions if known.promotion == wanted],
        [known for known in promotions if known.promotion.startswith(wanted)],
        [known for known in promotions if known.terms.name == wanted][:1],
    ):
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise InvalidArgument(
                f'Invalid promotion "{wanted}": {len(fits)} hashes match; write more of it.'
            )
    raise InvalidArgument(
        f'Invalid promotion "{wanted}": `{command_name()} promotion list` lists promotions.'
    )


def issue(
    place: Endpoint,
    wanted: str,
    issued: CouponsIssued,
    *,
    day: str,
    event_id: str,
    as_json: bool,
) -> int:
    """Issue coupons at the face value of their terms."""
    promotion = find_promotion(ACCOUNTING.call(place, _promotions), wanted)
    issued.promotion = promotion.promotion
    issued.face_cents = promotion.terms.face_cents
    event = PromotionEvent(coupons_issued=issued)
    status = record_promotion(place, event, day=day, at="", event_id=event_id, as_json=as_json)
    if not as_json:
        count = max(issued.count, 1)
        worth = format_cents(count * issued.face_cents)
        print(escape(f"  {count_noun(count, 'coupon')} of {promotion.terms.name}, total {worth}"))
    return status


def expire(place: Endpoint, *, as_of: str, as_json: bool) -> int:
    stamp = read_stamp(as_of) if as_of else None

    async def expire_coupons(books: AccountingServiceAsyncStub) -> ExpireCouponsResponse:
        return await books.ExpireCoupons(ExpireCouponsRequest(as_of=stamp))

    answer = ACCOUNTING.call(place, expire_coupons)
    if as_json:
        write_json(sys.stdout.buffer, fields_of(answer))
    else:
        print(
            f"{count_noun(answer.coupons, 'coupon')} expired, "
            f"total {format_cents(answer.face_cents)}"
        )
    return OK


def show_coupon(place: Endpoint, serial: str, *, as_json: bool) -> int:
    async def get_coupon(books: AccountingServiceAsyncStub) -> GetCouponResponse:
        return await books.GetCoupon(GetCouponRequest(serial=serial))

    coupon = ACCOUNTING.call(place, get_coupon)
    if as_json:
        write_json(sys.stdout.buffer, fields_of(coupon))
    else:
        print_coupon(Page(sys.stdout), coupon)
    return NEGATIVE if coupon.problems else OK


def print_coupon(page: Page, coupon: GetCouponResponse) -> None:
    name = f"{coupon.promotion_name or 'unknown terms'} ({coupon.promotion[:HASH_SHOWN]})"
    page.line(
        (escape(coupon.serial), "bold"),
        "  ",
        escape(f"{format_cents(coupon.face_cents)}, {name}"),
    )
    if coupon.HasField("expires_at"):
        page.line((f"expires {format_moment(read_time(coupon.expires_at))}", "dim"), indent=2)
    page.blank()
    headings = ("at (UTC)", "step", "paid", "where", "patron", "remark")
    page.table(headings, [_step(step) for step in coupon.steps], align="llrlll")
    for problem in coupon.problems:
        page.line((escape(problem), "bold red"), indent=2, hang=2)


def _step(step: CouponStep) -> tuple[str, ...]:
    return (
        format_moment(read_time(step.at)).removesuffix(" UTC"),
        step.what,
        format_cents(step.paid_cents, currency=False) if step.paid_cents else "",
        step.round or step.table_id,
        step.patron,
        step.words,
    )
