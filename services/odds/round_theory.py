"""Edge, variance and covariance of every wager of a rule set.

The seats of a round share the dealer's cards, so that their results are no independent
draws. For the results X of one wager kind in one round, with a stake s at each seat,

    E[sum of s * X] = - edge * S,    Var[sum of s * X] = variance * Q + covariance * (S**2 - Q)

where S is the sum of the stakes and Q that of their squares. Rounds of full shoes are
independent of each other for a theory without a count of the cards.

- Side bets are exact, from a full shoe (`worth`, `two_seats`). Dead Man's Hand takes for
  granted, as its worth does, that pairs of aces and eights are split as often as allowed.
- The main wager is that of `main_game`, played best; `docs/main-game.md` states the accuracy of its
  variance and covariance. Doubles and splits are results of the wager as it was placed. Where
  the dealer does not peek, the main wager has no theory: that game is not analyzed.
- Half Back's two wagers are one game. Each carries half of edge, variance and covariance for
  every unit of it: they are of equal height, so that the sums of both kinds are the round's.
- Insurance is won and lost by all seats together, so its covariance is its variance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from msgspec import Struct

from blackjack.money import TWO_TO_ONE
from blackjack.rulebook.filings import Dealing
from blackjack.rulebook.house_rules import INSURANCE, Peek
from blackjack.rulebook.rule_set import RuleSet
from odds.main_game import MainRules, analyse_or_kept, insurance_edge, ranks_of
from odds.shoe import CardCounts
from odds.two_seats import chances_at_two_seats, covariance_by
from odds.worth import worth


class WagerTheory(Struct, frozen=True):
    """One unit of a wager, as it is placed."""

    edge: float
    """The average win of the house."""
    variance: float
    """Of its result, at one seat."""
    covariance: float
    """Of the results at two seats of one round, with a unit at each."""


@lru_cache(maxsize=1024)
def theory_of(rules: RuleSet) -> Mapping[str, WagerTheory]:
    """The theory of every wager that can be made by a rule set, insurance among them.

    Rule sets are looked up by their hash; those that differ in other things than what a wager
    is worth share all the work.
    """
    wagers = dict(_side_bets(rules))
    if rules.filing.dealing is Dealing.STANDARD:
        if rules.spec.house.peek is not Peek.NONE:
            wagers |= _main_game(rules)
        wagers |= _insurance(MainRules.of(rules), rules.spec.decks)
    return MappingProxyType(wagers)


def _side_bets(rules: RuleSet) -> Iterator[tuple[str, WagerTheory]]:
    decks, house = rules.spec.decks, rules.spec.house
    shoe = CardCounts.of_decks(decks)
    for wager, filed in rules.filing.side_bets.items():
        paytable = rules.paytables[wager]
        one = worth(filed, paytable, house, decks=decks, shoe=shoe)
        both = chances_at_two_seats(rules.side_bet(wager), house, shoe)
        yield (
            wager,
            WagerTheory(
                edge=float(one.edge),
                variance=float(one.variance),
                covariance=float(covariance_by(paytable, both)),
            ),
        )


def _main_game(rules: RuleSet) -> dict[str, WagerTheory]:
    analysis = analyse_or_kept(MainRules.of(rules), ranks_of(rules.spec.decks))
    wagers = rules.filing.base_wagers
    base = WagerTheory(
        edge=analysis.edge / len(wagers),
        variance=analysis.variance / len(wagers),
        covariance=analysis.covariance / len(wagers),
    )
    return dict.fromkeys(wagers, base)


def _insurance(rules: MainRules, decks: int) -> dict[str, WagerTheory]:
    edge = insurance_edge(rules, ranks_of(decks))
    if edge is None:
        return {}
    paid = 1 + TWO_TO_ONE.ratio
    won = (1 - edge) / paid
    variance = float(paid**2 * won * (1 - won))
    return {INSURANCE: WagerTheory(edge=float(edge), variance=variance, covariance=variance)}
