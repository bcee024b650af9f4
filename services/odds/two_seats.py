"""One side bet at two seats of a round: in how many ways a shoe deals every pair of outcomes.

Two seats have cards of their own and share the dealer's, and all come from one shoe, so that
their results are correlated. A side bet is counted for both at once as `ways` counts it for
one: for every card in the evaluator's last role the rest of the shoe falls into classes of
cards that look alike, and for every row of classes in the other roles that the seats share
the evaluator is called once for each hand. Hands of the same classes are one; two of them are
dealt in the product of the falling factorials of what the first has left of each class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import perm
from typing import Final

import numpy as np
from msgspec import Struct

from blackjack.cards.card import DECK, Card
from blackjack.rulebook.filings import Paytable
from blackjack.rulebook.house_rules import HouseRules
from blackjack.settlement.side_bets import LOSS, SideBet, SideBetRole
from odds.dead_mans_hand import joint_chances
from odds.lenses import LENSES, every_card
from odds.shoe import CardCounts
from odds.ways import (
    NOT_CARDS,
    WAYS_MAX,
    Integers,
    TooManyWays,
    UndecidedByCards,
    classes_of,
)
from odds.worth import splits_of

OWN: Final = frozenset({SideBetRole.FIRST, SideBetRole.SECOND, SideBetRole.THIRD})
"""Roles in which every seat has a card of its own; the dealer's are shared by all."""

SEATS: Final = 2

JointChances = dict[tuple[str, str], Fraction]
"""The probability of each pair of outcomes, the loss among them."""


class _SeatHands(Struct, frozen=True, eq=False):
    """The hands of one seat against one row of shared cards, by the classes of their cards."""

    rows: Integers
    """By hand and role: the class of the card, in ascending order."""
    before: Integers
    """By hand and role: how many cards earlier roles have taken from the same class."""
    taken: Integers
    """By hand and class: how many cards it takes."""
    orders: Integers
    """By outcome and hand: in how many orders of the hand's cards it is the outcome."""


@lru_cache(maxsize=64)
def chances_at_two_seats(side_bet: SideBet, house: HouseRules, shoe: CardCounts) -> JointChances:
    """The probability of every pair of outcomes of a side bet, at two seats of one round.

    Dead Man's Hand is followed through the splits of both seats.
    """
    if SideBetRole.SETS in side_bet.roles:
        rows = joint_chances(side_bet, shoe, splits_of(house), seats=SEATS)
        return {(one, other): chance for (one, other), chance in rows.items()}
    return _counted(side_bet, shoe)


def covariance_by(paytable: Paytable, chances: JointChances) -> Fraction:
    """Of the results of one unit at each of two seats, at what a paytable pays."""
    won = {outcome: _net(paytable, outcome) for pair in chances for outcome in pair}
    mean = sum((chance * won[one] for (one, _), chance in chances.items()), Fraction())
    return (
        sum((chance * won[one] * won[two] for (one, two), chance in chances.items()), Fraction())
        - mean**2
    )


def _net(paytable: Paytable, outcome: str) -> Fraction:
    row = paytable.row(outcome)
    if row is None and outcome != LOSS:
        raise LookupError(f"{outcome} has no row in {paytable.clause}")
    return Fraction(-1) if row is None else row.pays.ratio


def _counted(side_bet: SideBet, shoe: CardCounts) -> JointChances:
    """Every way to deal a side bet's cards to two seats, by the outcomes of both."""
    if not NOT_CARDS.isdisjoint(side_bet.roles):
        raise UndecidedByCards(evaluator=side_bet.evaluator)
    own = len(OWN.intersection(side_bet.roles))
    cards = len(side_bet.roles) + (SEATS - 1) * own
    shoe.need(cards)
    total = perm(shoe.total, cards)
    if total > WAYS_MAX:
        raise TooManyWays(cards=shoe.total, roles=cards)
    names = (LOSS, *side_bet.outcomes)
    ways = np.zeros((len(names), len(names)), dtype=np.int64)
    for last in DECK:
        if shoe.counts[last.index]:
            ways += shoe.counts[last.index] * _ways_against(side_bet, shoe, last, names)
    return {
        (names[one], names[two]): Fraction(int(ways[one, two]), total)
        for one, two in np.argwhere(ways)
    }


def _ways_against(
    side_bet: SideBet, shoe: CardCounts, last: Card, names: tuple[str, ...]
) -> Integers:
    """The ways by both outcomes, with this card in the evaluator's last role."""
    lens = LENSES.get(side_bet.evaluator, every_card)
    classes = classes_of(lens, last.index)
    faces = [DECK[group[0]] for group in classes]
    counts = np.array([sum(shoe.counts[card] for card in group) for group in classes])
    counts -= [last.index in group for group in classes]
    ways = np.zeros((len(names), len(names)), dtype=np.int64)
    for shared, hands in _hands(side_bet, last, faces, names):
        left = counts.copy()
        dealt = 1
        for number in shared:
            dealt *= int(left[number])
            left[number] -= 1
        if dealt > 0:
            ways += dealt * (hands.orders @ _ways_of_two(hands, left) @ hands.orders.T)
    return ways


def _ways_of_two(hands: _SeatHands, left: Integers) -> Integers:
    """In how many ways two seats are dealt two hands, by both, each in one order of classes."""
    first = np.prod(left[hands.rows] - hands.before, axis=1, dtype=np.int64)
    remaining = left - hands.taken
    ways = np.tile(first[:, None], (1, len(first)))
    for place in range(hands.rows.shape[1]):
        ways *= remaining[:, hands.rows[:, place]] - hands.before[:, place]
    return ways


def _hands(
    side_bet: SideBet, last: Card, faces: list[Card], names: tuple[str, ...]
) -> Iterator[tuple[tuple[int, ...], _SeatHands]]:
    """For every row of classes in the shared roles but the last: the hands of a seat."""
    is_own = [role in OWN for role in side_bet.roles[:-1]]
    numbers = range(len(faces))
    for shared in product(numbers, repeat=is_own.count(False)):
        found: dict[tuple[int, ...], Counter[str]] = {}
        for row in product(numbers, repeat=is_own.count(True)):
            mine, dealers = iter(row), iter(shared)
            seen = [faces[next(mine) if own else next(dealers)] for own in is_own]
            outcome = side_bet.judge(*seen, last)
            if outcome is None:
                raise UndecidedByCards(evaluator=side_bet.evaluator)
            found.setdefault(tuple(sorted(row)), Counter())[outcome] += 1
        yield shared, _laid_out(found, len(faces), names)


def _laid_out(
    found: dict[tuple[int, ...], Counter[str]], classes: int, names: tuple[str, ...]
) -> _SeatHands:
    rows = list(found)
    before = [[row[:role].count(row[role]) for role in range(len(row))] for row in rows]
    taken = [[row.count(number) for number in range(classes)] for row in rows]
    orders = [[found[row][name] for row in rows] for name in names]
    return _SeatHands(
        rows=np.array(rows, dtype=np.int64),
        before=np.array(before, dtype=np.int64),
        taken=np.array(taken, dtype=np.int64),
        orders=np.array(orders, dtype=np.int64),
    )
