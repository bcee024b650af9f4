"""The Upcard Bonus, by Half Back Blackjack, Rules 11 to 13 and the paytable's events."""

from __future__ import annotations

from itertools import product

import pytest

from blackjack.cards.card import DECK, Card, cards
from blackjack.settlement.side_bets import EVALUATORS, LOSS

UPCARD_BONUS = EVALUATORS["upcard_bonus"]
judge = UPCARD_BONUS.judge


def outcome(text: str) -> str | None:
    """The original up card, then its replacement and the hole card as far as they are known."""
    seen: list[Card | None] = [*cards(text), None, None]
    return judge(*seen[:3])


class TestRule13a:
    @pytest.mark.parametrize("up", ["AC", "2D", "7H", "8S", "9C", "TD", "JH", "QS", "KC"])
    def test_an_original_that_is_not_replaced_loses_at_once(self, up: str) -> None:
        assert outcome(up) == LOSS


class TestRule12:
    @pytest.mark.parametrize("up", ["3C", "4D", "5H", "6S"])
    def test_a_three_to_a_six_waits_for_its_replacement(self, up: str) -> None:
        assert outcome(up) is None

    @pytest.mark.parametrize("replacement", ["2C", "3D", "4H", "5S", "6C"])
    def test_a_replacement_of_two_to_six_loses_and_is_not_replaced_again(
        self, replacement: str
    ) -> None:
        assert outcome(f"5D {replacement}") == LOSS


class TestRule13b:
    @pytest.mark.parametrize("replacement", ["7C", "8D", "9H"])
    def test_a_seven_to_a_nine_is_decided_at_once(self, replacement: str) -> None:
        assert outcome(f"5D {replacement}") == "seven_to_nine_up"

    @pytest.mark.parametrize("replacement", ["AC", "TD", "JH", "QS", "KC"])
    def test_an_ace_or_a_ten_waits_for_the_hole_card(self, replacement: str) -> None:
        assert outcome(f"5D {replacement}") is None

    @pytest.mark.parametrize("text", ["3C AH KH", "4D TS AS", "5H QD AD"])
    def test_replacement_and_hole_card_of_one_suit_are_a_suited_blackjack(self, text: str) -> None:
        assert outcome(text) == "suited_blackjack"

    @pytest.mark.parametrize("text", ["3H AC KH", "4S TD AS", "5D QH AD"])
    def test_the_suit_of_the_original_does_not_count(self, text: str) -> None:
        assert outcome(text) == "unsuited_blackjack"

    @pytest.mark.parametrize("text", ["3C AH 9H", "3C AH AD", "6D AC 2S"])
    def test_an_ace_without_a_blackjack(self, text: str) -> None:
        assert outcome(text) == "ace_up"

    @pytest.mark.parametrize("text", ["3C TH 9H", "3C JH KD", "6D QC 2S"])
    def test_a_ten_without_a_blackjack(self, text: str) -> None:
        assert outcome(text) == "ten_up"


def test_nothing_is_decided_before_the_up_card() -> None:
    assert judge(None, None, None) is None


def naive(up: Card, replacement: Card, hole: Card) -> str:
    """The paytable's events over the characters of the cards' names."""
    if up.name[0] not in "3456" or replacement.name[0] in "23456":
        return LOSS
    if replacement.name[0] in "789":
        return "seven_to_nine_up"
    ranks = replacement.name[0] + hole.name[0]
    if "A" in ranks and {*ranks} & {*"TJQK"}:
        same = replacement.name[1] == hole.name[1]
        return "suited_blackjack" if same else "unsuited_blackjack"
    return "ace_up" if replacement.name[0] == "A" else "ten_up"


def test_every_three_cards_are_judged_by_the_events() -> None:
    assert all(judge(*three) == naive(*three) for three in product(DECK, repeat=3))


def test_an_early_decision_never_changes() -> None:
    for up, replacement, hole in product(DECK, repeat=3):
        decided = judge(up, replacement, hole)
        assert judge(up, None, None) in (None, decided)
        assert judge(up, replacement, None) in (None, decided)
