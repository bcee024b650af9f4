"""The count of the remaining shoe, and the bets of a player who counts.

For the main wager that is the high-low count. A side bet has a measure of its own: what it brings
back from the cards that are left, against a full shoe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from blackjack.cards.card import ACE, KING, SUITS, TEN, Card
from blackjack.rulebook.house_rules import RuleSetSpec
from table_simulator.domain.games import SKWEEZIT, UPCARD_BONUS
from table_simulator.domain.oracle.paytables import options
from table_simulator.domain.play.shoe import SimulatedShoe

COUNTER_UNITS_MAX = 12
SIDE_UNITS_MAX = 5
FULL_RISE = 0.04
"""From so much better than a full shoe, the most units lie on a side bet."""

COUNTED_SIDES = (SKWEEZIT, UPCARD_BONUS)
"""Side bets that can be counted in one's head, or nearly."""


def true_count(shoe: SimulatedShoe) -> int:
    """High-low: low cards that have left less high ones, for each deck that is left."""
    seen = shoe.cards[: shoe.position]
    running = sum((2 <= card.points <= 6) - (card.points in (ACE, TEN)) for card in seen)
    return running * 52 // max(shoe.remaining, 26)


def count_units(shoe: SimulatedShoe) -> int:
    """One unit in a poor shoe, up to a dozen in a rich one."""
    return max(1, min(COUNTER_UNITS_MAX, 3 * true_count(shoe)))


def side_units(shoe: SimulatedShoe, spec: RuleSetSpec, wager: str) -> int:
    """One unit in a shoe no better than a full one, up to five in a better one."""
    left = _worth(shoe.cards[shoe.position :], spec, wager)
    rise = left / _worth(shoe.cards, spec, wager) - 1
    return 1 + round((SIDE_UNITS_MAX - 1) * min(max(rise / FULL_RISE, 0.0), 1.0))


def _worth(cards: list[Card], spec: RuleSetSpec, wager: str) -> float:
    """The average return of a unit on the wager, from these cards."""
    pays = options(spec.game, wager, spec.decks)[spec.paytables[wager] - 1]
    back = {row: 1 + win / stake for row, (win, stake) in pays.items()}
    return _skweezit(cards, back) if wager == SKWEEZIT else _upcard_bonus(cards, back)


def _upcard_bonus(cards: list[Card], back: Mapping[str, float]) -> float:
    """A three to six, then the card that replaces it; the rare blackjacks are left out."""
    points = Counter(card.points for card in cards)
    total = len(cards)
    replaced = sum(points[value] for value in (3, 4, 5, 6))
    paid = back["ace_up"] * points[ACE] + back["ten_up"] * points[TEN]
    paid += back["seven_to_nine_up"] * sum(points[value] for value in (7, 8, 9))
    return replaced * paid / (total * (total - 1))


def _skweezit(cards: list[Card], back: Mapping[str, float]) -> float:
    """All ways to lie between, less those of each better row, which pay by that."""
    reds = [card for card in cards if card.is_red]
    blacks = [card for card in cards if not card.is_red]
    between, belly = _between(cards)
    colored = [_between(suits) for suits in (reds, blacks)]
    one_color = sum(ways for ways, _ in colored)
    belly_of_one_color = sum(ways for _, ways in colored)
    suited = sum(_between([card for card in cards if card.suit == suit])[1] for suit in SUITS)
    paid = back["skweezer"] * (between - one_color - belly + belly_of_one_color)
    paid += back["one_colour_skweezer"] * (one_color - belly_of_one_color)
    paid += back["belly_skweezer"] * (belly - suited) + back["suited_belly_skweezer"] * suited
    total = len(cards)
    return 2 * paid / (total * (total - 1) * (total - 2))


def _between(cards: list[Card]) -> tuple[int, int]:
    """Ways to take a card that lies between two others, and of these with no rank left out."""
    heights = Counter(KING + 1 if card.rank == ACE else card.rank for card in cards)
    below = between = belly = 0
    for height in range(2, KING + 2):
        here = heights[height]
        between += below * here * (len(cards) - below - here)
        belly += heights[height - 1] * here * heights[height + 1]
        below += here
    return between, belly
