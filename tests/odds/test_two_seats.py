"""Two seats of one round: counted as every single deal counts them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from blackjack.cards.card import Card
from blackjack.rulebook.filings import FILINGS
from blackjack.rulebook.house_rules import HouseRules
from blackjack.settlement.side_bets import EVALUATORS, LOSS, SideBet, SideBetRole
from odds.certificates import offers
from odds.lenses import LENSES
from odds.shoe import CARDS_MAX, CardCounts, TooFewCards
from odds.two_seats import chances_at_two_seats, covariance_by
from odds.ways import TooManyWays, UndecidedByCards
from odds.worth import ways_of
from tests.odds.independent import two_seats
from tests.odds.independent.two_seats import JointLaw

OFFERS = [offer for filing in FILINGS.values() for offer in offers(filing)]
KINDS_BY_CARDS = {3: 9, 5: 6, 6: 5, 7: 4}
"""Kinds of cards that can be dealt in every way within a test, by the cards of two seats."""

near = st.integers(0, 51).filter(lambda card: card % 13 in (0, 1, 2, 3, 9, 11, 12))
"""Aces to fours, tens, queens and kings: ranks that match, squeeze, follow and are replaced."""


@st.composite
def few_kinds(draw: st.DrawFn, kinds: int) -> tuple[int, ...]:
    left = draw(st.dictionaries(near, st.integers(1, 4), min_size=kinds - 2, max_size=kinds))
    return tuple(left.get(card, 0) for card in range(52))


def counted(name: str, shoe: CardCounts, *, resplit_aces: bool = False) -> JointLaw:
    house = HouseRules(resplit_aces=resplit_aces)
    return chances_at_two_seats(EVALUATORS[name], house, shoe)


@pytest.mark.parametrize("name", sorted(two_seats.CARDS))
@settings(max_examples=12)
@given(data=st.data())
def test_two_seats_are_counted_as_their_cards_fall(name: str, data: st.DataObject) -> None:
    cards, _, _ = two_seats.CARDS[name]
    shoe = data.draw(few_kinds(KINDS_BY_CARDS[cards]))
    assume(sum(shoe) >= cards)
    assert counted(name, CardCounts(shoe)) == two_seats.law(name, shoe)


@pytest.mark.parametrize(
    ("aces", "eights", "tens", "others", "resplit"),
    [(3, 3, 2, 10, True), (2, 4, 0, 14, False), (5, 2, 3, 8, False), (6, 3, 0, 9, True)],
)
def test_two_seats_of_dead_mans_hand_are_followed_as_the_table_deals_them(
    aces: int, eights: int, tens: int, others: int, resplit: bool
) -> None:
    shoe = tuple({0: aces, 7: eights, 9: tens, 4: others}.get(card, 0) for card in range(52))
    found = counted("dead_mans_hand", CardCounts(shoe), resplit_aces=resplit)
    assert found == two_seats.dead_mans_hand(shoe, ace_hands_max=4 if resplit else 2)


def test_every_evaluator_is_counted_at_two_seats() -> None:
    assert {*two_seats.CARDS, "dead_mans_hand"} == set(EVALUATORS)


@pytest.mark.parametrize("name", sorted(EVALUATORS))
@pytest.mark.parametrize("decks", [1, 6, 8])
def test_each_of_two_seats_has_the_odds_of_one(name: str, decks: int) -> None:
    shoe = CardCounts.of_decks(decks)
    both = counted(name, shoe)
    alone = ways_of(EVALUATORS[name], HouseRules(), shoe)
    assert sum(both.values()) == 1
    assert all(both[other, one] == chance for (one, other), chance in both.items())
    for outcome, ways in alone.by_outcome.items():
        chance = sum(part for (one, _), part in both.items() if one == outcome)
        assert chance == Fraction(ways, alone.total)


def test_a_bet_on_the_dealers_cards_alone_is_one_bet_at_all_seats() -> None:
    for offer in OFFERS:
        if offer.wagers == ("upcard_bonus",):
            both = counted("upcard_bonus", CardCounts.of_decks(offer.decks))
            assert covariance_by(offer.paytable, both) == offer.worth.variance


def test_a_bet_on_nothing_that_is_shared_hangs_together_by_the_shoe_alone() -> None:
    """A red card at each of two seats: the second is less likely once the first is gone."""

    def judge(first: Card, _up: Card) -> str:
        return "red" if first.is_red else LOSS

    one_card = SideBet("one_red", (SideBetRole.FIRST, SideBetRole.UP), ("red",), judge)
    both = chances_at_two_seats(one_card, HouseRules(), CardCounts.of_decks(1))
    assert both["red", "red"] == Fraction(26 * 25, 52 * 51)


def test_a_chance_that_no_row_pays_is_not_passed_over() -> None:
    paytable = FILINGS["skweezit"].tables[0]
    with pytest.raises(LookupError, match="nonsense"):
        covariance_by(paytable, {("nonsense", LOSS): Fraction(1)})


def test_more_ways_than_can_be_counted_are_rejected() -> None:
    with pytest.raises(TooManyWays):
        counted("match_me", CardCounts((CARDS_MAX // 52,) * 52))


def test_a_bet_that_is_not_decided_by_its_cards_is_rejected() -> None:
    undecided = SideBet("undecided", (SideBetRole.FIRST, SideBetRole.UP), (), lambda *_: None)
    by_blackjack = SideBet(
        "peeking", (SideBetRole.FIRST, SideBetRole.DEALER_BLACKJACK), (), lambda *_: LOSS
    )
    for wager in (undecided, by_blackjack):
        with pytest.raises(UndecidedByCards):
            chances_at_two_seats(wager, HouseRules(), CardCounts.of_decks(1))


@pytest.mark.parametrize(("name", "cards"), [("skweezit", 4), ("dead_mans_hand", 17)])
def test_a_shoe_too_small_for_two_seats_is_rejected(name: str, cards: int) -> None:
    few = CardCounts(tuple(int(card < cards) for card in range(52)))
    with pytest.raises(TooFewCards):
        counted(name, few)


def test_every_evaluator_that_looks_at_cards_has_a_lens_here_too() -> None:
    assert set(two_seats.CARDS) == set(LENSES)
