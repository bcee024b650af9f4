"""Dead Man's Hand, followed from the deal through the dealer's peek, splits and resplits.

A pair of aces or eights is split, and split again, as often as the house allows: that is
the play the bonus asks for, and the filing's figures assume it. Each split hand gets its
second card from the shoe, and cards drawn to other hands in between change nothing: which
card of a shuffled shoe comes next does not depend on how many were drawn before, as long
as whoever draws cannot see it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec import Struct

from blackjack.cards import ACE, KING, TEN, Card, card
from blackjack.side_bets import SideBet
from blackjack.side_bets.dead_mans_hand import EIGHT
from odds.shoe import Shoe

CARDS_NEEDED: Final = 10
"""Two for the player, two for the dealer, and six to split three times."""

_FACES: Final = {ACE: card("AS"), EIGHT: card("8S"), TEN: card("TS"), 0: card("2S")}
"""A card for each kind that the bonus tells apart; 0 stands for all the others."""


class Splits(Struct, frozen=True):
    """How far pairs may be split: hands at most, for eights and for aces."""

    eights: int
    aces: int


class _Left(NamedTuple):
    """Cards left in the shoe, by kind."""

    aces: int
    eights: int
    tens: int
    others: int

    def draws(self) -> Iterator[tuple[int, Fraction, _Left]]:
        """Every kind that can come next, its probability, and what is left then."""
        total = sum(self)
        for place, (kind, count) in enumerate(zip(_FACES, self, strict=True)):
            if count:
                left = _Left(*(each - (at == place) for at, each in enumerate(self)))
                yield kind, Fraction(count, total), left


def outcome_chances(side_bet: SideBet, shoe: Shoe, splits: Splits) -> dict[str, Fraction]:
    """The probability of each outcome of the bonus, the loss among them."""
    shoe.need(CARDS_NEEDED)
    chances: dict[str, Fraction] = {}
    for first, chance_first, left_then in _left_in(shoe).draws():
        for second, chance_second, left in left_then.draws():
            chance = chance_first * chance_second
            cards = _FACES[first], _FACES[second]
            outcome = side_bet.judge(*cards, None, None, None)
            if outcome is not None:
                _add(chances, outcome, chance)
            else:
                for each, part in _of_a_pair(side_bet, cards, left, splits):
                    _add(chances, each, chance * part)
    return chances


def _left_in(shoe: Shoe) -> _Left:
    aces, eights, tens = shoe.ranks[0], shoe.ranks[EIGHT - 1], sum(shoe.ranks[TEN - 1 : KING])
    return _Left(aces, eights, tens, shoe.total - aces - eights - tens)


def _of_a_pair(
    side_bet: SideBet, cards: tuple[Card, Card], left: _Left, splits: Splits
) -> Iterator[tuple[str, Fraction]]:
    """What becomes of a pair of aces or eights: the dealer's cards, then the splits."""
    hands_max = splits.aces if cards[0].rank == ACE else splits.eights
    for up, chance_up, left_then in left.draws():
        for hole, chance_hole, left_now in left_then.draws():
            chance = chance_up * chance_hole
            if {up, hole} == {ACE, TEN}:
                yield _said(side_bet.judge(*cards, True, None, None)), chance
                continue
            rest = _Left(left_now.aces, left_now.eights, 0, left_now.tens + left_now.others)
            for sets, part in _sets(cards[0].rank, 2, 2, hands_max, rest).items():
                yield _said(side_bet.judge(*cards, False, True, sets)), chance * part


@lru_cache(maxsize=10_000)
def _sets(rank: int, waiting: int, hands: int, hands_max: int, left: _Left) -> dict[int, Fraction]:
    """How many sets come of hands of one rank that wait for their second card."""
    if waiting == 0:
        return {0: Fraction(1)}
    found: dict[int, Fraction] = {}
    for drawn, chance, left_then in left.draws():
        split = drawn == rank and hands < hands_max
        made = drawn != rank and drawn in (ACE, EIGHT)
        waiting_then = waiting + 1 if split else waiting - 1
        for sets, part in _sets(rank, waiting_then, hands + split, hands_max, left_then).items():
            found[sets + made] = found.get(sets + made, Fraction()) + chance * part
    return found


def _said(outcome: str | None) -> str:
    if outcome is None:
        raise ValueError("a pair that was played to its end is not decided")
    return outcome


def _add(chances: dict[str, Fraction], outcome: str, chance: Fraction) -> None:
    chances[outcome] = chances.get(outcome, Fraction()) + chance
