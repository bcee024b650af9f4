"""The player's gain or loss by one card less in the shoe: the root of every card count."""

from __future__ import annotations

from odds.main_game.analyzer import analyse
from odds.main_game.main_rules import MainRules
from odds.main_game.ranks import Ranks, column_of_rank


def effects_of_removal(rules: MainRules, ranks: Ranks) -> tuple[float, ...]:
    """For each rank, how the edge changes when one of its cards has left the shoe.

    Both shoes are best played. A five less lowers the edge, an ace less raises it. Where a
    rank has no card the effect is zero.
    """
    whole = analyse(rules, ranks).edge
    found: dict[tuple[int, int], float] = {}
    for rank, count in enumerate(ranks):
        # Two ten-value ranks with as many cards are the same card to the game.
        alike = (column_of_rank(rank), count)
        if alike not in found:
            less = (*ranks[:rank], count - 1, *ranks[rank + 1 :])
            found[alike] = analyse(rules, less).edge - whole if count else 0.0
    return tuple(found[column_of_rank(rank), count] for rank, count in enumerate(ranks))
