"""Judgments that rest on a card which lies face down.

A device has read it, so the engine knows before the dealer turns the hole card that a wager is
lost; the table cannot, and a player who moves chips has no right to them yet.
"""

from __future__ import annotations

from blackjack.play.round import Round
from blackjack.play.state import TableState
from blackjack.play.wagers import Wager
from blackjack.rulebook.house_rules import INSURANCE
from blackjack.settlement.side_wagers import possible_outcomes


def rests_on_hidden_card(state: TableState, played: Round, wager: Wager) -> bool:
    """Whether the cards that are shown do not yet decide this wager."""
    if played.closing or played.void or wager.stray:
        return False
    if not wager.in_action:
        return wager.returned_early and played.dealer_blackjack_shown is None
    plan = played.plans.get(wager.kind)
    if plan is not None:
        return not possible_outcomes(state, played, plan, wager, shown_only=True)
    if played.hole_shown or played.hole_card is None:
        return False
    blackjack = played.dealer_blackjack_shown
    if wager.kind == INSURANCE:
        return blackjack is None
    hand = played.hand(wager.seat, wager.hand)
    if hand is None or hand.busted or hand.surrendered or hand.void:
        return False
    if hand.natural:
        return blackjack is None and wager.seat not in played.even_money
    return not blackjack
