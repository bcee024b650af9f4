"""Double Action, by the clauses of Double Action Blackjack III, General Rules of Play 3."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from blackjack.cards.card import DECK, Card, cards
from blackjack.settlement.side_bets import EVALUATORS, LOSS

DOUBLE_ACTION = EVALUATORS["double_action"]
judge = DOUBLE_ACTION.judge


def outcome(text: str) -> str | None:
    """The player's two cards, then the dealer's up card."""
    return judge(*cards(text))


class TestMatch:
    """Clause 3, first way."""

    @pytest.mark.parametrize("text", ["9C 4D 9H", "4D 9C 9H", "AS KD AD", "KC AD KH"])
    def test_one_card_of_the_up_cards_rank_is_a_match(self, text: str) -> None:
        assert outcome(text) == "match"

    def test_a_pair_of_the_players_own_is_no_match(self) -> None:
        assert outcome("9C 9D 4H") == LOSS

    def test_ten_and_king_are_not_of_one_rank(self) -> None:
        assert outcome("TC 4D KH") == LOSS


class TestThreeCardHands:
    """Clause 3, second way, a to e."""

    def test_a_flush_is_three_of_one_suit(self) -> None:
        assert outcome("2H 9H KH") == "flush"

    def test_a_flush_that_is_also_a_match_is_a_flush(self) -> None:
        assert outcome("9H 2H 9H") == "flush"

    @pytest.mark.parametrize("text", ["4C 5D 6H", "6C 4D 5H", "TC QD JH", "QC KD JH"])
    def test_a_straight_is_three_ranks_in_a_row_in_any_order(self, text: str) -> None:
        assert outcome(text) == "straight"

    @pytest.mark.parametrize("text", ["AC 2D 3H", "3C AD 2H", "QC KD AH", "AC QD KH"])
    def test_the_ace_is_low_and_high(self, text: str) -> None:
        assert outcome(text) == "straight"

    @pytest.mark.parametrize("text", ["KC AD 2H", "2C KD AH", "QC AD 2H"])
    def test_no_straight_goes_round_the_corner(self, text: str) -> None:
        assert outcome(text) == LOSS

    def test_three_of_a_kind_is_a_double_match(self) -> None:
        assert outcome("7C 7D 7H") == "three_of_a_kind"
        assert outcome("7C 7D 7D") == "three_of_a_kind"

    @pytest.mark.parametrize("text", ["4H 6H 5H", "AS 2S 3S", "KD AD QD"])
    def test_a_straight_flush(self, text: str) -> None:
        assert outcome(text) == "straight_flush"

    def test_a_suited_three_of_a_kind_is_thrice_the_same_card(self) -> None:
        assert outcome("7D 7D 7D") == "suited_three_of_a_kind"


class TestWhileCardsAreMissing:
    @pytest.mark.parametrize("missing", [0, 1, 2])
    def test_nothing_is_decided(self, missing: int) -> None:
        seen: list[Card | None] = list(cards("9C 4D 9H"))
        seen[missing] = None
        assert judge(*seen) is None


def naive(first: Card, second: Card, up: Card) -> str:
    """The clauses as sets of words, written without a look at the evaluator."""
    names = [first.name, second.name, up.name]
    ranks, suits = {name[0] for name in names}, {name[1] for name in names}
    runs = [set("A23456789TJQKA"[at : at + 3]) for at in range(12)]
    holds_of = {
        "suited_three_of_a_kind": len(set(names)) == 1,
        "straight_flush": ranks in runs and len(suits) == 1,
        "three_of_a_kind": len(ranks) == 1,
        "straight": ranks in runs,
        "flush": len(suits) == 1,
        "match": up.name[0] in first.name[0] + second.name[0],
    }
    return next((name for name, holds in holds_of.items() if holds), LOSS)


def test_every_three_cards_are_judged_by_the_clauses() -> None:
    assert all(judge(*three) == naive(*three) for three in product(DECK, repeat=3))


def test_the_players_two_cards_may_change_places() -> None:
    assert all(judge(a, b, up) == judge(b, a, up) for a, b, up in product(DECK, repeat=3))


def test_the_hit_rates_of_four_decks_are_those_that_the_filing_prints() -> None:
    ways: Counter[str] = Counter()
    for a, b, up in product(DECK, repeat=3):
        second = 4 - (b is a)
        third = 4 - (up is a) - (up is b)
        ways[str(judge(a, b, up))] += 4 * second * third
    every = {name: float(Fraction(208 * 207 * 206, count)) for name, count in ways.items()}
    assert {name: round(hands, 1) for name, hands in every.items() if name != LOSS} == {
        "match": 7.8,
        "flush": 17.4,
        "straight": 32.1,
        "three_of_a_kind": 209.0,
        "straight_flush": 481.2,
        "suited_three_of_a_kind": 7107.0,
    }
