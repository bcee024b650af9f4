"""The blackjack hand against the dealer's: main, Half Back and insurance wagers."""

from __future__ import annotations

from itertools import product
from typing import Final

from blackjack.cards.hand import Hand, best_total
from blackjack.money import (
    EVEN_MONEY,
    PUSH,
    TWO_TO_ONE,
    Odds,
    format_cents,
    round_to_chip,
    winnings,
)
from blackjack.outcomes import LOST, PUSHED, WON, Result
from blackjack.play.round import Round
from blackjack.play.wagers import Wager
from blackjack.rulebook.citations import NEVER_GUESSED, cite, cite_outcome
from blackjack.rulebook.promotions import PromotionKind
from blackjack.rulebook.rule_set import RuleSet
from blackjack.settlement.explanations import explain_due
from blackjack.settlement.judgments import Owed

TERMS_UNKNOWN: Final = "terms_unknown"
"""The outcome of a wager whose coupon has no known value: there is no upper bound."""

UNREAD_MAX: Final = 3
"""Unread cards that are tried one by one; beyond that only the bounds are stated."""

BUST: Final = "bust"
"""The outcome of a hand that passed 21: whatever the dealer has, it is lost."""

_Verdict = tuple[Result, str]
_NATURAL: Final = (WON, "natural")
_BLACKJACK_PUSH: Final = (PUSHED, "blackjack_push")
_DEALER_BLACKJACK: Final = (LOST, "dealer_blackjack")
_BUST: Final = (LOST, BUST)
_DEALER_BUST: Final = (WON, "dealer_bust")
_WIN: Final = (WON, "win")
_PUSH: Final = (PUSHED, "push")
_LOSS: Final = (LOST, "loss")


def dealer_must_draw(dealer: Hand, *, hits_soft_17: bool) -> bool:
    """The dealer draws to sixteen, and to a soft seventeen by house rule."""
    total = dealer.total
    return total < 17 or (total == 17 and dealer.soft and hits_soft_17)


def owed_on_hand(played: Round, rules: RuleSet, wager: Wager, hand: Hand | None) -> Owed | None:
    """What a wager on a blackjack hand is owed, None while the hand is open."""
    if not wager.in_action and (not wager.returned_early or played.dealer_blackjack is False):
        return Owed(
            Result.RETURNED,
            "returned",
            cite(rules, "half_back.return"),
            f"returned to the player: {format_cents(wager.stake)}",
        )
    if wager.returned_early and played.dealer_blackjack is None:
        return _returned_unread(rules, wager) if played.closing else None
    if hand is None or len(hand.cards) < 2:
        if not played.closing:
            return None
        return Owed(
            Result.VOID,
            "no_hand",
            "convention: a wager without a dealt hand goes back",
            f"no hand was dealt: {format_cents(wager.stake)} returned",
        )
    if hand.surrendered and not played.dealer_blackjack:
        return _surrendered(rules, wager)
    if wager.seat in played.even_money and wager.hand == 1:
        if hand.natural:
            return _won(played, rules, wager, "even_money", EVEN_MONEY)
        if not hand.known:
            return _even_money_unread(played, rules, wager)
    verdicts = _verdicts(played, hand)
    if not verdicts:
        return None
    if wager.for_player:
        best = max(sorted(verdicts), key=_worth)
        if best[0] is not WON:
            return _won(played, rules, wager, "ruled_for_player", EVEN_MONEY)
        return _decided(played, rules, wager, best)
    if len(verdicts) == 1:
        return _decided(played, rules, wager, next(iter(verdicts)))
    return _open(played, rules, wager, verdicts)


def _verdicts(played: Round, hand: Hand) -> set[_Verdict]:
    """Every way the hand can have ended, given the cards not read; empty while it is open."""
    if hand.busted:
        return {_BUST}
    blackjack = played.dealer_blackjack
    if blackjack and hand.known:
        return {_BLACKJACK_PUSH if hand.natural else _DEALER_BLACKJACK}
    if blackjack is False and hand.natural:
        return {_NATURAL}
    rules = played.rules
    dealer = played.dealer
    finished = played.closing or (
        rules is not None
        and len(dealer.cards) >= 2
        and dealer.known
        and hand.known
        and not dealer_must_draw(dealer, hits_soft_17=rules.spec.house.dealer_hits_soft_17)
        and (hand.done or played.hole_shown)
    )
    if not finished:
        return set()
    unread = hand.unread + dealer.unread + max(0, 2 - len(dealer.cards))
    if not unread:
        return {_compare(hand, hand.hard, hand.has_ace, dealer, dealer.hard, dealer.has_ace)}
    if unread > UNREAD_MAX:
        best = _NATURAL if len(hand.cards) == 2 and not hand.from_split else _WIN
        return {_LOSS, best}
    found: set[_Verdict] = set()
    for drawn in product(range(1, 11), repeat=unread):
        mine, theirs = drawn[: hand.unread], drawn[hand.unread :]
        if _contradicts_peek(played, theirs):
            continue
        found.add(
            _compare(
                hand,
                hand.hard + sum(mine),
                hand.has_ace or 1 in mine,
                dealer,
                dealer.hard + sum(theirs),
                dealer.has_ace or 1 in theirs,
                blackjack=blackjack,
            )
        )
    return found


def _contradicts_peek(played: Round, unread: tuple[int, ...]) -> bool:
    """Whether unread cards of the dealer would make of the hole card what the peek denied."""
    up = played.up_card
    cards = played.dealer.cards
    if played.peeked is None or up is None or played.hole < 0 or cards[played.hole] is not None:
        return False
    hole = unread[sum(card is None for card in cards[: played.hole])]
    return (up.points + hole == 11 and 1 in (up.points, hole)) != played.peeked


def _compare(
    hand: Hand,
    hard: int,
    has_ace: bool,
    dealer: Hand,
    dealer_hard: int,
    dealer_has_ace: bool,
    *,
    blackjack: bool | None = None,
) -> _Verdict:
    """One hand against the dealer's, with every card supposed to be known."""
    total = best_total(hard, has_ace)
    dealer_total = best_total(dealer_hard, dealer_has_ace)
    if total > 21:
        return _BUST
    natural = total == 21 and len(hand.cards) == 2 and not hand.from_split
    dealer_natural = (
        dealer_total == 21 and len(dealer.cards) <= 2 if blackjack is None else blackjack
    )
    if dealer_natural:
        return _BLACKJACK_PUSH if natural else _DEALER_BLACKJACK
    if natural:
        return _NATURAL
    if dealer_total > 21:
        return _DEALER_BUST
    if total == dealer_total:
        return _PUSH
    return _WIN if total > dealer_total else _LOSS


def _worth(verdict: _Verdict) -> int:
    """How good a verdict is for the player: a natural never pays less than another win."""
    result, outcome = verdict
    if result is WON:
        return 3 if outcome == "natural" else 2
    return 1 if result is PUSHED else 0


def _decided(played: Round, rules: RuleSet, wager: Wager, verdict: _Verdict) -> Owed:
    result, outcome = verdict
    if result is WON:
        odds = rules.spec.house.natural_pays if outcome == "natural" else EVEN_MONEY
        return _won(played, rules, wager, outcome, odds)
    clause = cite_outcome(rules, outcome)
    if result is PUSHED:
        return Owed(result, outcome, clause)
    return Owed(result, outcome, clause, taken_cents=wager.stake)


def _won(played: Round, rules: RuleSet, wager: Wager, outcome: str, odds: Odds) -> Owed:
    limits = rules.spec.limits
    chips = winnings(
        (wager.stake, odds), chip_cents=limits.smallest_chip_cents, rounding=limits.rounding
    )
    due = Owed(
        WON,
        outcome,
        cite_outcome(rules, outcome),
        cents=chips,
        least_cents=chips,
        most_cents=chips,
    )
    if wager.coupon is None:
        return due
    return with_coupon(played, rules, wager, natural=outcome == "natural", odds=odds, due=due)


def with_coupon(
    played: Round, rules: RuleSet, wager: Wager, *, natural: bool, odds: Odds, due: Owed
) -> Owed:
    """Add what the coupon beside a winning wager is paid by its own terms.

    `odds` are those of the chips. Chips and coupon are rounded together, once: what the coupon
    is paid is what the whole is more than the chips alone would be.
    """
    coupon = wager.coupon
    if coupon is None:
        return due
    terms = coupon.terms
    if terms is None:
        return Owed(
            Result.UNDETERMINED,
            TERMS_UNKNOWN,
            due.clause,
            f"{explain_due(played, wager, due)}; the terms of coupon {coupon.serial} are not known",
            least_cents=due.cents,
            most_cents=due.cents,
        )
    face = terms.face_cents
    if terms.kind is PromotionKind.HAND_BONUS:
        pays = EVEN_MONEY if terms.bonus_outcome == due.outcome else PUSH
        how = "bonus"
    elif terms.kind in (PromotionKind.MATCH_PLAY, PromotionKind.FREE_BET):
        pays = terms.natural_pays if natural else terms.pays
        how = f"coupon {pays} on {format_cents(face)}"
    else:
        return due
    limits = rules.spec.limits
    total = winnings(
        (wager.stake, odds),
        (face, pays),
        chip_cents=limits.smallest_chip_cents,
        rounding=limits.rounding,
    )
    extra = total - due.cents
    if not extra:
        return due
    return Owed(
        due.result,
        due.outcome,
        due.clause,
        f"{explain_due(played, wager, due)}; {how} = {format_cents(extra)}; "
        f"{format_cents(total)} in all",
        cents=total,
        least_cents=total,
        most_cents=total,
        coupon_cents=extra,
    )


def _even_money_unread(played: Round, rules: RuleSet, wager: Wager) -> Owed:
    """Even money was taken on a hand that may or may not have been a natural."""
    most = _won(played, rules, wager, "even_money", EVEN_MONEY).most_cents
    return Owed(
        Result.UNDETERMINED,
        "card_not_read",
        NEVER_GUESSED,
        f"even money on a hand not fully read: {format_cents(0)} to {format_cents(most)}",
        most_cents=most,
    )


def _returned_unread(rules: RuleSet, wager: Wager) -> Owed:
    """Half Back was returned too early, and whether the dealer had blackjack is not known."""
    return Owed(
        Result.UNDETERMINED,
        "card_not_read",
        NEVER_GUESSED,
        f"returned before the peek, and the hole card was not read: {format_cents(0)} or "
        f"{format_cents(wager.stake)} lost [{cite(rules, 'half_back.return')}]",
    )


def _surrendered(rules: RuleSet, wager: Wager) -> Owed:
    limits = rules.spec.limits
    back = round_to_chip(
        wager.stake, 2, chip_cents=limits.smallest_chip_cents, rounding=limits.rounding
    )
    taken = wager.stake - min(back, wager.stake)
    return Owed(
        Result.SURRENDERED,
        "surrender",
        cite(rules, "surrender"),
        f"surrender, half of {format_cents(wager.stake)}: {format_cents(taken)} lost",
        taken_cents=taken,
    )


def _open(played: Round, rules: RuleSet, wager: Wager, verdicts: set[_Verdict]) -> Owed:
    """Undetermined: a card that decides it was not read."""
    dues = [_decided(played, rules, wager, verdict) for verdict in sorted(verdicts)]
    least, most = min(due.least_cents for due in dues), max(due.most_cents for due in dues)
    ways = ", ".join(sorted({due.outcome.replace("_", " ") for due in dues}))
    return Owed(
        Result.UNDETERMINED,
        "card_not_read",
        NEVER_GUESSED,
        f"a card was not read; could be {ways}: {format_cents(least)} to {format_cents(most)}",
        least_cents=least,
        most_cents=most,
    )


def owed_on_insurance(played: Round, rules: RuleSet, wager: Wager) -> Owed | None:
    """Insurance pays two to one against the dealer's blackjack and loses otherwise."""
    clause = cite(rules, "insurance")
    if not wager.in_action:
        return Owed(
            Result.RETURNED,
            "not_offered",
            clause,
            f"insurance was not offered: {format_cents(wager.stake)} returned",
        )
    blackjack = played.dealer_blackjack
    if blackjack is None:
        if not played.closing:
            return None
        most = wager.stake * TWO_TO_ONE.win
        return Owed(
            Result.UNDETERMINED,
            "card_not_read",
            clause,
            f"the hole card was not read: {format_cents(0)} to {format_cents(most)}",
            most_cents=most,
        )
    if not blackjack:
        return Owed(LOST, "loss", clause, taken_cents=wager.stake)
    cents = wager.stake * TWO_TO_ONE.win
    return Owed(WON, "dealer_blackjack", clause, cents=cents, least_cents=cents, most_cents=cents)
