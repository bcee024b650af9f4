"""What is left in a shoe, and how much is bet on it by somebody who knows.

For the main wager that is the high-low count. A side bet has a measure of its own: how much its
ordinary rows are worth, with the ranks that are left, against a full shoe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from blackjack.cards import ACE, KING, TEN, Card
from blackjack.rules import RuleSetSpec
from table_simulator.domain.games import SKWEEZIT, UPCARD_BONUS
from table_simulator.domain.oracle.paytables import options
from table_simulator.domain.play.shoe import Shoe

COUNTER_UNITS_MAX = 12
SIDE_UNITS_MAX = 5
FULL_RISE = 0.04
"""From so much better than a full shoe, the most units lie on a side bet."""

COUNTED_SIDES = (SKWEEZIT, UPCARD_BONUS)
"""Side bets that ranks decide, and so can be counted by ranks."""


def true_count(shoe: Shoe) -> int:
    """High-low: low cards that have left less high ones, for each deck that is left."""
    seen = shoe.cards[: shoe.position]
    running = sum((2 <= card.points <= 6) - (card.points in (ACE, TEN)) for card in seen)
    return running * 52 // max(shoe.remaining, 26)


def count_units(shoe: Shoe) -> int:
    """One unit in a poor shoe, up to a dozen in a rich one."""
    return max(1, min(COUNTER_UNITS_MAX, 3 * true_count(shoe)))


def side_units(shoe: Shoe, spec: RuleSetSpec, wager: str) -> int:
    """One unit in a shoe no better than a full one, up to five in a better one."""
    left = _worth(shoe.cards[shoe.position :], spec, wager)
    rise = left / _worth(shoe.cards, spec, wager) - 1
    return 1 + round((SIDE_UNITS_MAX - 1) * min(max(rise / FULL_RISE, 0.0), 1.0))


def _worth(cards: Iterable[Card], spec: RuleSetSpec, wager: str) -> float:
    """What the ordinary rows of the wager pay, on average, from these cards."""
    if wager == SKWEEZIT:
        return _between(Counter(KING + 1 if card.rank == ACE else card.rank for card in cards))
    pays = options(spec.game, wager, spec.decks)[spec.paytables[wager] - 1]

    def odds(row: str) -> float:
        win, stake = pays[row]
        return win / stake

    points = Counter(card.points for card in cards)
    total = points.total()
    replaced = sum(points[each] for each in (3, 4, 5, 6))
    paid = odds("ace_up") * points[ACE] + odds("ten_up") * points[TEN]
    paid += odds("seven_to_nine_up") * sum(points[each] for each in (7, 8, 9))
    return replaced * paid / (total * (total - 1))


def _between(heights: Counter[int]) -> float:
    """The probability that one card lies strictly between two others."""
    total = heights.total()
    below = ways = 0
    for height in sorted(heights):
        above = total - below - heights[height]
        ways += 2 * below * heights[height] * above
        below += heights[height]
    return ways / (total * (total - 1) * (total - 2))
