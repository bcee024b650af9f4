"""What a wager is worth: the two methods agree on every filed paytable, to the last digit."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from blackjack.rulebook.filings import FILINGS
from blackjack.rulebook.house_rules import HouseRules
from blackjack.settlement.side_bets import EVALUATORS, LOSS
from odds.certificates import Offer, offers
from odds.dead_mans_hand import CARDS_NEEDED, Splits, outcome_chances
from odds.shoe import CardCounts, TooFewCards
from odds.worth import as_ways, ways_of, worth_by
from tests.odds.independent import dead_mans_hand
from tests.odds.independent.edges import prices

OFFERS = [offer for filing in FILINGS.values() for offer in offers(filing)]
DEAD_MANS_HAND = EVALUATORS["dead_mans_hand"]


def named(offer: Offer) -> str:
    return f"{offer.wagers[0]}-{offer.decks}-{offer.paytable.option}"


def test_every_filed_paytable_at_every_deck_count_is_an_offer() -> None:
    found = {(o.filing.game, o.wagers[0], o.decks, o.paytable.option) for o in OFFERS}
    assert len(OFFERS) == len(found) == 81
    assert found == {tuple(key) for key in prices()}


@pytest.mark.parametrize("offer", OFFERS, ids=named)
def test_edge_and_variance_are_those_of_the_independent_method(offer: Offer) -> None:
    key = (offer.filing.game, offer.wagers[0], offer.decks, offer.paytable.option)
    expected = {tuple(paytable): price for paytable, price in prices().items()}[key]
    assert offer.worth.edge == expected.edge
    assert offer.worth.variance == expected.variance


@pytest.mark.parametrize("decks", [1, 4, 6, 7, 8])
def test_match_me_and_match_me_2_have_the_same_odds(decks: int) -> None:
    """Whichever of the dealer's cards comes first: a shuffled shoe knows no places."""
    side_bets = FILINGS["match_madness"].side_bets
    shoe = CardCounts.of_decks(decks)
    one, two = (ways_of(side_bets[bet].at(decks), HouseRules(), shoe) for bet in side_bets)
    assert one == two


def test_rows_that_pay_several_outcomes_have_the_chance_of_all_of_them() -> None:
    filing = FILINGS["dead_mans_hand"]
    paytable = filing.paytable("dead_mans_hand", 6, 1)
    assert paytable is not None
    chance_of = {
        "two_sets": Fraction(1, 10),
        "three_sets": Fraction(1, 100),
        LOSS: Fraction(89, 100),
    }
    rows = {row.outcome: row.probability for row in worth_by(paytable, as_ways(chance_of)).rows}
    assert rows["two_sets"] == Fraction(11, 100)


def test_a_chance_that_no_row_pays_is_not_passed_over() -> None:
    paytable = FILINGS["skweezit"].tables[0]
    with pytest.raises(LookupError, match="nonsense"):
        worth_by(paytable, as_ways({"nonsense": Fraction(1)}))


# Dead Man's Hand -----------------------------------------------------------------------


@st.composite
def shoes(draw: st.DrawFn) -> tuple[int, ...]:
    """Many aces, eights and tens, so that splits of splits are common."""
    ranks = draw(st.lists(st.integers(0, 6), min_size=13, max_size=13))
    return tuple(ranks[card] if card < 13 else 0 for card in range(52))


@pytest.mark.parametrize("aces", [2, 4])
@given(shoe=shoes())
def test_dead_mans_hand_is_followed_as_the_table_deals_it(aces: int, shoe: tuple[int, ...]) -> None:
    assume(sum(shoe) >= CARDS_NEEDED)
    found = outcome_chances(DEAD_MANS_HAND, CardCounts(shoe), Splits(eights=4, aces=aces))
    del found[LOSS]
    expected = dead_mans_hand.plain(shoe, ace_hands_max=aces)
    assert {o: p for o, p in found.items() if p} == {o: p for o, p in expected.items() if p}


def test_cards_drawn_to_other_hands_change_nothing() -> None:
    """Hands are hit before the next one gets its second card, and the law stays the same."""
    shoe = tuple({0: 3, 7: 3, 9: 3, 4: 2, 1: 2, 2: 1}.get(card, 0) for card in range(52))
    found = outcome_chances(DEAD_MANS_HAND, CardCounts(shoe), Splits(eights=4, aces=4))
    del found[LOSS]
    walked = dead_mans_hand.with_hits(shoe, ace_hands_max=4)
    assert {o: p for o, p in found.items() if p} == {o: p for o, p in walked.items() if p}


@pytest.mark.parametrize(("house", "most"), [(HouseRules(), 2), (HouseRules(resplit_aces=True), 4)])
def test_the_house_rules_set_how_often_aces_are_split(house: HouseRules, most: int) -> None:
    """With nothing but aces and eights the last hand dealt decides."""
    aces_and_an_eight = tuple({0: 12, 7: 1, 9: 4}.get(card, 0) for card in range(52))
    found = ways_of(DEAD_MANS_HAND, house, CardCounts(aces_and_an_eight))
    expected = dead_mans_hand.plain(aces_and_an_eight, ace_hands_max=most)
    assert Fraction(found.by_outcome["one_set"], found.total) == expected["one_set"]


def test_a_shoe_that_may_run_out_in_the_middle_of_splits_is_rejected() -> None:
    few = CardCounts(tuple(int(card < 9) for card in range(52)))
    with pytest.raises(TooFewCards):
        outcome_chances(DEAD_MANS_HAND, few, Splits(eights=4, aces=2))
