"""Dead Man's Hand, followed from the deal through the dealer's peek, splits and resplits.

A pair of aces or eights is split, and split again, as often as the house allows: that is
the play the bonus asks for, and the filing's figures assume it. Each split hand gets its
second card from the shoe, and cards drawn to other hands in between change nothing: which
card of a shuffled shoe comes next does not depend on how many were drawn before, as long
as whoever draws cannot see it. Several seats are followed at once: they share the shoe and
the dealer's blackjack.
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

CARDS_NEEDED_MORE: Final = 8
"""What every further seat needs: all but the dealer's."""

_Cards = tuple[Card, Card]

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


class _Splitting(NamedTuple):
    """A pair that was split: hands made so far, and those that wait for their second card."""

    rank: int
    hands: int
    waiting: int
    hands_max: int


def outcome_chances(side_bet: SideBet, shoe: Shoe, splits: Splits) -> dict[str, Fraction]:
    """The probability of each outcome of the bonus, the loss among them."""
    return {one: part for (one,), part in joint_chances(side_bet, shoe, splits, seats=1).items()}


def joint_chances(
    side_bet: SideBet, shoe: Shoe, splits: Splits, *, seats: int
) -> dict[tuple[str, ...], Fraction]:
    """The probability of every row of outcomes that so many seats of one round can have."""
    shoe.need(CARDS_NEEDED + CARDS_NEEDED_MORE * (seats - 1))
    return dict(_joint_chances(side_bet, _left_in(shoe), splits, seats))


@lru_cache(maxsize=5_000)
def _joint_chances(
    side_bet: SideBet, whole: _Left, splits: Splits, seats: int
) -> dict[tuple[str, ...], Fraction]:
    """Many shoes are alike to the bonus: without any card but an ace, an eight or a ten, say."""
    chances: dict[tuple[str, ...], Fraction] = {}
    for hands, chance, left in _deals(seats, whole):
        outcomes = tuple(side_bet.judge(*cards, None, None, None) for cards in hands)
        if None not in outcomes:
            _add(chances, tuple(map(_said, outcomes)), chance)
        else:
            for each, part in _of_pairs(side_bet, hands, left, splits):
                _add(chances, each, chance * part)
    return chances


def _deals(seats: int, left: _Left) -> Iterator[tuple[tuple[_Cards, ...], Fraction, _Left]]:
    """The first two cards of every seat, by kind."""
    if not seats:
        yield (), Fraction(1), left
        return
    for first, chance_first, left_then in left.draws():
        for second, chance_second, left_now in left_then.draws():
            cards = _FACES[first], _FACES[second]
            for others, chance, rest in _deals(seats - 1, left_now):
                yield (cards, *others), chance_first * chance_second * chance, rest


def _left_in(shoe: Shoe) -> _Left:
    aces, eights, tens = shoe.ranks[0], shoe.ranks[EIGHT - 1], sum(shoe.ranks[TEN - 1 : KING])
    return _Left(aces, eights, tens, shoe.total - aces - eights - tens)


def _of_pairs(
    side_bet: SideBet, hands: tuple[_Cards, ...], left: _Left, splits: Splits
) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """What becomes of hands with pairs among them: the dealer's cards, then the splits."""
    for up, chance_up, left_then in left.draws():
        for hole, chance_hole, left_now in left_then.draws():
            chance = chance_up * chance_hole
            if {up, hole} == {ACE, TEN}:
                judged = (side_bet.judge(*cards, True, None, None) for cards in hands)
                yield tuple(map(_said, judged)), chance
                continue
            rest = _Left(left_now.aces, left_now.eights, 0, left_now.tens + left_now.others)
            begun = tuple(_splitting(cards, splits) for cards in hands)
            for sets, part in _sets(begun, rest).items():
                judged = (
                    side_bet.judge(*cards, False, True, made)
                    for cards, made in zip(hands, sets, strict=True)
                )
                yield tuple(map(_said, judged)), chance * part


def _splitting(cards: _Cards, splits: Splits) -> _Splitting:
    """A hand before its splits; one that is no pair of aces or eights waits for nothing."""
    first, second = cards
    is_pair = first.rank == second.rank and first.rank in (ACE, EIGHT)
    hands_max = splits.aces if first.rank == ACE else splits.eights
    return _Splitting(first.rank, 2, 2, hands_max) if is_pair else _Splitting(0, 0, 0, 0)


@lru_cache(maxsize=50_000)
def _sets(seats: tuple[_Splitting, ...], left: _Left) -> dict[tuple[int, ...], Fraction]:
    """How many sets come at each seat, of hands that wait for their second card."""
    if not seats:
        return {(): Fraction(1)}
    rank, hands, waiting, hands_max = seats[0]
    if waiting == 0:
        return {(0, *sets): chance for sets, chance in _sets(seats[1:], left).items()}
    found: dict[tuple[int, ...], Fraction] = {}
    for drawn, chance, left_then in left.draws():
        split = drawn == rank and hands < hands_max
        made = drawn != rank and drawn in (ACE, EIGHT)
        waiting_then = waiting + 1 if split else waiting - 1
        then = _Splitting(rank, hands + split, waiting_then, hands_max)
        for (sets, *others), part in _sets((then, *seats[1:]), left_then).items():
            row = (sets + made, *others)
            found[row] = found.get(row, Fraction()) + chance * part
    return found


def _said(outcome: str | None) -> str:
    if outcome is None:
        raise ValueError("a pair that was played to its end is not decided")
    return outcome


def _add(
    chances: dict[tuple[str, ...], Fraction], outcomes: tuple[str, ...], chance: Fraction
) -> None:
    chances[outcomes] = chances.get(outcomes, Fraction()) + chance
