"""Comparison with published numbers, for one to eight decks."""

from collections import defaultdict
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import pytest

from blackjack.money import Odds
from blackjack.rulebook.house_rules import DoubleOn
from odds.main_game import MainRules, Ranks, analyse, ranks_of, value_with_free_ace
from odds.main_game.dealer import final_totals
from odds.main_game.ranks import values_of
from tests.odds.main_game.analysed import analysed
from tests.odds.main_game.plain_game import dealer_ends, draws

TOLERANCE_PERCENT = 0.005


class Published(NamedTuple):
    """An edge in percent, and the rules of its source."""

    decks: int
    percent: float
    rules: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.decks} decks, {self.percent}%"


H17 = {"dealer_hits_soft_17": True}
SURRENDER = {"late_surrender": True}
NO_DAS = {"double_after_split": False}

APPENDIX_9 = [
    # Michael Shackleford, Blackjack Appendix 9 (wizardofodds.com/games/blackjack/appendix/9),
    # updated October 2019: composition-dependent, splits to four hands but not of aces, split
    # aces get one card, no surrender; given as returns with six decimals. Split hands know how
    # many hands there are, which is worth up to a thousandth of a percent more than here.
    Published(1, -0.1839, {}),
    Published(1, -0.0423, NO_DAS),
    Published(1, 0.0072, H17),
    Published(2, 0.3797, H17),
    Published(5, 0.3804, {}),
    Published(5, 0.7366, H17 | NO_DAS),
]

CALCULATORS = [
    # The wizardofodds.com house edge calculator and bjstrat.net's composition dependent
    # analyser, as tabulated with three decimals beside his own results by Hugues Hoppe
    # (github.com/hhoppe/blackjack, "Composition-dep. strategy", no cut card, 2025).
    Published(1, -0.001, H17 | SURRENDER | {"hands_max": 2}),
    Published(1, 0.272, H17 | SURRENDER | {"double_on": DoubleOn.HARD_10_TO_11}),
    Published(1, -0.062, H17 | SURRENDER | {"resplit_aces": True}),
    Published(1, 1.365, H17 | SURRENDER | {"natural_pays": Odds(6, 5)}),
    Published(4, 0.475, H17 | SURRENDER),
    Published(6, 0.527, H17 | SURRENDER),
    Published(8, 0.355, SURRENDER),
    Published(8, 0.645, H17),
]


@pytest.mark.parametrize("published", [*APPENDIX_9, *CALCULATORS], ids=lambda each: each.name)
def test_the_edge_agrees_with_the_published_one(published: Published) -> None:
    edge = analysed(MainRules(**published.rules), published.decks).edge
    assert 100 * edge == pytest.approx(published.percent, abs=TOLERANCE_PERCENT)


@cache
def strip_edge(ranks: Ranks) -> float:
    return analyse(MainRules(late_surrender=True, resplit_aces=True), ranks).edge


@pytest.mark.parametrize(("rank", "percent"), [(0, -0.101), (4, 0.146), (9, -0.092)])
def test_one_card_less_changes_the_edge_as_published(rank: int, percent: float) -> None:
    """Column 294 at wizardofodds.com: six decks, soft 17 stood on, three decimals.

    Its "liberal Strip rules" are read as double after a split, surrender, aces split again.
    """
    full = ranks_of(6)
    less = tuple(count - (each == rank) for each, count in enumerate(full))
    gain = 100 * (strip_edge(full) - strip_edge(less))
    assert gain == pytest.approx(percent, abs=0.0006)


def test_the_dealer_ends_as_published() -> None:
    """Shackleford, Appendix 2b: one deck, soft 17 stood on, before the peek, six up."""
    shoe = values_of(ranks_of(1))
    shoe[5] -= 1
    published = [0.166948, 0.106454, 0.107192, 0.100705, 0.0978785]
    found = final_totals(shoe[None, :], 5, hits_soft_17=False)[0]
    assert found == pytest.approx(published, abs=1e-6)


def test_the_dealer_ends_exactly_as_published_for_eight_decks() -> None:
    """In fractions, drawn card by card: rounding stays far below the bound that is promised."""
    ranks = ranks_of(8)
    shoe = (*ranks[:8], ranks[8] - 1, *ranks[9:])
    exact: dict[int, Fraction] = defaultdict(Fraction)
    for hole, chance, left in draws(shoe):
        for total, part in dealer_ends(left, tuple(sorted((8, hole))), True).items():
            exact[total] += chance * part
    found = final_totals(values_of(shoe)[None, :], 8, hits_soft_17=True)[0]
    for total, probability in enumerate(found, 17):
        assert abs(probability - float(exact[total])) < 1e-15


def test_a_free_ace_is_worth_about_half_the_wager() -> None:
    """Shackleford, Appendix 14: 0.504 with an ace of its own and every move allowed.

    Without splits, and with an ace that was another card, it is a little less.
    """
    assert 0.47 < -value_with_free_ace(MainRules(), ranks_of(6)).edge < 0.504
