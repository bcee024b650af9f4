"""The worth of a side bet: the chance of every row of its paytable, edge and variance."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from math import lcm

from msgspec import Struct

from blackjack.money import Odds
from blackjack.rulebook.filings import FiledSideBet, Paytable
from blackjack.rulebook.house_rules import HouseRules
from blackjack.settlement.side_bets import LOSS, SideBet, SideBetRole
from odds.dead_mans_hand import Splits, outcome_chances
from odds.shoe import CardCounts
from odds.ways import Ways, count_ways


class RowChance(Struct, frozen=True):
    """A row of a paytable with the ways, of all ways, to be paid by it."""

    outcome: str
    label: str
    pays: Odds
    ways: int
    of_ways: int

    @property
    def probability(self) -> Fraction:
        return Fraction(self.ways, self.of_ways)


class Worth(Struct, frozen=True, dict=True):
    """A wager of one unit: every row it can be paid by; the remaining ways lose.

    Sums are kept in integers to the end, since one fraction is quicker than many.
    """

    rows: tuple[RowChance, ...]
    total: int

    @cached_property
    def hit(self) -> Fraction:
        """The probability of being paid, or pushed, by any row."""
        return Fraction(self.total - self._lost, self.total)

    @cached_property
    def edge(self) -> Fraction:
        """The average win of the house per unit."""
        won = sum(row.ways * self._units(row) for row in self.rows)
        return Fraction(self._lost * self._unit - won, self.total * self._unit)

    @cached_property
    def variance(self) -> Fraction:
        """Of the player's net result, per unit."""
        squares = sum(row.ways * self._units(row) ** 2 for row in self.rows)
        squares += self._lost * self._unit**2
        return Fraction(squares, self.total * self._unit**2) - self.edge**2

    @cached_property
    def _lost(self) -> int:
        return self.total - sum(row.ways for row in self.rows)

    @cached_property
    def _unit(self) -> int:
        """The smallest part of a wager that every row pays whole."""
        return lcm(*(row.pays.stake for row in self.rows))

    def _units(self, row: RowChance) -> int:
        return row.pays.win * self._unit // row.pays.stake


def ways_of(side_bet: SideBet, house: HouseRules, shoe: CardCounts) -> Ways:
    """The ways to each outcome of a side bet when it is dealt from this shoe.

    The shoe is what no card of the round has left yet. Whose cards are dealt first makes no
    difference: in a shuffled shoe any place is as good as any other.
    """
    if SideBetRole.SETS not in side_bet.roles:
        return count_ways(side_bet, shoe)
    return as_ways(outcome_chances(side_bet, shoe, splits_of(house)))


def splits_of(house: HouseRules) -> Splits:
    """The splits that the house rules allow."""
    aces = house.hands_max if house.resplit_aces else 2
    return Splits(eights=house.hands_max, aces=aces)


def as_ways(chances: Mapping[str, Fraction]) -> Ways:
    """Probabilities over one denominator."""
    total = lcm(*(chance.denominator for chance in chances.values()))
    counts = {name: int(chance * total) for name, chance in chances.items()}
    return Ways(total, counts)


def worth_by(paytable: Paytable, ways: Ways) -> Worth:
    """The worth of these chances at the odds of a paytable."""
    by_row = {row.outcome: 0 for row in paytable.rows}
    for outcome, count in ways.by_outcome.items():
        row = paytable.row(outcome)
        if row is not None:
            by_row[row.outcome] += count
        elif outcome != LOSS:
            raise LookupError(f"{outcome} has no row in {paytable.clause}")
    rows = (
        RowChance(row.outcome, row.label, row.pays, by_row[row.outcome], ways.total)
        for row in paytable.rows
    )
    return Worth(tuple(rows), ways.total)


def worth(
    filed: FiledSideBet, paytable: Paytable, house: HouseRules, *, decks: int, shoe: CardCounts
) -> Worth:
    """The worth of a filed side bet with these decks, dealt from the remaining shoe."""
    return worth_by(paytable, ways_of(filed.at(decks), house, shoe))
