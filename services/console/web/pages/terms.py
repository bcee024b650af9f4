"""Publishing promotion terms: a form with errors beside the fields."""

from __future__ import annotations

from typing import Final
from uuid import UUID, uuid4

import grpc
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from blackjack.rulebook.filings import FILINGS
from blackjack.rulebook.promotions import OnPush, PromotionKind
from casino.accounting.v1.promotion_event_pb2 import PromotionEvent
from casino.accounting.v1.service_pb2 import RecordPromotionRequest
from casino.table.v1.facts_promotion_pb2 import PromotionDefined
from console.users.roles import MANAGE_BOOKS
from console.web.audit import audited
from console.web.guard import form_of, read_route, services_of, text_of, user_of, write_route
from console.web.idempotency import call_options
from console.web.page import render_page
from console.web.terms_form import TermsForm
from wire.promotions import write_terms

KINDS: Final = {
    PromotionKind.MATCH_PLAY: "Match play: wins beside chips of at least its face value",
    PromotionKind.FREE_BET: "Free bet: wagered in place of chips, pays winnings only",
    PromotionKind.FREE_ACE: "Free ace: the first card counts as an ace",
    PromotionKind.HAND_BONUS: "Hand bonus: extra pay for a named outcome",
    PromotionKind.POINT_MULTIPLIER: "Point multiplier: multiplies rating points",
}
PUSHES: Final = {
    OnPush.STAYS: "Stays for the next round",
    OnPush.RETURNED: "Returns to the patron",
    OnPush.LOST: "Is taken",
}
DEFAULTS: Final = {
    "kind": PromotionKind.MATCH_PLAY.value,
    "wagers": "main",
    "pays": "1 to 1",
    "natural_pays": "1 to 1",
    "on_push": OnPush.STAYS.value,
    "match_required": "yes",
    "one_per_round": "yes",
}


async def terms_page(request: Request) -> Response:
    return await _page(request, FormData(DEFAULTS))


async def publish(request: Request) -> Response:
    services, form = services_of(request), form_of(request)
    prop = await services.property_status.current(user_of(request))
    typed = TermsForm(form, prop.zone)
    terms = typed.read()
    if terms is None:
        return await _page(request, form, wrong=typed.wrong, status=400)
    defined = PromotionDefined(promotion=terms.hash, terms=write_terms(terms))
    event = PromotionEvent(event_id=_event_id(request), promotion_defined=defined)
    call = services.clients.books.RecordPromotion(
        RecordPromotionRequest(event=event), **call_options(request)
    )
    try:
        await audited(
            request, call, what="terms published", subject=terms.hash[:12], words=terms.name
        )
    except grpc.aio.AioRpcError as error:
        reason = error.details() or error.code().name
        return await _page(request, form, rejection=reason, status=409)
    return RedirectResponse("/promotions?done=published", 303)


async def _page(
    request: Request,
    typed: FormData,
    *,
    wrong: dict[str, str] | None = None,
    rejection: str = "",
    status: int = 200,
) -> Response:
    return await render_page(
        request,
        "terms.html",
        status=status,
        typed=typed,
        chosen=typed.getlist("games"),
        wrong=wrong or {},
        rejection=rejection,
        kinds=KINDS,
        pushes=PUSHES,
        games={name: filing.title for name, filing in FILINGS.items()},
        event_id=uuid4().hex,
    )


def _event_id(request: Request) -> str:
    """The id that came with the form: sent twice, the terms are published once."""
    try:
        return UUID(text_of(request, "event_id")).hex
    except ValueError:
        return uuid4().hex


ROUTES: Final = (
    read_route(MANAGE_BOOKS, "/promotions/new", terms_page),
    write_route(MANAGE_BOOKS, "/promotions/new", publish),
)
