"""A shoe is 52 counts that can be."""

from __future__ import annotations

import pytest

from blackjack.cards.card import DECK, cards
from odds.shoe import CARDS_MAX, CardCounts, NotAShoe, TooFewCards


def test_a_full_shoe_has_every_card_once_a_deck() -> None:
    shoe = CardCounts.of_decks(6)
    assert shoe.total == 312
    assert shoe.ranks == (24,) * 13


def test_cards_that_left_the_shoe_are_missing_from_it() -> None:
    shoe = CardCounts.of_decks(1).without(cards("AS KD"))
    assert shoe.total == 50
    assert [card.name for card in DECK if not shoe.counts[card.index]] == ["KD", "AS"]


def test_a_card_that_is_not_there_cannot_leave() -> None:
    with pytest.raises(NotAShoe, match="2 AS cannot leave it: it has 1"):
        CardCounts.of_decks(1).without(cards("AS AS"))


def test_a_shoe_of_cards_is_what_they_are() -> None:
    assert CardCounts.of_cards(cards("AS AS 2C")).counts[cards("AS")[0].index] == 2


@pytest.mark.parametrize(
    ("counts", "message"),
    [((6,) * 51, "51 counts"), ((*(6,) * 51, -1), "-1 copies of KS"), ((200,) * 52, "10400 cards")],
)
def test_counts_that_no_shoe_has_are_rejected(counts: tuple[int, ...], message: str) -> None:
    with pytest.raises(NotAShoe, match=message):
        CardCounts(counts)


def test_a_bet_that_needs_more_cards_than_there_are_is_rejected_by_number() -> None:
    with pytest.raises(TooFewCards, match="has 2 cards, and 3 may be needed") as rejection:
        CardCounts.of_cards(cards("AS 2C")).need(3)
    assert (rejection.value.cards, rejection.value.needed) == (2, 3)


def test_the_largest_shoe_can_be_counted_in_sixty_three_bits() -> None:
    assert CARDS_MAX**4 < 2**63
