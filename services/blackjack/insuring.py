"""Insurance against the dealer's ace, and even money: taken, and whether the rules allow it."""

from __future__ import annotations

from blackjack.betting import sound_amount
from blackjack.citing import cite
from blackjack.facts import InsuranceTaken
from blackjack.findings import Kind
from blackjack.hands import Hand
from blackjack.money import dollars
from blackjack.procedure import begin_play
from blackjack.round import DEALT, Round
from blackjack.rule_set import RuleSet
from blackjack.rules import HALF_BACK, INSURANCE, MAIN
from blackjack.state import State
from blackjack.wagers import Wager


def insure(state: State, played: Round, fact: InsuranceTaken) -> None:
    """Insurance against the dealer's ace, or even money on a natural."""
    seat = fact.seat
    hand = played.hand(seat, 1)
    main = played.wagers.get((seat, 1, MAIN, False))
    if hand is None or main is None or played.phase < DEALT:
        state.note(
            Kind.NO_SUCH_WAGER,
            f"insurance on seat {seat}, where nothing is to insure",
            "order of play",
            seat=seat,
            wager=INSURANCE,
            each=True,
        )
        return
    begin_play(state, played)
    played.revision += 1
    rules = played.rules
    if rules is not None:
        objection = _insurance_objection(played, rules, hand, main, fact)
        if objection:
            state.note(
                Kind.INSURANCE_FORBIDDEN,
                f"insurance on seat {seat}: {objection}",
                cite(rules, "even_money" if fact.even_money else "insurance"),
                seat=seat,
                wager=INSURANCE,
                patron=main.patron,
                cents=fact.cents,
                each=True,
            )
    if fact.even_money:
        played.even_money.add(seat)
        hand.done = True
    elif sound_amount(state, fact.cents, seat=seat, wager=INSURANCE):
        key = (seat, 1, INSURANCE, False)
        wager = played.wagers.get(key)
        if wager is None:
            played.wagers[key] = Wager(key, fact.cents, main.patron)
        else:
            wager.stake = wager.chips = wager.unit = wager.stake + fact.cents


def _insurance_objection(
    played: Round, rules: RuleSet, hand: Hand, main: Wager, fact: InsuranceTaken
) -> str:
    house = rules.spec.house
    up = played.up_card
    if up is not None and up.rank != 1:
        return "the dealer shows no ace"
    if played.peeked is not None or played.hole_shown:
        return "the hole card was already looked at"
    if fact.even_money:
        if not house.even_money:
            return "the house does not offer even money"
        return "" if hand.natural or not hand.known else "even money is for a natural"
    if not house.insurance:
        return "the house does not offer insurance"
    half_back = played.wagers.get((fact.seat, 1, HALF_BACK, False))
    stake = main.stake + (half_back.stake if half_back is not None else 0)
    taken = played.wagers.get((fact.seat, 1, INSURANCE, False))
    insured = fact.cents + (taken.stake if taken is not None else 0)
    if 2 * insured > stake:
        return f"{dollars(insured)} is more than half of {dollars(stake)}"
    return ""
