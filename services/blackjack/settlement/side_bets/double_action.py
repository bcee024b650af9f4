"""Double Action: the player's first two cards with the dealer's up card.

A match is a player's card of the up card's rank; a pair in the player's own hand is
none. The ace ends a straight at either end, and no straight goes round the corner.
"""

from __future__ import annotations

from typing import Final

from blackjack.cards.card import ACE, KING, Card
from blackjack.settlement.side_bets.side_bet import LOSS, SideBet, SideBetRole

MATCH: Final = "match"
FLUSH: Final = "flush"
STRAIGHT: Final = "straight"
THREE_OF_A_KIND: Final = "three_of_a_kind"
STRAIGHT_FLUSH: Final = "straight_flush"
SUITED_THREE_OF_A_KIND: Final = "suited_three_of_a_kind"


def is_straight(one: int, two: int, three: int) -> bool:
    """Three ranks in a row, the ace below the two or above the king."""
    low, middle, high = sorted((one, two, three))
    if middle - low == 1 and high - middle == 1:
        return True
    return low == ACE and middle == KING - 1 and high == KING


def judge(first: Card | None, second: Card | None, up: Card | None) -> str | None:
    """The highest of the six outcomes that the three cards make."""
    if first is None or second is None or up is None:
        return None
    suited = first.suit == second.suit == up.suit
    one, two, three = first.rank, second.rank, up.rank
    if one == two == three:
        return SUITED_THREE_OF_A_KIND if suited else THREE_OF_A_KIND
    if is_straight(one, two, three):
        return STRAIGHT_FLUSH if suited else STRAIGHT
    if suited:
        return FLUSH
    if three in (one, two):
        return MATCH
    return LOSS


DOUBLE_ACTION: Final = SideBet(
    evaluator="double_action",
    roles=(SideBetRole.FIRST, SideBetRole.SECOND, SideBetRole.UP),
    outcomes=(MATCH, FLUSH, STRAIGHT, THREE_OF_A_KIND, STRAIGHT_FLUSH, SUITED_THREE_OF_A_KIND),
    judge=judge,
)
