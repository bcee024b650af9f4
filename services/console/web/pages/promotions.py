"""Promotions: terms, issuing coupons, and the history of a coupon."""

from __future__ import annotations

from datetime import UTC
from typing import Final
from uuid import UUID, uuid4

import grpc
from starlette.requests import Request
from starlette.responses import Response

from blackjack.display_names import game_name, words_of
from casino.accounting.v1.promotion_event_pb2 import CouponsIssued, PromotionEvent
from casino.accounting.v1.service_pb2 import (
    GetCouponRequest,
    GetCouponResponse,
    ListPromotionsRequest,
    Promotion,
    RecordPromotionRequest,
)  # fmt: skip
from casino.table.v1.facts_promotion_pb2 import PromotionKind
from console.users.roles import MANAGE_BOOKS, SEE_BOOKS
from console.web.audit import audited
from console.web.display.labels import plural
from console.web.errors import InvalidInput
from console.web.guard import read_route, services_of, text_of, user_of, write_route
from console.web.page import render_page

COUPONS_MAX: Final = 100_000
NUMBER_MAX: Final = 10**9
DIGITS_MAX: Final = 12


async def promotions_page(request: Request) -> Response:
    message = "Terms published." if request.query_params.get("done") == "published" else ""
    return await _page(request, message=message)


async def issue(request: Request) -> Response:
    services = services_of(request)
    try:
        event = _issued(request)
    except InvalidInput as error:
        return await _page(request, wrong=str(error), status=400)
    call = services.clients.books.RecordPromotion(
        RecordPromotionRequest(event=event),
        metadata=services.clients.metadata_for(user_of(request)),
    )
    issued = event.coupons_issued
    words = f"{issued.count} from {issued.serial}{issued.first:0{issued.digits}d}"
    try:
        await audited(
            request, call, what="coupons issued", subject=issued.promotion[:12], words=words
        )
    except grpc.aio.AioRpcError as error:
        return await _page(request, wrong=error.details() or error.code().name, status=409)
    return await _page(request, message=f"Issued {plural(issued.count, 'coupon')}.")


def _issued(request: Request) -> PromotionEvent:
    promotion, serial = text_of(request, "promotion"), text_of(request, "serial", length_max=80)
    if not promotion or not serial:
        raise InvalidInput("coupons", "select a promotion and enter a serial prefix")
    try:
        event_id = UUID(text_of(request, "event_id")).hex
    except ValueError:
        raise InvalidInput("form", "the form is invalid: reload the page") from None
    return PromotionEvent(
        event_id=event_id,
        coupons_issued=CouponsIssued(
            promotion=promotion,
            serial=serial,
            first=_number(request, "first", NUMBER_MAX),
            count=_number(request, "count", COUPONS_MAX),
            digits=_number(request, "digits", DIGITS_MAX),
        ),
    )


def _number(request: Request, field: str, most: int) -> int:
    text = text_of(request, field)
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise InvalidInput(field, f'Invalid number "{text}": enter 1 to {most:,}.')
    return int(text)


async def _page(
    request: Request, *, wrong: str = "", message: str = "", status: int = 200
) -> Response:
    services, user = services_of(request), user_of(request)
    metadata = services.clients.metadata_for(user)
    answer = await services.clients.books.ListPromotions(ListPromotionsRequest(), metadata=metadata)
    serial = request.query_params.get("serial", "").strip()[:80]
    coupon: GetCouponResponse | None = None
    if serial:
        try:
            coupon = await services.clients.books.GetCoupon(
                GetCouponRequest(serial=serial), metadata=metadata
            )
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.NOT_FOUND:
                raise
            wrong = wrong or f"Coupon {serial} not found."
    return await render_page(
        request,
        "promotions.html",
        status=status,
        promotions=[
            (promotion, _kind(promotion), _games(promotion), _until(promotion))
            for promotion in answer.promotions
        ],
        coupon=coupon,
        serial=serial,
        may_issue=user.may(MANAGE_BOOKS),
        event_id=uuid4().hex,
        wrong=wrong,
        message=message,
    )


def _kind(promotion: Promotion) -> str:
    name = PromotionKind.Name(promotion.terms.kind).removeprefix("PROMOTION_KIND_")
    return words_of(name.lower())


def _games(promotion: Promotion) -> str:
    return ", ".join(map(game_name, promotion.terms.games)) or "All games"


def _until(promotion: Promotion) -> object:
    terms = promotion.terms
    return terms.valid_until.ToDatetime(UTC) if terms.HasField("valid_until") else None


ROUTES: Final = (
    read_route(SEE_BOOKS, "/promotions", promotions_page),
    write_route(MANAGE_BOOKS, "/promotions", issue),
)
