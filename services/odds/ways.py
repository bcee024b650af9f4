"""In how many ways a shoe deals each outcome of a side bet, counted exactly.

For every card in the evaluator's last role the rest of the shoe falls into classes of
cards that look alike (`lenses`), and the evaluator itself is called once for every row of
classes. A row of classes is dealt in as many ways as the product of the classes' counts,
each less what the row has already taken from it; so an outcome is a sum of such products,
laid out once for an evaluator and then worked out in integers for any shoe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from functools import lru_cache
from itertools import groupby, product
from math import perm
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from blackjack.cards.card import DECK
from blackjack.settlement.side_bets import LOSS, SideBet, SideBetRole
from odds.lenses import LENSES, Lens, every_card
from odds.shoe import CardCounts

Integers = NDArray[np.int64]

NOT_CARDS: Final = frozenset({SideBetRole.DEALER_BLACKJACK, SideBetRole.SPLIT, SideBetRole.SETS})
"""Roles that are filled by what happens, and not by one card of the shoe."""


WAYS_MAX: Final = 2**63 - 1


class Ways(Struct, frozen=True):
    """Ordered ways to deal each outcome, the loss among them; they add up to `total`."""

    total: int
    by_outcome: dict[str, int]


class TooManyWays(ValueError):
    """More ways than 64 bits count: a large shoe for an evaluator of many cards."""

    def __init__(self, *, cards: int, roles: int) -> None:
        self.cards = cards
        self.roles = roles
        super().__init__(f"{roles} of {cards} cards can be dealt in too many ways to be counted")


class UndecidedByCards(ValueError):
    """An evaluator that cards alone do not decide."""

    def __init__(self, *, evaluator: str) -> None:
        self.evaluator = evaluator
        super().__init__(f"{evaluator} looks at more than the cards of its roles")


class SummationPlan(Struct, frozen=True):
    """The sums of an evaluator: terms by outcome, each a product over classes of cards.

    Classes are numbered through for all 52 cards in the last role: `members` lists the
    cards of each class, `taken` which class the last card itself is missing from.
    """

    roles: int
    outcomes: tuple[str, ...]
    members: Integers
    taken: Integers
    last: Integers
    """By term: the card in the last role."""
    times: Integers
    """By term: in how many orders its row of classes gives the outcome."""
    classes: Integers
    """By role and term: the class that the card in this role comes from."""
    before: Integers
    """By role and term: how many cards earlier roles have taken from the same class."""
    starts: Integers
    """Where the terms of each outcome begin."""


def count_ways(side_bet: SideBet, shoe: CardCounts) -> Ways:
    """Every way to deal the cards of a side bet's roles from a shoe, by outcome."""
    layout = plan_of(side_bet)
    shoe.need(layout.roles)
    total = perm(shoe.total, layout.roles)
    if total > WAYS_MAX:
        raise TooManyWays(cards=shoe.total, roles=layout.roles)
    counts = np.array(shoe.counts, dtype=np.int64)
    in_class = layout.members @ counts - layout.taken
    ways = counts[layout.last] * layout.times
    for classes, before in zip(layout.classes, layout.before, strict=True):
        ways *= in_class[classes] - before
    sums = np.add.reduceat(ways, layout.starts)
    by_outcome = dict.fromkeys(side_bet.outcomes, 0)
    by_outcome.update(zip(layout.outcomes, map(int, sums), strict=True))
    by_outcome[LOSS] = total - sum(by_outcome.values())
    return Ways(total, by_outcome)


@lru_cache(maxsize=64)
def plan_of(side_bet: SideBet) -> SummationPlan:
    """The sums of an evaluator, with everything but the counts worked out."""
    if not NOT_CARDS.isdisjoint(side_bet.roles):
        raise UndecidedByCards(evaluator=side_bet.evaluator)
    lens = LENSES.get(side_bet.evaluator, every_card)
    others = len(side_bet.roles) - 1
    terms: Counter[tuple[str, int, tuple[int, ...]]] = Counter()
    members: list[list[int]] = []
    taken: list[int] = []
    for last in DECK:
        classes = classes_of(lens, last.index)
        first_number = len(members)
        members.extend(classes)
        taken.extend(last.index in group for group in classes)
        for row in product(range(len(classes)), repeat=others):
            seen = [DECK[classes[number][0]] for number in row]
            outcome = side_bet.judge(*seen, last)
            if outcome is None:
                raise UndecidedByCards(evaluator=side_bet.evaluator)
            if outcome != LOSS:
                numbers = tuple(first_number + group for group in sorted(row))
                terms[outcome, last.index, numbers] += 1
    rows = sorted(terms)
    before = [[row[:role].count(row[role]) for _, _, row in rows] for role in range(others)]
    found = [(outcome, len(list(group))) for outcome, group in groupby(rows, key=_outcome)]
    sizes = [size for _, size in found]
    return SummationPlan(
        roles=others + 1,
        outcomes=tuple(outcome for outcome, _ in found),
        members=_membership(members),
        taken=np.array(taken, dtype=np.int64),
        last=np.array([last for _, last, _ in rows], dtype=np.int64),
        times=np.array([terms[row] for row in rows], dtype=np.int64),
        classes=np.array([row for _, _, row in rows], dtype=np.int64).T,
        before=np.array(before, dtype=np.int64),
        starts=np.cumsum([0, *sizes[:-1]], dtype=np.int64),
    )


def classes_of(lens: Lens, last: int) -> list[list[int]]:
    """The cards by their look, as indices."""
    classes: dict[Hashable, list[int]] = {}
    for card in DECK:
        classes.setdefault(lens(DECK[last], card), []).append(card.index)
    return list(classes.values())


def _membership(classes: list[list[int]]) -> Integers:
    members = np.zeros((len(classes), len(DECK)), dtype=np.int64)
    for number, cards in enumerate(classes):
        members[number, cards] = 1
    return members


def _outcome(term: tuple[str, int, tuple[int, ...]]) -> str:
    return term[0]
