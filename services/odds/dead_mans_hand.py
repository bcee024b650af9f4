"""Dead Man's Hand, followed from the deal through the dealer's peek, splits and resplits.

A pair of aces or eights is split, and split again, as often as the house allows: that is
the play the bonus rewards, and the filing's statistics assume it. Each split hand gets its
second card from the shoe, and cards drawn to other hands in between change nothing: which
card of a shuffled shoe comes next does not depend on how many were drawn before, as long
as the player cannot see it. Several seats are followed at once: they share the shoe and
the dealer's blackjack. Ways are counted as integers, each with as many cards as the longest of
its kind, so that only their sums become fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import perm
from typing import Final, NamedTuple

from msgspec import Struct

from blackjack.cards.card import ACE, KING, TEN, Card, card
from blackjack.settlement.side_bets import SideBet
from blackjack.settlement.side_bets.dead_mans_hand import EIGHT
from odds.shoe import CardCounts

CARDS_NEEDED: Final = 10
"""Two for the player, two for the dealer, and six to split three times."""

CARDS_NEEDED_MORE: Final = 8
"""The cards of every further seat: all but the dealer's."""

DEALERS_CARDS: Final = 2

_Cards = tuple[Card, Card]

_FACES: Final = {ACE: card("AS"), EIGHT: card("8S"), TEN: card("TS"), 0: card("2S")}
"""A card for each kind that the bonus distinguishes; 0 stands for all the others."""


class Splits(Struct, frozen=True):
    """The maximum number of hands after splits, for eights and for aces."""

    eights: int
    aces: int


class _Left(NamedTuple):
    """Cards left in the shoe, by kind."""

    aces: int
    eights: int
    tens: int
    others: int

    def draws(self) -> Iterator[tuple[int, int, _Left]]:
        """Every kind that can come next, its number of cards, and the remaining shoe."""
        aces, eights, tens, others = self
        if aces:
            yield ACE, aces, _Left(aces - 1, eights, tens, others)
        if eights:
            yield EIGHT, eights, _Left(aces, eights - 1, tens, others)
        if tens:
            yield TEN, tens, _Left(aces, eights, tens - 1, others)
        if others:
            yield 0, others, _Left(aces, eights, tens, others - 1)


class _Splitting(NamedTuple):
    """A pair that was split: hands made so far, and those that wait for their second card."""

    rank: int
    hands: int
    waiting: int
    hands_max: int

    @property
    def draws_max(self) -> int:
        """Cards that it takes if every draw is split again that may be."""
        return self.waiting + 2 * (self.hands_max - self.hands)


def outcome_chances(side_bet: SideBet, shoe: CardCounts, splits: Splits) -> dict[str, Fraction]:
    """The probability of each outcome of the bonus, the loss among them."""
    return {one: part for (one,), part in joint_chances(side_bet, shoe, splits, seats=1).items()}


def joint_chances(
    side_bet: SideBet, shoe: CardCounts, splits: Splits, *, seats: int
) -> dict[tuple[str, ...], Fraction]:
    """The probability of every row of outcomes that so many seats of one round can have."""
    shoe.need(CARDS_NEEDED + CARDS_NEEDED_MORE * (seats - 1))
    return dict(_joint_chances(side_bet, _left_in(shoe), splits, seats))


@lru_cache(maxsize=5_000)
def _joint_chances(
    side_bet: SideBet, whole: _Left, splits: Splits, seats: int
) -> dict[tuple[str, ...], Fraction]:
    """Cached, because many shoes are alike to the bonus: only aces, eights and tens differ."""
    ways_by_cards: dict[int, Counter[tuple[str, ...]]] = {}
    for hands, ways, left in _deals(seats, whole):
        outcomes = tuple(side_bet.judge(*cards, None, None, None) for cards in hands)
        if None not in outcomes:
            counted = ways_by_cards.setdefault(0, Counter())
            counted[tuple(map(_decided, outcomes))] += ways
            continue
        begun = tuple(_splitting(cards, splits) for cards in hands)
        more = DEALERS_CARDS + sum(hand.draws_max for hand in begun)
        counted = ways_by_cards.setdefault(more, Counter())
        for each, part in _of_pairs(side_bet, hands, begun, left):
            counted[each] += ways * part
    chances: dict[tuple[str, ...], Fraction] = {}
    dealt = 2 * seats
    for more, counted in ways_by_cards.items():
        total = perm(sum(whole), dealt + more)
        for each, ways in counted.items():
            chances[each] = chances.get(each, Fraction()) + Fraction(ways, total)
    return chances


def _deals(seats: int, left: _Left) -> Iterator[tuple[tuple[_Cards, ...], int, _Left]]:
    """The first two cards of every seat, by kind, and in how many ways they come."""
    if not seats:
        yield (), 1, left
        return
    for first, ways_first, left_then in left.draws():
        for second, ways_second, left_now in left_then.draws():
            cards = _FACES[first], _FACES[second]
            for others, ways, rest in _deals(seats - 1, left_now):
                yield (cards, *others), ways_first * ways_second * ways, rest


def _left_in(shoe: CardCounts) -> _Left:
    aces, eights, tens = shoe.ranks[0], shoe.ranks[EIGHT - 1], sum(shoe.ranks[TEN - 1 : KING])
    return _Left(aces, eights, tens, shoe.total - aces - eights - tens)


def _of_pairs(
    side_bet: SideBet, hands: tuple[_Cards, ...], begun: tuple[_Splitting, ...], left: _Left
) -> Iterator[tuple[tuple[str, ...], int]]:
    """Ways to each outcome of hands with pairs: the dealer's cards, then the splits."""
    draws_max = sum(hand.draws_max for hand in begun)
    goes_on: Counter[_Left] = Counter()
    for up, ways_up, left_then in left.draws():
        for hole, ways_hole, (aces, eights, tens, others) in left_then.draws():
            ways = ways_up * ways_hole
            if {up, hole} == {ACE, TEN}:
                judged = (side_bet.judge(*cards, True, None, None) for cards in hands)
                ways *= perm(aces + eights + tens + others, draws_max)
                yield tuple(map(_decided, judged)), ways
            else:
                goes_on[_Left(aces, eights, 0, tens + others)] += ways
    for rest, ways in goes_on.items():
        for sets, part in _sets(begun, rest, 0).items():
            judged = (
                side_bet.judge(*cards, False, True, made)
                for cards, made in zip(hands, sets, strict=True)
            )
            yield tuple(map(_decided, judged)), ways * part


def _splitting(cards: _Cards, splits: Splits) -> _Splitting:
    """A hand before its splits; one that is no pair of aces or eights waits for nothing."""
    first, second = cards
    is_pair = first.rank == second.rank and first.rank in (ACE, EIGHT)
    hands_max = splits.aces if first.rank == ACE else splits.eights
    return _Splitting(first.rank, 2, 2, hands_max) if is_pair else _Splitting(0, 0, 0, 0)


@lru_cache(maxsize=50_000)
def _sets(seats: tuple[_Splitting, ...], left: _Left, spare: int) -> dict[tuple[int, ...], int]:
    """In how many ways so many sets come at each seat, of hands that wait for their second card.

    Every way is as long as the longest: `spare` cards follow that belong to no hand.
    """
    if not seats:
        return {(): perm(sum(left), spare)}
    rank, hands, waiting, hands_max = first = seats[0]
    if waiting == 0:
        behind = _sets(seats[1:], left, spare + first.draws_max)
        return {(0, *sets): ways for sets, ways in behind.items()}
    found: dict[tuple[int, ...], int] = {}
    for drawn, count, left_then in left.draws():
        split = drawn == rank and hands < hands_max
        made = drawn != rank and drawn in (ACE, EIGHT)
        then = _Splitting(rank, hands + split, waiting + 1 if split else waiting - 1, hands_max)
        for (sets, *others), ways in _sets((then, *seats[1:]), left_then, spare).items():
            row = (sets + made, *others)
            found[row] = found.get(row, 0) + count * ways
    return found


def _decided(outcome: str | None) -> str:
    if outcome is None:
        raise ValueError("a pair that was played to its end is not decided")
    return outcome
