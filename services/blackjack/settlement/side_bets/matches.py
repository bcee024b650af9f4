"""The match bets: three cards against one card of the dealer's, by rank.

Match Madness beside blackjack matches the three cards that lie face up against the hole
card; Match Me and Match Me 2 match the player's three cards against the dealer's card on
that spot. Two cards of the rank are a double whatever their suits. With several decks a
match can be suited; with one deck no two cards are alike, and color takes its place.
"""

from __future__ import annotations

from typing import Final

from blackjack.cards.card import Card
from blackjack.settlement.side_bets.side_bet import LOSS, SideBet, SideBetRole

UNSUITED_MATCH: Final = "unsuited_match"
SUITED_MATCH: Final = "suited_match"
UNCOLORED_MATCH: Final = "uncolored_match"
COLORED_MATCH: Final = "colored_match"
DOUBLE_MATCH: Final = "double_match"
TRIPLE_MATCH: Final = "triple_match"
TRIPLE_SUITED: Final = "triple_suited"

_PLAYER: Final = (SideBetRole.FIRST, SideBetRole.SECOND, SideBetRole.THIRD)
_SEVERAL_DECKS: Final = (UNSUITED_MATCH, SUITED_MATCH, DOUBLE_MATCH, TRIPLE_MATCH, TRIPLE_SUITED)
_ONE_DECK: Final = (UNCOLORED_MATCH, COLORED_MATCH, DOUBLE_MATCH, TRIPLE_MATCH)


def judge_several_decks(
    first: Card | None, second: Card | None, third: Card | None, target: Card | None
) -> str | None:
    """How many of three cards have the target's rank, and whether in its suit."""
    if first is None or second is None or third is None or target is None:
        return None
    rank = target.rank
    matching = [card for card in (first, second, third) if card.rank == rank]
    if not matching:
        return LOSS
    if len(matching) == 2:
        return DOUBLE_MATCH
    suited = all(card.suit == target.suit for card in matching)
    if len(matching) == 1:
        return SUITED_MATCH if suited else UNSUITED_MATCH
    return TRIPLE_SUITED if suited else TRIPLE_MATCH


def judge_one_deck(
    first: Card | None, second: Card | None, third: Card | None, target: Card | None
) -> str | None:
    """How many of three cards have the target's rank; a single one also by color."""
    if first is None or second is None or third is None or target is None:
        return None
    rank = target.rank
    matching = [card for card in (first, second, third) if card.rank == rank]
    if not matching:
        return LOSS
    if len(matching) == 1:
        return COLORED_MATCH if matching[0].is_red == target.is_red else UNCOLORED_MATCH
    return DOUBLE_MATCH if len(matching) == 2 else TRIPLE_MATCH


MATCH_THREE_UP: Final = SideBet(
    evaluator="match_three_up",
    roles=(SideBetRole.FIRST, SideBetRole.SECOND, SideBetRole.UP, SideBetRole.HOLE),
    outcomes=_SEVERAL_DECKS,
    judge=judge_several_decks,
)
MATCH_ME: Final = SideBet(
    evaluator="match_me",
    roles=(*_PLAYER, SideBetRole.MATCH_ME),
    outcomes=_SEVERAL_DECKS,
    judge=judge_several_decks,
)
MATCH_ME_2: Final = SideBet(
    evaluator="match_me_2",
    roles=(*_PLAYER, SideBetRole.MATCH_ME_2),
    outcomes=_SEVERAL_DECKS,
    judge=judge_several_decks,
)
MATCH_ME_ONE_DECK: Final = SideBet(
    evaluator="match_me_one_deck",
    roles=(*_PLAYER, SideBetRole.MATCH_ME),
    outcomes=_ONE_DECK,
    judge=judge_one_deck,
)
MATCH_ME_2_ONE_DECK: Final = SideBet(
    evaluator="match_me_2_one_deck",
    roles=(*_PLAYER, SideBetRole.MATCH_ME_2),
    outcomes=_ONE_DECK,
    judge=judge_one_deck,
)
