"""Coupons at the table: presented, matched, and judged by their own terms."""

from __future__ import annotations

from typing import Final

from blackjack.display_names import bet_name, wager_name
from blackjack.facts import CouponPresented, PromotionDefined
from blackjack.findings import Kind
from blackjack.money import format_cents
from blackjack.play.bet_closing import in_time
from blackjack.play.chip_moves import adopt_stray
from blackjack.play.round import Round
from blackjack.play.state import TableState
from blackjack.play.wagers import Wager
from blackjack.rulebook.house_rules import MAIN
from blackjack.rulebook.promotions import PromotionKind, Terms
from blackjack.rulebook.state_rules import CONSENT_RULE, COUPON_RULE
from blackjack.settlement.judgments import WagerCoupon

ITS_TERMS: Final = "the coupon's terms"

TERMS_MAX: Final = 1_000
"""Promotions a table remembers; a house runs a few at a time."""

COUPONS_MAX: Final = 64
"""Coupons that one round takes note of; nine spots have one each."""


HASH_LENGTH: Final = 64


def define(state: TableState, fact: PromotionDefined) -> None:
    """Terms are published; once published under a name they never change."""
    name, terms = fact.promotion, fact.terms
    known = state.terms.get(name)
    problem = terms.problem
    if not problem and not is_sound(fact):
        problem = "the content does not match the hash"
    if not problem and known is not None and known != terms:
        problem = "other terms are published under this name"
    if problem:
        state.note(
            Kind.COUPON_TERMS_UNSOUND,
            f"Coupon terms rejected: {terms.name or name[:12]}",
            f"{COUPON_RULE}; content-addressed terms",
            detail=problem,
            per_event=True,
        )
        return
    if known is None:
        _remember(state, name, terms)


def _remember(state: TableState, name: str, terms: Terms) -> None:
    kept = list(state.terms.items())[-(TERMS_MAX - 1) :]
    state.terms = dict(kept) | {name: terms}


def _terms_of(state: TableState, fact: CouponPresented) -> Terms | None:
    """The terms reported to the table, or else those of the catalog, which the table then keeps."""
    terms = state.terms.get(fact.promotion)
    if terms is None:
        terms = state.catalogue.terms(fact.promotion)
        if terms is not None:
            _remember(state, fact.promotion, terms)
    return terms


def is_sound(fact: PromotionDefined) -> bool:
    """Whether terms can be paid by, and are those that their name stands for if it is a hash."""
    named_by_hash = len(fact.promotion) == HASH_LENGTH
    return not fact.terms.problem and (not named_by_hash or fact.promotion == fact.terms.hash)


def present(state: TableState, played: Round, fact: CouponPresented) -> None:
    """A coupon is laid beside a wager. What its terms forbid is reported at once."""
    if not in_time(state, played):
        _note(
            state,
            fact,
            Kind.COUPON_LATE,
            f"Coupon {fact.serial} presented after bets closed",
            "it does not count in this round",
        )
        return
    if len(played.presented) >= COUPONS_MAX:
        return
    terms = _terms_of(state, fact)
    if terms is None:
        if state.event is not None:
            state.unknown_terms_seq = max(state.unknown_terms_seq, state.event.seq)
        _note(
            state,
            fact,
            Kind.COUPON_TERMS_UNKNOWN,
            f"Coupon {fact.serial} has unpublished terms",
            f"terms {fact.promotion[:12]}; the wager is judged once they are published",
        )
    again = played.presented.get(fact.serial, 0) > 0
    if terms is not None:
        _judge(state, played, fact, terms, again=again)
    played.presented[fact.serial] = fact.seat
    wager = played.wagers.get((fact.seat, 1, fact.wager, False))
    if wager is None:
        wager = Wager((fact.seat, 1, fact.wager, False), 0, fact.patron)
        wager.patron = fact.patron or state.patrons.get(fact.seat, "")
        played.wagers[wager.key] = wager
        adopt_stray(played, wager)
    if wager.coupon is None and not again:
        wager.coupon = WagerCoupon(fact.serial, fact.promotion, terms)


def _judge(
    state: TableState, played: Round, fact: CouponPresented, terms: Terms, *, again: bool
) -> None:
    at = played.opened_at
    until = min(time for time in (fact.expires_at, terms.valid_until, at + 1) if time)
    if until < at or at < terms.valid_from:
        _note(
            state,
            fact,
            Kind.COUPON_EXPIRED,
            f"Coupon {fact.serial} is not valid on the day of play",
            terms.name,
        )
    rules = played.rules
    wrong_game = rules is not None and terms.games and rules.spec.game not in terms.games
    if fact.wager not in (terms.wagers or (MAIN,)) or wrong_game:
        _note(
            state,
            fact,
            Kind.COUPON_WRONG_WAGER,
            f"Coupon {fact.serial} is on the wrong bet",
            f"{terms.name} is not for {wager_name(fact.wager)} in this game",
        )
    if again or _lies_on(played, fact) or (terms.one_per_round and _has_one(played, fact)):
        _note(
            state,
            fact,
            Kind.COUPON_SECOND,
            f"Coupon {fact.serial} is the second in the round",
            terms.name,
        )
    if (
        terms.kind is PromotionKind.HAND_BONUS
        and rules is not None
        and not rules.filing.allows_promotions
    ):
        _note(
            state,
            fact,
            Kind.PROMOTION_NO_CONSENT,
            f"Promotion without the game owner's consent: coupon {fact.serial}",
            f"{terms.name} adds a prize to {rules.filing.title}",
            CONSENT_RULE,
        )


def _has_one(played: Round, fact: CouponPresented) -> bool:
    """Whether a coupon lies at the seat already."""
    return any(
        wager.coupon is not None and wager.seat == fact.seat for wager in played.wagers.values()
    )


def _lies_on(played: Round, fact: CouponPresented) -> bool:
    """Whether a coupon lies on the wager already: whatever the terms allow, a wager has one."""
    wager = played.wagers.get((fact.seat, 1, fact.wager, False))
    return wager is not None and wager.coupon is not None


def attach_coupons(state: TableState, played: Round) -> None:
    """Bets are closed: a coupon that must be matched is, or is reported."""
    if not played.presented:
        return
    for wager in played.wagers.values():
        coupon = wager.coupon
        terms = coupon.terms if coupon is not None else None
        if (
            coupon is not None
            and terms is not None
            and terms.kind is PromotionKind.MATCH_PLAY
            and terms.match_required
            and wager.stake < terms.face_cents
        ):
            state.note(
                Kind.COUPON_UNMATCHED,
                f"Coupon {coupon.serial} of {format_cents(terms.face_cents)} not matched: "
                f"{bet_name(wager.seat, 1, wager.kind)}, chips {format_cents(wager.stake)}",
                f"{COUPON_RULE}; {ITS_TERMS}",
                detail=terms.name,
                seat=wager.seat,
                wager=wager.kind,
                patron=wager.patron,
                subject=coupon.serial,
            )
    for serial, seat in played.presented.items():
        if seat <= 0:
            state.note(
                Kind.COUPON_NOT_PRESENTED,
                f"Coupon {serial} was not presented: seat {-seat}",
                "convention: a coupon is presented before bets close",
                detail="a bet on the seat names it",
                seat=-seat,
                patron=state.patrons.get(-seat, ""),
                subject=serial,
            )


def _note(
    state: TableState,
    fact: CouponPresented,
    kind: Kind,
    what: str,
    detail: str,
    rule: str = f"{COUPON_RULE}; {ITS_TERMS}",
) -> None:
    state.note(
        kind,
        f"{what}: {bet_name(fact.seat, 1, fact.wager)}",
        rule,
        detail=detail,
        seat=fact.seat,
        wager=fact.wager,
        patron=fact.patron,
        subject=fact.serial,
    )
