"""Insurance against the dealer's ace, and even money: taken, and whether the rules allow it."""

from __future__ import annotations

from blackjack.cards.hand import Hand
from blackjack.facts import InsuranceTaken
from blackjack.findings import Kind
from blackjack.money import format_cents
from blackjack.play.betting import sound_amount
from blackjack.play.chip_moves import account_for
from blackjack.play.procedure import begin_play
from blackjack.play.round import DEALT, Round
from blackjack.play.state import TableState
from blackjack.play.wagers import Wager
from blackjack.rulebook.citations import cite
from blackjack.rulebook.house_rules import HALF_BACK, INSURANCE, MAIN
from blackjack.rulebook.rule_set import RuleSet


def insure(state: TableState, played: Round, fact: InsuranceTaken) -> None:
    """Insurance against the dealer's ace, or even money on a natural."""
    seat = fact.seat
    hand = played.hand(seat, 1)
    main = played.wagers.get((seat, 1, MAIN, False))
    if hand is None or main is None or played.phase < DEALT:
        state.note(
            Kind.NO_SUCH_WAGER,
            f"Insurance on seat {seat}, which has no bet to insure",
            "order of play",
            seat=seat,
            wager=INSURANCE,
            per_event=True,
        )
        return
    if not fact.even_money and not sound_amount(state, fact.cents, seat=seat, wager=INSURANCE):
        return
    begin_play(state, played)
    played.revision += 1
    rules = played.rules
    not_offered = _objection(played, rules, hand, fact) if rules is not None else ""
    too_much = _above_half(played, main, fact) if rules is not None and not not_offered else 0
    if rules is not None and (not_offered or too_much):
        name = "Even money" if fact.even_money else f"Insurance {format_cents(fact.cents)}"
        state.note(
            Kind.INSURANCE_FORBIDDEN,
            f"{name} not allowed: seat {seat}"
            if not_offered
            else f"Insurance {format_cents(too_much)} above half the bet: seat {seat}. Return it.",
            cite(rules, "even_money" if fact.even_money else "insurance"),
            detail=not_offered or f"insured for {format_cents(fact.cents)}",
            seat=seat,
            wager=INSURANCE,
            patron=main.patron,
            cents=fact.cents,
            per_event=True,
        )
    if not fact.even_money:
        _lay_insurance(state, played, main, fact.cents, too_much, in_action=not not_offered)
    elif not not_offered:
        played.even_money.add(seat)
        hand.done = True


def _lay_insurance(
    state: TableState, played: Round, main: Wager, cents: int, too_much: int, *, in_action: bool
) -> None:
    """Chips on the insurance line: those that the rules do not allow lie there and go back."""
    key = (main.seat, 1, INSURANCE, False)
    wager = played.wagers.get(key)
    if wager is None:
        wager = Wager(key, 0, main.patron)
        wager.in_action = in_action
        played.wagers[key] = wager
    elif wager.in_action and not in_action:
        too_much = cents
    elif in_action and not wager.in_action:
        wager.excess, wager.stake, wager.in_action = wager.excess + wager.stake, 0, True
    wager.stake += cents - too_much
    wager.unit = wager.stake
    wager.excess += too_much
    account_for(state, played, wager, cents)


def _above_half(played: Round, main: Wager, fact: InsuranceTaken) -> int:
    """The part of this insurance beyond half of the insured wagers."""
    if fact.even_money:
        return 0
    half_back = played.wagers.get((fact.seat, 1, HALF_BACK, False))
    insured = main.stake + (half_back.stake if half_back is not None else 0)
    taken = played.wagers.get((fact.seat, 1, INSURANCE, False))
    already = taken.stake if taken is not None and taken.in_action else 0
    return max(0, min(fact.cents, already + fact.cents - insured // 2))


def _objection(played: Round, rules: RuleSet, hand: Hand, fact: InsuranceTaken) -> str:
    """Why the rules offer no insurance here and now; nothing if they do."""
    house = rules.spec.house
    up = played.up_card
    if up is not None and up.rank != 1:
        return "the dealer shows no ace"
    if played.peeked is not None or played.hole_shown:
        return "the dealer has already checked the hole card"
    if hand.acted:
        return "the hand has been played"
    if fact.even_money:
        if not house.even_money:
            return "the house does not offer even money"
        taken = played.wagers.get((fact.seat, 1, INSURANCE, False))
        if taken is not None and taken.in_action:
            return "the hand is insured"
        return "" if hand.natural or not hand.known else "even money needs a natural"
    if not house.insurance:
        return "the house does not offer insurance"
    return "even money was taken" if fact.seat in played.even_money else ""
