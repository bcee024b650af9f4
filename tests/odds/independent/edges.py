"""The house edge and the variance of every filed paytable, with a full shoe."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from tests.odds.independent import dead_mans_hand, filed
from tests.odds.independent.cards import Law, full_shoe
from tests.odds.independent.paytables import Pays, Paytable, all_paytables


class Price(NamedTuple):
    """What a unit staked loses on the mean, and the spread of its net win."""

    edge: Fraction
    variance: Fraction


def price(law: Law, pays: Pays) -> Price:
    """All but the outcomes of the law lose the stake; a payout of 0 returns it."""
    loss = 1 - sum(law.values(), Fraction())
    mean = sum((chance * pays[outcome] for outcome, chance in law.items()), -loss)
    square = sum((chance * pays[outcome] ** 2 for outcome, chance in law.items()), loss)
    return Price(edge=-mean, variance=square - mean**2)


@cache
def law_of(paytable: Paytable) -> Law:
    """The chances of just the outcomes that the paytable has."""
    match paytable:
        case Paytable(_, "double_action", decks, _):
            return filed.double_action(decks)
        case Paytable(_, "match_me", 1, _):
            return filed.match_one_deck()
        case Paytable(_, "match_madness" | "match_me", decks, _):
            return filed.match_several_decks(decks)
        case Paytable(_, "skweezit", decks, _):
            return filed.skweezit(decks)
        case Paytable(_, "upcard_bonus", decks, _):
            return filed.upcard_bonus(decks)
        case Paytable(_, "dead_mans_hand", decks, 1 | 2 | 3):  # aces are split once
            law = dead_mans_hand.plain(full_shoe(decks), ace_hands_max=2)
            return dead_mans_hand.capped(law)
        case Paytable(_, "dead_mans_hand", decks, _):
            return dead_mans_hand.plain(full_shoe(decks), ace_hands_max=4)
        case _:
            raise LookupError(paytable)


@cache
def prices() -> dict[Paytable, Price]:
    """All 81, by (game, wager, decks, option)."""
    return {paytable: price(law_of(paytable), pays) for paytable, pays in all_paytables().items()}
