"""Upcard Bonus: what becomes of the dealer's up card when it must be replaced.

The bonus lives only if the original is a three to a six. The replacement decides; under
an ace or a ten it waits for the hole card, since a blackjack pays more.
"""

from __future__ import annotations

from typing import Final

from blackjack.cards.card import ACE, TEN, Card
from blackjack.settlement.side_bets.side_bet import LOSS, SideBet, SideBetRole

SEVEN_TO_NINE_UP: Final = "seven_to_nine_up"
TEN_UP: Final = "ten_up"
ACE_UP: Final = "ace_up"
UNSUITED_BLACKJACK: Final = "unsuited_blackjack"
SUITED_BLACKJACK: Final = "suited_blackjack"


def is_replaced(up: Card) -> bool:
    """A three, four, five or six leaves the dealer's hand, once."""
    return 3 <= up.rank <= 6


def judge(up: Card | None, replacement: Card | None, hole: Card | None) -> str | None:
    """Lost at once if nothing is replaced or the replacement is a two to a six."""
    if up is None:
        return None
    if not is_replaced(up):
        return LOSS
    if replacement is None:
        return None
    points = replacement.points
    if points != ACE and points != TEN:
        return SEVEN_TO_NINE_UP if points >= 7 else LOSS
    if hole is None:
        return None
    if points + hole.points == ACE + TEN:
        return SUITED_BLACKJACK if replacement.suit == hole.suit else UNSUITED_BLACKJACK
    return ACE_UP if points == ACE else TEN_UP


UPCARD_BONUS: Final = SideBet(
    evaluator="upcard_bonus",
    roles=(SideBetRole.UP, SideBetRole.REPLACEMENT, SideBetRole.HOLE),
    outcomes=(SEVEN_TO_NINE_UP, TEN_UP, ACE_UP, UNSUITED_BLACKJACK, SUITED_BLACKJACK),
    judge=judge,
)
