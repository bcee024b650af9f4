"""Ways are counted through the evaluators, and are those of dealing every hand one by one."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import perm

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from blackjack.cards.card import Card
from blackjack.settlement.side_bets import EVALUATORS, LOSS, SideBet, SideBetRole
from odds.lenses import LENSES
from odds.shoe import CARDS_MAX, CardCounts, TooFewCards
from odds.ways import TooManyWays, UndecidedByCards, count_ways
from tests.odds.independent import brute, filed
from tests.odds.independent.brute import Deal
from tests.odds.independent.cards import Law

Judge = Callable[[Deal], str]

THREE_CARDS: list[tuple[str, Judge]] = [
    ("double_action", brute.double_action),
    ("skweezit", brute.skweezit),
    ("upcard_bonus", brute.upcard_bonus),
]
FOUR_CARDS: list[tuple[str, Judge]] = [
    ("match_three_up", brute.match_several_decks),
    ("match_me", brute.match_several_decks),
    ("match_me_2", brute.match_several_decks),
    ("match_me_one_deck", brute.match_one_deck),
    ("match_me_2_one_deck", brute.match_one_deck),
]

counts = st.lists(st.integers(0, 8), min_size=52, max_size=52).map(tuple)


@st.composite
def scarce(draw: st.DrawFn, kinds: int = 9) -> tuple[int, ...]:
    """A shoe near its end: few kinds of cards are left."""
    left = draw(st.dictionaries(st.integers(0, 51), st.integers(1, 6), max_size=kinds))
    return tuple(left.get(card, 0) for card in range(52))


def law(name: str, shoe: tuple[int, ...]) -> Law:
    ways = count_ways(EVALUATORS[name], CardCounts(shoe))
    return {o: Fraction(n, ways.total) for o, n in ways.by_outcome.items() if n}


@pytest.mark.parametrize("decks", [1, 2, 4, 5, 6, 7, 8])
def test_a_full_shoe_is_counted_as_the_closed_forms_count_it(decks: int) -> None:
    shoe = CardCounts.of_decks(decks).counts
    closed = {
        "double_action": filed.double_action(decks),
        "match_three_up": filed.match_several_decks(decks),
        "match_me": filed.match_several_decks(decks),
        "match_me_2": filed.match_several_decks(decks),
        "skweezit": filed.skweezit(decks),
        "upcard_bonus": filed.upcard_bonus(decks),
    }
    if decks == 1:
        closed["match_me_one_deck"] = closed["match_me_2_one_deck"] = filed.match_one_deck()
    for name, expected in closed.items():
        found = law(name, shoe)
        del found[LOSS]
        assert found == {outcome: chance for outcome, chance in expected.items() if chance}


@pytest.mark.parametrize(("name", "judge"), THREE_CARDS)
@given(shoe=scarce(20))
def test_three_cards_of_any_shoe_are_counted_as_they_fall(
    name: str, judge: Judge, shoe: tuple[int, ...]
) -> None:
    assume(sum(shoe) >= 3)
    assert law(name, shoe) == brute.law(shoe, 3, judge)


@pytest.mark.parametrize(("name", "judge"), FOUR_CARDS)
@given(shoe=scarce())
def test_four_cards_of_any_shoe_are_counted_as_they_fall(
    name: str, judge: Judge, shoe: tuple[int, ...]
) -> None:
    """The independent judge takes the target first."""
    assume(sum(shoe) >= 4)
    assert law(name, shoe) == brute.law(shoe, 4, judge)


@pytest.mark.parametrize("name", sorted(LENSES))
@given(shoe=counts)
def test_the_ways_of_all_outcomes_add_up_to_all_deals(name: str, shoe: tuple[int, ...]) -> None:
    side_bet = EVALUATORS[name]
    assume(sum(shoe) >= len(side_bet.roles))
    ways = count_ways(side_bet, CardCounts(shoe))
    assert set(ways.by_outcome) == {LOSS, *side_bet.outcomes}
    assert min(ways.by_outcome.values()) >= 0
    assert sum(ways.by_outcome.values()) == ways.total == perm(sum(shoe), len(side_bet.roles))


@pytest.mark.parametrize("name", sorted(LENSES))
def test_the_largest_shoe_does_not_overflow(name: str) -> None:
    """Counts beyond 2 ** 53 and up to 2 ** 63: a float would show."""
    each = CARDS_MAX // 52
    shoe = CardCounts((each,) * 52)
    ways = count_ways(EVALUATORS[name], shoe)
    assert sum(ways.by_outcome.values()) == perm(each * 52, len(EVALUATORS[name].roles))
    if name == "match_me":
        assert ways.by_outcome["triple_suited"] == 52 * perm(each, 4)


def test_an_evaluator_without_a_lens_is_counted_card_by_card() -> None:
    def judge(first: Card, second: Card) -> str:
        return "pair" if first.rank == second.rank else LOSS

    pair = SideBet("lucky_pair", (SideBetRole.FIRST, SideBetRole.SECOND), ("pair",), judge)
    assert count_ways(pair, CardCounts.of_decks(6)).by_outcome["pair"] == 312 * 23


def test_more_ways_than_can_be_counted_are_rejected() -> None:
    roles = (
        SideBetRole.FIRST,
        SideBetRole.SECOND,
        SideBetRole.THIRD,
        SideBetRole.UP,
        SideBetRole.HOLE,
    )
    five = SideBet("match_me", roles, ("never",), lambda *_: LOSS)
    with pytest.raises(TooManyWays, match="5 of 10000 cards"):
        count_ways(five, CardCounts((*(192,) * 51, 208)))


def test_a_bet_on_what_happens_later_is_not_counted_by_cards() -> None:
    with pytest.raises(UndecidedByCards, match="dead_mans_hand"):
        count_ways(EVALUATORS["dead_mans_hand"], CardCounts.of_decks(6))


def test_an_empty_shoe_deals_nothing() -> None:
    with pytest.raises(TooFewCards):
        count_ways(EVALUATORS["double_action"], CardCounts((0,) * 52))
