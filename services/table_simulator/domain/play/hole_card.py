"""A player who has seen the dealer's hole card, and plays accordingly."""

from __future__ import annotations

from blackjack.cards.card import TEN, Card
from blackjack.facts import Action
from table_simulator.domain.chance import RandomStream
from table_simulator.domain.oracle.hands import is_soft, total
from table_simulator.domain.play.strategy import basic
from table_simulator.domain.record import PlayedHand

SEEN_SHARE = 0.9
"""The share of hole cards that the player sees."""


def choose_knowing(
    rng: RandomStream, hand: PlayedHand, dealer: list[Card], actions: list[Action]
) -> Action:
    """Stands where the dealer may break, and draws where standing loses for certain."""
    usual = basic(hand, dealer[0].points, actions)
    if rng.random() >= SEEN_SHARE or usual is Action.SPLIT:
        return usual
    house, count = total(dealer), total(hand.cards, free_ace=hand.free_ace)
    is_hard = not is_soft(hand.cards, free_ace=hand.free_ace)
    if house >= 17:
        return Action.HIT if count < house else Action.STAND
    if house >= 12 and not is_soft(dealer) and is_hard:
        if Action.DOUBLE in actions and 9 <= count <= 11:
            return Action.DOUBLE
        return Action.STAND if count >= 12 else Action.HIT
    return usual


def insures_knowing(hole: Card) -> bool:
    """Insurance wins if and only if the hole card is a ten."""
    return hole.points == TEN
