"""`pitctl promotion` and `pitctl coupon`: what the promotions desk asks and enters."""

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
from pitctl.accounting.arguments import read_stamp
from pitctl.accounting.client import ACCOUNTING, DONE, NOT_DONE, NotTyped
from pitctl.accounting.entry import record_promotion
from pitctl.accounting.terms_file import read_terms_file
from pitctl.connection.channel import Place
from pitctl.output.exit import called
from pitctl.output.json_out import as_fields, write_json
from pitctl.output.text import Page, counted, moment, plain
from wire.promotions import write_terms
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub

HASH_SHOWN: Final = 12
"""Digits of a hash that tell promotions apart, as `pitctl replay` shows them."""


def publish(place: Place, path: str, *, event_id: str, as_json: bool) -> int:
    """Publish terms under their hash."""
    terms = read_terms_file(path)
    defined = PromotionDefined(promotion=terms.hash, terms=write_terms(terms))
    event = PromotionEvent(promotion_defined=defined)
    status = record_promotion(place, event, day="", at="", event_id=event_id, as_json=as_json)
    if not as_json:
        print(f"  promotion {terms.hash}")
        print(f"  {called()} coupon issue {terms.hash[:HASH_SHOWN]} SERIAL")
    return status


def list_promotions(place: Place, *, as_json: bool) -> int:
    promotions = ACCOUNTING.ask(place, _promotions)
    if as_json:
        write_json(sys.stdout.buffer, [as_fields(each) for each in promotions])
    else:
        print_promotions(Page(sys.stdout), promotions)
    return DONE


async def _promotions(books: AccountingServiceAsyncStub) -> Sequence[Promotion]:
    return (await books.ListPromotions(ListPromotionsRequest())).promotions


def print_promotions(page: Page, promotions: Sequence[Promotion]) -> None:
    if not promotions:
        page.line(("no promotion is published", "yellow"))
        return
    rows = [
        (
            each.promotion[:HASH_SHOWN],
            format_cents(each.terms.face_cents, currency=False),
            f"{each.outstanding:,}",
            format_cents(each.outstanding_cents, currency=False),
            _validity(each),
            PromotionKind.Name(each.terms.kind).removeprefix("PROMOTION_KIND_").lower(),
            each.terms.name,
        )
        for each in promotions
    ]
    headings = ("promotion", "face", "out", "worth", "valid until", "kind", "name")
    page.table(headings, rows, indent=0, align="lrrrlll")


def _validity(promotion: Promotion) -> str:
    terms = promotion.terms
    return moment(read_time(terms.valid_until)) if terms.HasField("valid_until") else "without end"


def chosen(promotions: Sequence[Promotion], wanted: str) -> Promotion:
    """The one of this hash, of a hash that begins so, or of this name; the newest of a name."""
    for fits in (
        [each for each in promotions if each.promotion == wanted],
        [each for each in promotions if each.promotion.startswith(wanted)],
        [each for each in promotions if each.terms.name == wanted][:1],
    ):
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise NotTyped(f"{len(fits)} promotions begin with {wanted!r}: write more of the hash")
    raise NotTyped(f"no promotion is {wanted!r}; `{called()} promotion list` lists them")


def issue(
    place: Place,
    wanted: str,
    issued: CouponsIssued,
    *,
    day: str,
    event_id: str,
    as_json: bool,
) -> int:
    """Give out coupons, at the face value that their terms say."""
    promotion = chosen(ACCOUNTING.ask(place, _promotions), wanted)
    issued.promotion = promotion.promotion
    issued.face_cents = promotion.terms.face_cents
    event = PromotionEvent(coupons_issued=issued)
    status = record_promotion(place, event, day=day, at="", event_id=event_id, as_json=as_json)
    if not as_json:
        count = max(issued.count, 1)
        worth = format_cents(count * issued.face_cents)
        print(plain(f"  {counted(count, 'coupon')} of {promotion.terms.name}, {worth} in all"))
    return status


def expire(place: Place, *, as_of: str, as_json: bool) -> int:
    stamp = read_stamp(as_of) if as_of else None

    async def ask(books: AccountingServiceAsyncStub) -> ExpireCouponsResponse:
        return await books.ExpireCoupons(ExpireCouponsRequest(as_of=stamp))

    answer = ACCOUNTING.ask(place, ask)
    if as_json:
        write_json(sys.stdout.buffer, as_fields(answer))
    else:
        print(
            f"{counted(answer.coupons, 'coupon')} expired, {format_cents(answer.face_cents)} in all"
        )
    return DONE


def show_coupon(place: Place, serial: str, *, as_json: bool) -> int:
    async def ask(books: AccountingServiceAsyncStub) -> GetCouponResponse:
        return await books.GetCoupon(GetCouponRequest(serial=serial))

    coupon = ACCOUNTING.ask(place, ask)
    if as_json:
        write_json(sys.stdout.buffer, as_fields(coupon))
    else:
        print_coupon(Page(sys.stdout), coupon)
    return NOT_DONE if coupon.problems else DONE


def print_coupon(page: Page, coupon: GetCouponResponse) -> None:
    name = f"{coupon.promotion_name or 'unknown terms'} ({coupon.promotion[:HASH_SHOWN]})"
    page.line(
        (plain(coupon.serial), "bold"),
        "  ",
        plain(f"{format_cents(coupon.face_cents)}, {name}"),
    )
    if coupon.HasField("expires_at"):
        page.line((f"expires {moment(read_time(coupon.expires_at))}", "dim"), indent=2)
    page.blank()
    headings = ("at (UTC)", "what", "paid", "where", "patron", "")
    page.table(headings, [_step(each) for each in coupon.steps], align="llrlll")
    for problem in coupon.problems:
        page.line((plain(problem), "bold red"), indent=2, hang=2)


def _step(step: CouponStep) -> tuple[str, ...]:
    return (
        moment(read_time(step.at)).removesuffix(" UTC"),
        step.what,
        format_cents(step.paid_cents, currency=False) if step.paid_cents else "",
        step.round or step.table_id,
        step.patron,
        step.words,
    )
