"""Laws that hold for every shoe and all rules."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from blackjack.money import EVEN_MONEY, THREE_TO_TWO, TWO_TO_ONE, Odds
from blackjack.rulebook.filings import FILINGS
from blackjack.rulebook.house_rules import DoubleOn, HouseRules, RuleSetSpec, SplitBy
from blackjack.rulebook.rule_set import FILED, compose
from odds.main_game import (
    MainRules,
    Move,
    NoMainGame,
    NotPlayable,
    NotRankCounts,
    ShoeTooSmall,
    analyse,
    effects_of_removal,
    insurance_edge,
    ranks_of,
)
from odds.main_game.ranks import checked
from odds.shoe import NotAShoe as NoShoeAtAll
from tests.odds.main_game.plain_game import draws
from tests.odds.main_game.small_shoes import ACES, MIXED

HALF_A_DECK = (2,) * 13
POOR = MainRules(
    dealer_hits_soft_17=True,
    natural_pays=Odds(6, 5),
    double_on=DoubleOn.HARD_10_TO_11,
    double_after_split=False,
    hands_max=2,
)
BETTER = [
    {"natural_pays": THREE_TO_TWO},
    {"double_on": DoubleOn.HARD_9_TO_11},
    {"double_on": DoubleOn.ANY_TWO},
    {"double_after_split": True},
    {"split_by": SplitBy.VALUE},
    {"hands_max": 3},
    {"hands_max": 4},
    {"hands_max": 4, "resplit_aces": True},
    {"hit_split_aces": True},
    {"late_surrender": True},
]


@cache
def edge(rules: MainRules) -> float:
    return analyse(rules, HALF_A_DECK).edge


@pytest.mark.parametrize("better", BETTER, ids=lambda better: "-".join(map(str, better.values())))
def test_a_rule_for_the_player_never_raises_the_edge(better: dict[str, object]) -> None:
    assert edge(structs.replace(POOR, **better)) <= edge(POOR) + 1e-15


def test_more_hands_and_more_doubles_are_worth_more_each_time() -> None:
    by_hands = [edge(structs.replace(POOR, hands_max=hands)) for hands in (2, 3, 4)]
    assert by_hands == sorted(by_hands, reverse=True)
    by_doubles = [
        edge(structs.replace(POOR, double_on=double_on)) for double_on in reversed(DoubleOn)
    ]
    assert by_doubles == sorted(by_doubles, reverse=True)


rules_of_any_kind: st.SearchStrategy[MainRules] = st.builds(
    MainRules,
    dealer_hits_soft_17=st.booleans(),
    natural_pays=st.sampled_from([THREE_TO_TWO, EVEN_MONEY, TWO_TO_ONE, Odds(7, 5)]),
    double_on=st.sampled_from(DoubleOn),
    double_after_split=st.booleans(),
    split_by=st.sampled_from(SplitBy),
    hands_max=st.integers(2, 4),
    resplit_aces=st.booleans(),
    hit_split_aces=st.booleans(),
)
shoes = st.lists(st.integers(0, 4), min_size=13, max_size=13).map(
    lambda counts: (*counts[:9], *(count + 4 for count in counts[9:]))
)


@settings(max_examples=4, deadline=None)
@given(rules=rules_of_any_kind, ranks=shoes, half_back=st.booleans())
def test_chances_add_up_and_starts_make_the_edge(
    rules: MainRules, ranks: tuple[int, ...], half_back: bool
) -> None:
    rules = structs.replace(rules, half_back=half_back)
    analysis = analyse(rules, ranks)
    assert sum(chance for _, chance in analysis.net) == pytest.approx(1, abs=1e-12)
    assert sum(structs.astuple(analysis.first_hand)) == pytest.approx(1, abs=1e-12)
    assert analysis.stake > rules.units / 2
    if not half_back:
        value = sum(
            start.probability
            * (start.passes * start.value - (1 - start.passes) * (start.best != Move.NATURAL))
            for start in analysis.starts
        )
        assert value == pytest.approx(-analysis.edge, abs=1e-12)
        assert sum(start.probability for start in analysis.starts) == pytest.approx(1, abs=1e-12)


def test_a_card_less_of_a_rank_is_the_same_for_tens_and_jacks() -> None:
    effects = effects_of_removal(MainRules(hands_max=2), MIXED)
    assert effects[9] == effects[10]
    assert effects[11] == effects[1] == 0.0
    assert effects[0] > 0.0


def test_insurance_is_exact() -> None:
    assert insurance_edge(MainRules(), ranks_of(6)) == Fraction(23, 311)
    assert insurance_edge(MainRules(hands_max=2), (0, *MIXED[1:])) is None


@pytest.mark.parametrize("half_back", [False, True])
def test_insurance_dealt_out_comes_to_the_same(half_back: bool) -> None:
    shown = tens = Fraction()
    for up, chance, shoe in draws(MIXED):
        replaced = half_back and 3 <= up + 1 <= 6
        for last, also, left in draws(shoe) if replaced else [(up, Fraction(1), shoe)]:
            if last == 0:
                shown += chance * also
                for hole, odds, _ in draws(left):
                    tens += chance * also * odds * (hole >= 9)
    rules = MainRules(hands_max=2, half_back=half_back)
    assert insurance_edge(rules, MIXED) == 1 - 3 * tens / shown


def test_the_rules_are_read_from_every_filed_rule_set() -> None:
    for filed in FILED:
        if filed.spec.game == "match_madness":
            with pytest.raises(NoMainGame):
                MainRules.of(filed)
            continue
        rules = MainRules.of(filed)
        assert rules.half_back == (filed.spec.game == "half_back")
        assert rules.units == len(filed.filing.base_wagers)


def test_the_rules_of_a_house_are_analyzed() -> None:
    house = HouseRules(
        dealer_hits_soft_17=True,
        natural_pays=Odds(6, 5),
        double_on=DoubleOn.HARD_9_TO_11,
        double_after_split=False,
        split_by=SplitBy.VALUE,
        hands_max=3,
        resplit_aces=True,
        hit_split_aces=True,
        late_surrender=True,
    )
    options = dict.fromkeys(FILINGS["skweezit"].side_bets, 1)
    spec = RuleSetSpec(game="skweezit", decks=6, paytables=options, house=house)
    rules = MainRules.of(compose(spec))
    for field in MainRules.__struct_fields__:
        if field != "half_back":
            assert getattr(rules, field) == getattr(house, field)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: MainRules(hands_max=5), NotPlayable),
        (lambda: MainRules(natural_pays=Odds(3, 0)), NotPlayable),
        (lambda: MainRules(half_back=True, late_surrender=True), NotPlayable),
        (lambda: analyse(MainRules(), MIXED), ShoeTooSmall),
        (lambda: analyse(MainRules(), (4,) * 12), NotRankCounts),
        (lambda: analyse(MainRules(), (-1, *ACES[1:])), NotRankCounts),
    ],
)
def test_unplayable_rules_are_rejected(make: Callable[[], object], error: type[Exception]) -> None:
    with pytest.raises(error):
        make()


def test_a_shoe_that_may_run_out_is_rejected_in_words() -> None:
    with pytest.raises(ShoeTooSmall, match="14 cards, may run out within a round") as rejection:
        analyse(MainRules(), MIXED)
    assert (rejection.value.cards, rejection.value.pips, rejection.value.pips_min) == (14, 98, 150)


def test_who_catches_a_wrong_shoe_catches_wrong_ranks_too() -> None:
    with pytest.raises(NoShoeAtAll):
        checked((4,) * 12, MainRules())
