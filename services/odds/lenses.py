"""How cards look to an evaluator once the card in its last role is known.

To a bet that matches three cards against a hole card, all cards of other ranks are alike.
A lens defines which are: cards that it shows alike may be exchanged in any role but the last
without changing the judgment. That is a claim about the evaluator, and a test proves it
over all cards in all roles. An evaluator without a lens is counted card by card, which
takes longer and gives the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from types import MappingProxyType
from typing import Final

from blackjack.cards.card import ACE, KING, TEN, Card

Lens = Callable[[Card, Card], Hashable]
"""The look of a card (second), seen from the card in the last role (first)."""


def every_card(_last: Card, card: Card) -> Hashable:
    """No two cards are alike."""
    return card.index


def by_straight(up: Card, card: Card) -> Hashable:
    """Cards too far away for a straight differ by suit alone."""
    distance = (card.rank - up.rank) % KING
    near = distance <= 2 or distance >= KING - 2
    return card.suit == up.suit, card.rank if near else 0


def by_height(up: Card, card: Card) -> Hashable:
    """Below, just below, equal, just above or above, the ace on top; and color and suit."""
    distance = _height(card) - _height(up)
    return max(-2, min(2, distance)), card.is_red == up.is_red, card.suit == up.suit


def by_suited_rank(target: Card, card: Card) -> Hashable:
    """Cards of another rank are alike; those of the rank differ by being suited."""
    return card.rank == target.rank, card is target


def by_colored_rank(target: Card, card: Card) -> Hashable:
    """Cards of another rank are alike; those of the rank differ by color."""
    return card.rank == target.rank, card.rank == target.rank and card.is_red == target.is_red


def by_points(hole: Card, card: Card) -> Hashable:
    """Two, three to six, seven to nine, ten or ace; the last two also by the hole card's suit."""
    points = card.points
    if points in (ACE, TEN):
        return points, card.suit == hole.suit
    return (2, 3, 3, 3, 3, 7, 7, 7)[points - 2]


def _height(card: Card) -> int:
    return KING + 1 if card.rank == ACE else card.rank


LENSES: Final[Mapping[str, Lens]] = MappingProxyType(
    {
        "double_action": by_straight,
        "match_three_up": by_suited_rank,
        "match_me": by_suited_rank,
        "match_me_2": by_suited_rank,
        "match_me_one_deck": by_colored_rank,
        "match_me_2_one_deck": by_colored_rank,
        "skweezit": by_height,
        "upcard_bonus": by_points,
    }
)
"""The lens of each evaluator that looks at nothing but cards."""
