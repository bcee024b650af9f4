"""Faults of coupons. Wherever it can be, the wager lost, so that only the coupon is wrong."""

from __future__ import annotations

from msgspec.structs import replace

from blackjack.facts import (
    Action,
    BetsClosed,
    CouponPresented,
    InsuranceTaken,
    PlayerActed,
    PromotionDefined,
    WagerCollected,
    WagerPaid,
    WagerPlaced,
)
from blackjack.rulebook.house_rules import MAIN
from blackjack.rulebook.promotions import PromotionKind, Terms
from table_simulator.domain.faults.bets import restake
from table_simulator.domain.faults.draft import StreamDraft
from table_simulator.domain.faults.round_view import RoundView
from table_simulator.domain.games import SKWEEZIT


def terms_of(draft: StreamDraft) -> dict[str, Terms]:
    return {
        event.fact.promotion: event.fact.terms
        for event in draft.original
        if isinstance(event.fact, PromotionDefined)
    }


def _presented(
    draft: StreamDraft, kind: PromotionKind = PromotionKind.MATCH_PLAY, *, won: bool = False
) -> tuple[RoundView, tuple[int, CouponPresented]]:
    """A coupon of this kind whose wager was settled in one stack, unsplit and undoubled."""
    terms = terms_of(draft)
    wanted = WagerPaid if won else WagerCollected

    def candidates(view: RoundView) -> list[tuple[int, CouponPresented]]:
        return [
            (place, fact)
            for place, fact in view.of(CouponPresented)
            if terms[fact.promotion].kind is kind
            and not any(each.seat == fact.seat for _, each in view.of(InsuranceTaken))
            and {act.action for act in view.acted(fact.seat)} <= {Action.HIT, Action.STAND}
            and [type(paid) for _, paid in view.settlements(fact.seat, MAIN)] == [wanted]
        ]

    return draft.pick(candidates)


def expired(draft: StreamDraft) -> str:
    view, (place, _) = _presented(draft)
    draft.alter(place, expires_at=draft.original[place].at - 3_600_000_000)
    return view.id


def wrong_wager(draft: StreamDraft) -> str:
    """A match play beside a side bet that lost."""
    terms = terms_of(draft)

    def candidates(view: RoundView) -> list[tuple[int, CouponPresented]]:
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


def unmatched(draft: StreamDraft) -> str:
    """Fewer chips than the face of the coupon."""
    view, (_, fact) = _presented(draft)
    restake(draft, view, fact.seat, MAIN, 5_00)
    return view.id


def second_in_round(draft: StreamDraft) -> str:
    view, (place, fact) = _presented(draft)
    serial = f"{fact.serial}-second"
    draft.add(place, CouponPresented(fact.seat, MAIN, serial, fact.promotion, fact.patron))
    return view.id


def doubled(draft: StreamDraft) -> str:
    """A double that adds chips for the coupon too."""
    view, (face, act, _, paid_at, paid) = _doubled(draft)
    draft.alter(act, cents=view.stake(paid.seat, MAIN) + face)
    draft.alter(paid_at, cents=paid.cents + face)
    return view.id


def paid_as_doubled(draft: StreamDraft) -> str:
    """A double after which the coupon is paid twice."""
    view, (face, _, _, paid_at, paid) = _doubled(draft)
    draft.alter(paid_at, cents=paid.cents + face)
    return view.id


def _doubled(draft: StreamDraft) -> tuple[RoundView, tuple[int, int, PlayerActed, int, WagerPaid]]:
    """A match play on a hand that was doubled and won: face, the act, the payment."""
    terms = terms_of(draft)

    def candidates(view: RoundView) -> list[tuple[int, int, PlayerActed, int, WagerPaid]]:
        found = []
        for _, fact in view.of(CouponPresented):
            acts = [(place, act) for place, act in view.of(PlayerActed) if act.seat == fact.seat]
            promised = terms[fact.promotion]
            if [act.action for _, act in acts] != [Action.DOUBLE]:
                continue
            if acts[0][1].cents not in (0, view.stake(fact.seat, MAIN)):
                continue  # doubled for less
            for place, paid in view.settlements(fact.seat, MAIN):
                if promised.kind is PromotionKind.MATCH_PLAY and isinstance(paid, WagerPaid):
                    found.append((promised.face_cents, *acts[0], place, paid))
        return found

    return draft.pick(candidates)


def after_bets_closed(draft: StreamDraft) -> str:
    view, (place, fact) = _presented(draft)
    draft.drop(place)
    for there, placed in view.of(WagerPlaced):
        if placed.coupon == fact.serial:
            draft.alter(there, coupon="")
    draft.add(view.first(BetsClosed)[0] + 1, fact)
    return view.id


def wrong_pay(draft: StreamDraft) -> str:
    """The coupon of a winner is not paid at all."""
    terms = terms_of(draft)
    view, (_, fact) = _presented(draft, won=True)
    place, paid = view.settlements(fact.seat, MAIN)[0]
    draft.alter(place, cents=paid.cents - terms[fact.promotion].face_cents)
    return view.id


def terms_unknown(draft: StreamDraft) -> str:
    view, (place, _) = _presented(draft)
    draft.alter(place, promotion="f" * 64)
    return view.id


def not_presented(draft: StreamDraft) -> str:
    """Chips lie beside a coupon that was not announced."""
    view, (place, _) = _presented(draft)
    draft.drop(place)
    return view.id


def terms_unsound(draft: StreamDraft) -> str:
    """Terms are published under the hash of others."""
    place, fact = draft.outside(PromotionDefined)
    better = replace(fact.terms, face_cents=fact.terms.face_cents + 5_00)
    draft.add(place, PromotionDefined(fact.promotion, better))
    return ""


def no_consent(draft: StreamDraft) -> str:
    """A bonus on a hand of a game whose owner did not agree to extra prizes."""
    terms = Terms(
        "Hand of the day",
        PromotionKind.HAND_BONUS,
        50_00,
        wagers=(SKWEEZIT,),
        match_required=False,
        bonus_outcome="suited_belly_skweezer",
    )
    defined, _ = draft.outside(PromotionDefined)
    draft.add(defined, PromotionDefined(terms.hash, terms))
    view, seat = draft.pick(lambda view: view.lost(SKWEEZIT))
    place = view.placings(seat, SKWEEZIT)[0][0]
    draft.add(place - 1, CouponPresented(seat, SKWEEZIT, f"{view.id}-hand", terms.hash))
    return view.id
