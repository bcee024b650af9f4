"""The results of an analysis, as plain values.

Cards are points here: 1 is an ace, 10 any ten-value card. Money is in main wagers.
"""

from __future__ import annotations

from enum import StrEnum
from math import sqrt
from typing import Final

from msgspec import Struct

from odds.main_game.main_rules import MainRules
from odds.main_game.ranks import Ranks

ERROR_BOUND: Final = 1e-12
"""The rounding error of an edge as it is worked out; tests measure less, against fractions."""


class Move(StrEnum):
    """A player's move on two cards; a natural leaves none."""

    STAND = "stand"
    HIT = "hit"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    RETURN = "return"
    NATURAL = "natural"


class Start(Struct, frozen=True, array_like=True):
    """Two cards against an up card, and the value of each allowed move.

    Values are average wins, given that the peek found no blackjack; None is a move
    that is not allowed. `pair` is whether the two may be split: ten-value cards of different
    ranks may not, where a pair is two of a rank. On a natural nothing is chosen: what it is
    paid stands in the places of `stand` and `hit`, and `values` names it `Move.NATURAL` only.
    In Half Back a value is the average over what card was discarded, if any, and `best` is
    the best on that average.
    """

    low: int
    high: int
    up: int
    pair: bool
    probability: float
    """Of these cards and this up card, whatever the hole card."""
    passes: float
    """That the dealer has no blackjack then."""
    best: Move
    stand: float
    hit: float
    double: float | None = None
    split: float | None = None
    surrender: float | None = None
    returned: float | None = None
    """Half Back: one wager comes back, and the hand is played on with the other."""
    discarded: int = 0
    """Half Back: the up card that was replaced; 0 if none was, or for the average."""

    @property
    def values(self) -> dict[Move, float]:
        """The moves that can be chosen, with their values."""
        named = {
            Move.STAND: self.stand,
            Move.HIT: self.hit,
            Move.DOUBLE: self.double,
            Move.SPLIT: self.split,
            Move.SURRENDER: self.surrender,
            Move.RETURN: self.returned,
        }
        if self.best is Move.NATURAL:
            return {Move.NATURAL: self.stand}
        return {move: value for move, value in named.items() if value is not None}

    @property
    def value(self) -> float:
        """The value of the best move."""
        return self.values[self.best]


class TotalRow(Struct, frozen=True, array_like=True):
    """A total of three and more cards, averaged over the hands that come to it in best play.

    Totals of eleven and less are left out: no best play stands on them. `probability` is that of
    meeting such a hand in a round, splits left out. Values are what one unit wins on average.
    """

    soft: bool
    total: int
    up: int
    probability: float
    stand: float
    hit: float


class FirstHand(Struct, frozen=True):
    """The ends of hand 1, after a split the first of the split hands. They sum to one.

    `natural` is a natural that wins; against a dealer's blackjack it is a push.
    """

    natural: float
    win: float
    push: float
    loss: float
    surrender: float = 0.0


class Analysis(Struct, frozen=True):
    """A round of the main game, played as well as its strategy class allows.

    The class: every decision is made by the up card (and the discarded one), the cards of the
    hand itself, and, on a split hand, the pair it came from. `edge` is exact for it but for
    rounding, which `error_bound` is a bound of: 1e-12 as it is worked out, and a little more
    for an edge that was kept with ten digits. `net` and so `variance` take split hands for
    independent once the dealer's end and the number of hands are known, and `covariance` takes
    hands at two seats so once the up card and the dealer's end are; `docs/main-game.md` states
    how little that changes.
    """

    rules: MainRules
    ranks: Ranks
    edge: float
    """The average win of the house for every main wager."""
    variance: float
    """Of the net result of a round, in main wagers squared."""
    covariance: float
    """Of the net results of two hands in one round, which share the dealer; in the same unit."""
    stake: float
    """Wagers that end up on the table on average, splits and doubles counted, in main wagers."""
    first_hand: FirstHand
    net: tuple[tuple[float, float], ...]
    """Every net result of a round in main wagers, with its probability."""
    starts: tuple[Start, ...]
    totals: tuple[TotalRow, ...]
    error_bound: float = ERROR_BOUND
    """The largest possible error of the edge."""

    @property
    def edge_of_all(self) -> float:
        """The edge for every unit wagered before the deal: Half Back has two."""
        return self.edge / self.rules.units

    @property
    def deviation(self) -> float:
        """The standard deviation of the net result of a round, in main wagers."""
        return sqrt(max(self.variance, 0.0))


class FreeAce(Struct, frozen=True):
    """A round in which a coupon makes the first card an ace."""

    rules: MainRules
    ranks: Ranks
    edge: float
    first_hand: FirstHand
    error_bound: float = ERROR_BOUND
    """The largest possible error of the edge."""
