"""Skweezit, by its winning combinations a to e, with the filing's own examples."""

from __future__ import annotations

from itertools import product

import pytest

from blackjack.cards.card import DECK, Card, cards
from blackjack.settlement.side_bets import EVALUATORS, LOSS

SKWEEZIT = EVALUATORS["skweezit"]
judge = SKWEEZIT.judge


def outcome(text: str) -> str | None:
    """The player's two cards, then the dealer's up card."""
    return judge(*cards(text))


class TestTheSqueeze:
    """The first paragraph: one card higher than the up card, the other lower."""

    @pytest.mark.parametrize("text", ["5C 9D 5H", "9C 5D 9H", "8C 8D 8H", "TC JD TH"])
    def test_a_tie_loses(self, text: str) -> None:
        assert outcome(text) == LOSS

    @pytest.mark.parametrize("text", ["5C 9D 4H", "5C 9D TH", "KC QD AH"])
    def test_an_up_card_outside_loses(self, text: str) -> None:
        assert outcome(text) == LOSS

    def test_court_cards_have_ranks_of_their_own(self) -> None:
        assert outcome("TC KD JH") == "skweezer"

    def test_the_ace_is_the_highest_and_never_the_lowest(self) -> None:
        assert outcome("AC 2D 3H") == "skweezer"
        assert outcome("AC 3D 2H") == LOSS


class TestCombinations:
    def test_a_skweezer(self) -> None:
        assert outcome("TH 3C 8D") == "skweezer"

    def test_b_all_black(self) -> None:
        assert outcome("QS 7C JC") == "one_colour_skweezer"

    def test_c_all_red(self) -> None:
        assert outcome("AD 2D 3D") == "one_colour_skweezer"
        assert outcome("AD 2H 3D") == "one_colour_skweezer"

    @pytest.mark.parametrize("text", ["KH JC QD", "4C 6C 5S"])
    def test_d_belly(self, text: str) -> None:
        assert outcome(text) == "belly_skweezer"

    def test_d_a_belly_of_one_colour_is_a_belly(self) -> None:
        assert outcome("4C 6S 5C") == "belly_skweezer"

    def test_d_a_king_between_queen_and_ace_is_a_belly(self) -> None:
        assert outcome("QC AD KH") == "belly_skweezer"

    def test_d_a_two_between_ace_and_three_is_none(self) -> None:
        assert outcome("AC 3C 2C") == LOSS

    def test_e_suited_belly(self) -> None:
        assert outcome("8D 6D 7D") == "suited_belly_skweezer"


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_nothing_is_decided_while_a_card_is_missing(missing: int) -> None:
    seen: list[Card | None] = list(cards("8D 6D 7D"))
    seen[missing] = None
    assert judge(*seen) is None


def naive(first: Card, second: Card, up: Card) -> str:
    """The clauses over the characters of the cards' names."""
    order = "23456789TJQKA"
    one, two, middle = (order.index(card.name[0]) for card in (first, second, up))
    suits = first.name[1] + second.name[1] + up.name[1]
    if (middle - one) * (middle - two) >= 0:
        return LOSS
    if {one, two} == {middle - 1, middle + 1}:
        return "suited_belly_skweezer" if len({*suits}) == 1 else "belly_skweezer"
    colors = {"black" if suit in "CS" else "red" for suit in suits}
    return "one_colour_skweezer" if len(colors) == 1 else "skweezer"


def test_every_three_cards_are_judged_by_the_clauses() -> None:
    assert all(judge(*three) == naive(*three) for three in product(DECK, repeat=3))


@pytest.mark.parametrize(
    ("decks", "hits"), [(2, 26.80), (4, 26.42), (5, 26.34), (6, 26.29), (7, 26.25), (8, 26.22)]
)
def test_the_hit_frequencies_are_those_that_the_filing_prints(decks: int, hits: float) -> None:
    """A win has three different ranks, so that no card of it is drawn from fewer copies."""
    wins = sum(judge(*three) != LOSS for three in product(DECK, repeat=3))
    size = 52 * decks
    assert round(100 * wins * decks**3 / (size * (size - 1) * (size - 2)), 2) == hits
