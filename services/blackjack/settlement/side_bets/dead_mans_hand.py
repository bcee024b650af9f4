"""Dead Man's Hand: aces and eights in the first two cards, and what splitting them brings.

A set is a hand whose first two cards are an ace and an eight. All but a pair is decided
by the deal. A pair of aces or eights waits for the dealer's blackjack, then for its own
splits; a set once made stays made.
"""

from __future__ import annotations

from typing import Final

from blackjack.cards.card import ACE, Card
from blackjack.settlement.side_bets.side_bet import LOSS, SideBet, SideBetRole

EIGHT: Final = 8

ANY_ACE_OR_EIGHT: Final = "any_ace_or_eight"
PAIR_NO_SET: Final = "pair_no_set"
ONE_SET: Final = "one_set"
TWO_SETS: Final = "two_sets"
THREE_SETS: Final = "three_sets"
FOUR_SETS: Final = "four_sets"
PAIR_WITH_DEALER_BLACKJACK: Final = "pair_with_dealer_blackjack"

_BY_SETS: Final = (PAIR_NO_SET, ONE_SET, TWO_SETS, THREE_SETS, FOUR_SETS)


def is_set(first: Card, second: Card) -> bool:
    """An ace and an eight, in either order."""
    return first.rank + second.rank == ACE + EIGHT and ACE in (first.rank, second.rank)


def may_be_set(card: Card | None) -> bool:
    """Whether a card, read or not, can be one half of a set."""
    return card is None or card.rank in (ACE, EIGHT)


def judge(
    first: Card | None,
    second: Card | None,
    dealer_blackjack: bool | None,
    split: bool | None,
    sets: int | None,
) -> str | None:
    """One ace or eight, a natural's too, is decided by the deal; a pair by what follows."""
    if first is None or second is None:
        return None
    one, two = first.rank, second.rank
    if one != two or one not in (ACE, EIGHT):
        if is_set(first, second):
            return ONE_SET
        catches = one in (ACE, EIGHT) or two in (ACE, EIGHT)
        return ANY_ACE_OR_EIGHT if catches else LOSS
    if dealer_blackjack is None:
        return None
    if dealer_blackjack:
        return PAIR_WITH_DEALER_BLACKJACK
    if sets is None:
        return None
    return _BY_SETS[min(sets, 4)] if split else PAIR_NO_SET


DEAD_MANS_HAND: Final = SideBet(
    evaluator="dead_mans_hand",
    roles=(
        SideBetRole.FIRST,
        SideBetRole.SECOND,
        SideBetRole.DEALER_BLACKJACK,
        SideBetRole.SPLIT,
        SideBetRole.SETS,
    ),
    outcomes=(
        ANY_ACE_OR_EIGHT,
        PAIR_NO_SET,
        ONE_SET,
        TWO_SETS,
        THREE_SETS,
        FOUR_SETS,
        PAIR_WITH_DEALER_BLACKJACK,
    ),
    judge=judge,
)
