"""Faults of coupons. Wherever it can be, the wager lost, so that only the coupon is wrong."""

from __future__ import annotations

from blackjack.facts import (
    Action,
    BetsClosed,
    CouponPresented,
    PromotionDefined,
    WagerCollected,
    WagerPaid,
    WagerPlaced,
)
from blackjack.promotions import PromotionKind, Terms
from blackjack.rules import MAIN
from tests.croupier.draft import CannotPlant, Draft, View
from tests.croupier.fault_bets import restake
from tests.croupier.games import SKWEEZIT

FACE_CENTS = 10_00


def terms_of(draft: Draft) -> dict[str, Terms]:
    return {
        event.fact.promotion: event.fact.terms
        for event in draft.original
        if isinstance(event.fact, PromotionDefined)
    }


def _presented(
    draft: Draft, kind: PromotionKind = PromotionKind.MATCH_PLAY, *, won: bool = False
) -> tuple[View, tuple[int, CouponPresented]]:
    """A coupon of this kind whose wager was settled in one stack, unsplit and undoubled."""
    terms = terms_of(draft)
    wanted = WagerPaid if won else WagerCollected

    def candidates(view: View) -> list[tuple[int, CouponPresented]]:
        return [
            (place, fact)
            for place, fact in view.of(CouponPresented)
            if terms[fact.promotion].kind is kind
            and {act.action for act in view.acted(fact.seat)} <= {Action.HIT, Action.STAND}
            and [type(paid) for _, paid in view.settlements(fact.seat, MAIN)] == [wanted]
        ]

    return draft.pick(candidates)


def expired(draft: Draft) -> str:
    view, (place, _) = _presented(draft)
    draft.alter(place, expires_at=draft.original[place].at - 3_600_000_000)
    return view.id


def wrong_wager(draft: Draft) -> str:
    """A match play beside a side bet that lost."""
    terms = terms_of(draft)

    def candidates(view: View) -> list[tuple[int, CouponPresented]]:
        return [
            (place, fact)
            for place, fact in view.of(CouponPresented)
            if terms[fact.promotion].kind is PromotionKind.MATCH_PLAY
            and [type(each) for _, each in view.settlements(fact.seat, SKWEEZIT)]
            == [WagerCollected]
            and [type(each) for _, each in view.settlements(fact.seat, MAIN)] == [WagerCollected]
        ]

    view, (place, fact) = draft.pick(candidates)
    draft.alter(place, wager=SKWEEZIT)
    for there, placed in view.of(WagerPlaced):
        if (placed.seat, placed.wager, placed.tip) == (fact.seat, MAIN, False):
            draft.alter(there, coupon="")
        if (placed.seat, placed.wager, placed.tip) == (fact.seat, SKWEEZIT, False):
            draft.alter(there, coupon=fact.serial)
    return view.id


def unmatched(draft: Draft) -> str:
    """Fewer chips than the face of the coupon."""
    view, (_, fact) = _presented(draft)
    restake(draft, view, fact.seat, MAIN, 5_00)
    return view.id


def second_in_round(draft: Draft) -> str:
    view, (place, fact) = _presented(draft)
    draft.add(place, CouponPresented(fact.seat, MAIN, "c-second", fact.promotion, fact.patron))
    return view.id


def doubled(draft: Draft) -> str:
    """A double that counts the coupon as if it were chips."""
    terms = terms_of(draft)

    def candidates(view: View) -> list[tuple[CouponPresented, int, WagerPaid]]:
        found = []
        for _, fact in view.of(CouponPresented):
            acts = [act.action for act in view.acted(fact.seat)]
            match_play = terms[fact.promotion].kind is PromotionKind.MATCH_PLAY
            for place, paid in view.settlements(fact.seat, MAIN):
                if acts == [Action.DOUBLE] and match_play and isinstance(paid, WagerPaid):
                    found.append((fact, place, paid))
        return found

    view, (fact, place, paid) = draft.pick(candidates)
    draft.alter(place, cents=paid.cents + terms[fact.promotion].face_cents)
    return view.id


def after_bets_closed(draft: Draft) -> str:
    view, (place, fact) = _presented(draft)
    draft.drop(place)
    for there, placed in view.of(WagerPlaced):
        if placed.coupon == fact.serial:
            draft.alter(there, coupon="")
    draft.add(view.first(BetsClosed)[0] + 1, fact)
    return view.id


def wrong_pay(draft: Draft) -> str:
    """The coupon of a winner is not paid at all."""
    terms = terms_of(draft)
    view, (_, fact) = _presented(draft, won=True)
    place, paid = view.settlements(fact.seat, MAIN)[0]
    draft.alter(place, cents=paid.cents - terms[fact.promotion].face_cents)
    return view.id


def terms_unknown(draft: Draft) -> str:
    view, (place, _) = _presented(draft)
    draft.alter(place, promotion="f" * 64)
    return view.id


def not_presented(draft: Draft) -> str:
    """Chips lie beside a coupon that nobody announced."""
    view, (place, _) = _presented(draft)
    draft.drop(place)
    return view.id


def no_consent(draft: Draft) -> str:
    """A bonus on a hand of a game whose owner did not agree to extra prizes."""
    for place, event in enumerate(draft.original):
        if isinstance(event.fact, PromotionDefined):
            terms = Terms(
                "Hand of the day",
                PromotionKind.HAND_BONUS,
                50_00,
                wagers=(SKWEEZIT,),
                match_required=False,
                bonus_outcome="suited_belly_skweezer",
            )
            draft.add(place, PromotionDefined(terms.hash, terms))
            return ""
    raise CannotPlant
