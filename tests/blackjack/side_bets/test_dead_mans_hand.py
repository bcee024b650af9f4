"""Dead Man's Hand, by its General Rules of Play 3 to 9."""

from __future__ import annotations

from itertools import product

import pytest

from blackjack.cards.card import DECK, Card, cards
from blackjack.settlement.side_bets import EVALUATORS, LOSS
from blackjack.settlement.side_bets.dead_mans_hand import is_set

DEAD_MANS_HAND = EVALUATORS["dead_mans_hand"]
judge = DEAD_MANS_HAND.judge


def outcome(
    text: str,
    *,
    dealer_blackjack: bool | None = None,
    split: bool = False,
    sets: int | None = None,
) -> str | None:
    """The first two cards, then the known part of the rest of the round."""
    return judge(*cards(text), dealer_blackjack, split, sets)


class TestClause3:
    @pytest.mark.parametrize("text", ["KC QD", "2C 2D", "7C 9D", "TC TD"])
    def test_without_an_ace_or_an_eight_the_bonus_loses_at_once(self, text: str) -> None:
        assert outcome(text) == LOSS
        assert outcome(text, dealer_blackjack=True) == LOSS


class TestClause4:
    @pytest.mark.parametrize("text", ["AC 5D", "5D AC", "8C KD", "2C 8D"])
    def test_one_ace_or_one_eight_wins_by_the_deal(self, text: str) -> None:
        assert outcome(text) == "any_ace_or_eight"

    def test_a_natural_counts_as_any_ace(self) -> None:
        assert outcome("AC KD") == "any_ace_or_eight"

    @pytest.mark.parametrize("text", ["AC 8D", "8S AS"])
    def test_ace_and_eight_are_one_set_by_the_deal(self, text: str) -> None:
        assert outcome(text) == "one_set"

    @pytest.mark.parametrize("text", ["AC 8D", "AC 5D", "8C 5D"])
    def test_a_later_dealer_blackjack_adds_nothing_to_the_payment(self, text: str) -> None:
        assert outcome(text, dealer_blackjack=True) == outcome(text)

    @pytest.mark.parametrize("text", ["AC AD", "8C 8C"])
    def test_a_pair_waits_until_the_dealers_blackjack_is_decided(self, text: str) -> None:
        assert outcome(text) is None
        assert outcome(text, sets=0) is None

    @pytest.mark.parametrize("text", ["AC AD", "8C 8C"])
    def test_a_pair_with_a_dealer_blackjack(self, text: str) -> None:
        assert outcome(text, dealer_blackjack=True) == "pair_with_dealer_blackjack"


class TestClause5To6:
    @pytest.mark.parametrize("text", ["AC AD", "8C 8C"])
    def test_a_split_pair_waits_for_its_hands(self, text: str) -> None:
        assert outcome(text, dealer_blackjack=False, split=True) is None

    @pytest.mark.parametrize(
        ("sets", "expected"),
        [
            (0, "pair_no_set"),
            (1, "one_set"),
            (2, "two_sets"),
            (3, "three_sets"),
            (4, "four_sets"),
        ],
    )
    def test_the_prize_grows_with_each_set(self, sets: int, expected: str) -> None:
        assert outcome("8C 8D", dealer_blackjack=False, split=True, sets=sets) == expected

    def test_a_set_is_an_ace_and_an_eight_in_either_order(self) -> None:
        names = {"A8", "8A"}
        for one, two in product(DECK, repeat=2):
            assert is_set(one, two) == (one.name[0] + two.name[0] in names)


class TestClause7:
    def test_a_pair_that_may_still_be_split_is_undecided(self) -> None:
        assert outcome("AC AD", dealer_blackjack=False) is None

    @pytest.mark.parametrize("text", ["AC AD", "8C 8D"])
    def test_a_pair_that_was_not_split_is_a_pair_without_a_set(self, text: str) -> None:
        assert outcome(text, dealer_blackjack=False, sets=0) == "pair_no_set"


@pytest.mark.parametrize("missing", [0, 1])
def test_nothing_is_decided_while_a_card_is_missing(missing: int) -> None:
    seen: list[Card | None] = list(cards("AC 8D"))
    seen[missing] = None
    assert judge(*seen, False, False, 0) is None


def naive(
    first: Card, second: Card, dealer_blackjack: bool | None, split: bool, sets: int | None
) -> str | None:
    """The clauses as one table from the two ranks on."""
    ranks = "".join(sorted(first.name[0] + second.name[0]))
    if ranks == "8A":
        return "one_set"
    if ranks not in ("AA", "88"):
        return "any_ace_or_eight" if {"A", "8"} & {*ranks} else LOSS
    if dealer_blackjack is not False:
        return "pair_with_dealer_blackjack" if dealer_blackjack else None
    if sets is None:
        return None
    if not split or sets == 0:
        return "pair_no_set"
    return ["one_set", "two_sets", "three_sets", "four_sets"][sets - 1]


def test_every_two_cards_and_their_sequels_are_judged_by_the_clauses() -> None:
    rest = [*product((None, False, True), (False, True), (None, 0, 1, 2, 3, 4))]
    for first, second in product(DECK, repeat=2):
        for blackjack, split, sets in rest:
            expected = judge(first, second, blackjack, split, sets)
            assert expected == naive(first, second, blackjack, split, sets)


@pytest.mark.parametrize(
    ("decks", "hits"), [(1, 28.66), (2, 28.53), (5, 28.45), (6, 28.44), (8, 28.43)]
)
def test_the_hit_percentages_are_those_that_the_filing_prints(decks: int, hits: float) -> None:
    lost = sum(
        decks * (decks - (one is two))
        for one, two in product(DECK, repeat=2)
        if judge(one, two, True, False, 0) == LOSS
    )
    size = 52 * decks
    assert round(100 - 100 * lost / (size * (size - 1)), 2) == hits
