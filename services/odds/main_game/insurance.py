"""Insurance: a wager of its own, two to one that the hole card under an ace counts ten."""

from __future__ import annotations

from fractions import Fraction

from blackjack.money import TWO_TO_ONE
from odds.main_game.arrays import ACE_COLUMN, TEN_COLUMN
from odds.main_game.deals import REPLACED
from odds.main_game.main_rules import MainRules
from odds.main_game.ranks import Ranks, checked


def insurance_edge(rules: MainRules, ranks: Ranks) -> Fraction | None:
    """The house's win for every unit of insurance, without knowledge of other cards.

    None if the dealer cannot show an ace.

    >>> insurance_edge(MainRules(), (4,) * 13)
    Fraction(1, 17)
    """
    checked(ranks, rules)
    cards, aces, tens = sum(ranks), ranks[ACE_COLUMN], sum(ranks[TEN_COLUMN:])
    shown = Fraction(aces, cards)
    blackjack = shown * Fraction(tens, cards - 1)
    if rules.half_back:
        replaced = Fraction(sum(ranks[column] for column in REPLACED), cards)
        second = replaced * Fraction(aces, cards - 1)
        shown += second
        blackjack += second * Fraction(tens, cards - 2)
    if not shown:
        return None
    return 1 - (1 + Fraction(TWO_TO_ONE.win, TWO_TO_ONE.stake)) * blackjack / shown
