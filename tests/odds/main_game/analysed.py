"""Analyses of full shoes that several tests look at, each made once."""

from functools import cache

from odds.main_game import Analysis, MainRules, analyse, ranks_of


@cache
def analysed(rules: MainRules, decks: int) -> Analysis:
    return analyse(rules, ranks_of(decks))
