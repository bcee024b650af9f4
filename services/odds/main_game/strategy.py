"""Best play, decision by decision: what a player does who plays as the analysis supposes.

Cards are points: 1 is an ace, 10 any ten-value card.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from odds.main_game.analysis import Move
from odds.main_game.arrays import Booleans, column_of, points_of
from odds.main_game.deals import deals
from odds.main_game.hands import hands
from odds.main_game.main_rules import MainRules
from odds.main_game.openings import opening
from odds.main_game.ranks import Ranks, checked
from odds.main_game.split_play import SplitPlay
from odds.main_game.starts import start_plays


class _AgainstUpCard(Struct, frozen=True, eq=False):
    """Keys are points."""

    starts: dict[tuple[int, int, bool], Move]
    splits: dict[int, SplitPlay]
    hits: Booleans


class Strategy:
    """The decisions of one player, for a shoe and rules.

    Pairs of tens that are split are all played alike, as those of the first rank are.
    """

    def __init__(self, rules: MainRules, ranks: Ranks) -> None:
        self._by_up_card: dict[tuple[int, int], _AgainstUpCard] = {}
        for deal in deals(rules, checked(ranks, rules)):
            opened = opening(deal)
            plays = list(start_plays(opened, rules, ranks))
            self._by_up_card[deal.up_points, deal.discarded_points] = _AgainstUpCard(
                starts={
                    (points_of(play.low), points_of(play.high), play.pair): play.best
                    for play in plays
                },
                splits={points_of(play.low): play.splits[0] for play in plays if play.splits},
                hits=opened.hits,
            )

    def first(self, cards: tuple[int, int], up: int, *, pair: bool, discarded: int = 0) -> Move:
        """The first move on two cards; `pair` is whether they may be split."""
        low, high = sorted(cards)
        return self._by_up_card[up, discarded].starts[low, high, pair]

    def hits(self, cards: Iterable[int], up: int, *, discarded: int = 0) -> bool:
        """Whether a hand that was not split, or returned, is hit and not stood on."""
        place = hands().at(*map(column_of, cards))
        return bool(self._by_up_card[up, discarded].hits[place])

    def after_split(
        self,
        cards: tuple[int, ...],
        up: int,
        *,
        hands_made: int,
        pair: bool,
        discarded: int = 0,
    ) -> Move:
        """The move on a split hand, its cards in the order they came.

        `pair` is whether the first two are cards that may be split again.
        """
        play = self._by_up_card[up, discarded].splits[cards[0]]
        if len(cards) == 2 and pair and hands_made < play.split_hands_max:
            return Move.SPLIT
        if len(cards) == 2 and play.doubles[column_of(cards[1])]:
            return Move.DOUBLE
        hits = play.hits_same if cards[1] == cards[0] else play.hits
        place = hands().at(*map(column_of, cards))
        return Move.HIT if hits[place] else Move.STAND
