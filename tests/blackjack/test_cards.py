"""The 52 cards."""

from __future__ import annotations

import copy
import pickle

import pytest

from blackjack.cards.card import DECK, RANKS, SUITS, Card, NotACard, card, cards


def test_a_deck_is_every_rank_in_every_suit_once() -> None:
    assert len(DECK) == 52
    assert {card.name for card in DECK} == {rank + suit for rank in RANKS for suit in SUITS}


def test_a_card_knows_its_place_in_the_deck() -> None:
    assert [card.index for card in DECK] == list(range(52))


def test_there_is_one_object_for_each_card() -> None:
    for dealt in DECK:
        assert card(dealt.name) is dealt
        assert copy.copy(dealt) is dealt
        assert copy.deepcopy([dealt])[0] is dealt
        assert pickle.loads(pickle.dumps(dealt)) is dealt


@pytest.mark.parametrize(
    ("name", "rank", "points"),
    [("AS", 1, 1), ("2C", 2, 2), ("9H", 9, 9), ("TD", 10, 10), ("JC", 11, 10), ("KS", 13, 10)],
)
def test_court_cards_count_ten_and_an_ace_one(name: str, rank: int, points: int) -> None:
    assert (card(name).rank, card(name).points) == (rank, points)


def test_diamonds_and_hearts_are_red() -> None:
    assert {card.suit for card in DECK if card.is_red} == {"D", "H"}


@pytest.mark.parametrize(
    ("text", "name"), [("AS", "AS"), ("as", "AS"), ("10d", "TD"), (" 7c ", "7C"), ("tH", "TH")]
)
def test_a_card_is_read_in_any_case_and_ten_either_way(text: str, name: str) -> None:
    assert card(text).name == name


@pytest.mark.parametrize("text", ["", "A", "S", "1S", "AX", "AS KD", "11D", "♠A"])
def test_a_text_that_is_no_card_is_rejected_by_name(text: str) -> None:
    with pytest.raises(NotACard) as caught:
        card(text)
    assert caught.value.text == text
    assert repr(text) in str(caught.value)


def test_several_cards_are_parted_by_blanks_or_commas() -> None:
    assert cards("AS, 10d 7c") == (card("AS"), card("TD"), card("7C"))
    assert cards("") == ()


@pytest.mark.parametrize(
    ("name", "words", "sign"),
    [
        ("AS", "ace of spades", "A♠"),
        ("TD", "ten of diamonds", "T♦"),
        ("QH", "queen of hearts", "Q♥"),
        ("2C", "two of clubs", "2♣"),
    ],
)
def test_a_card_has_words_and_a_sign_for_people(name: str, words: str, sign: str) -> None:
    named: Card = card(name)
    assert (named.words, named.sign, repr(named)) == (words, sign, name)
