"""Skweezit: the dealer's up card squeezed between the player's first two cards.

The up card lies strictly between them; the ace is high and never low, so that a king is
squeezed by queen and ace, and a two by nothing.
"""

from __future__ import annotations

from typing import Final

from blackjack.cards.card import ACE, KING, Card
from blackjack.settlement.side_bets.side_bet import LOSS, SideBet, SideBetRole

SKWEEZER: Final = "skweezer"
ONE_COLOUR_SKWEEZER: Final = "one_colour_skweezer"
BELLY_SKWEEZER: Final = "belly_skweezer"
SUITED_BELLY_SKWEEZER: Final = "suited_belly_skweezer"


def _height(card: Card) -> int:
    return KING + 1 if card.rank == ACE else card.rank


def judge(first: Card | None, second: Card | None, up: Card | None) -> str | None:
    """The highest squeeze; a belly in one color but two suits is a plain belly."""
    if first is None or second is None or up is None:
        return None
    low, high = _height(first), _height(second)
    if low > high:
        low, high = high, low
    middle = _height(up)
    if not low < middle < high:
        return LOSS
    if high - low == 2:
        suited = first.suit == second.suit == up.suit
        return SUITED_BELLY_SKWEEZER if suited else BELLY_SKWEEZER
    return ONE_COLOUR_SKWEEZER if first.is_red == second.is_red == up.is_red else SKWEEZER


SKWEEZIT: Final = SideBet(
    evaluator="skweezit",
    roles=(SideBetRole.FIRST, SideBetRole.SECOND, SideBetRole.UP),
    outcomes=(SKWEEZER, ONE_COLOUR_SKWEEZER, BELLY_SKWEEZER, SUITED_BELLY_SKWEEZER),
    judge=judge,
)
