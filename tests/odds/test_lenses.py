"""A lens is a claim about an evaluator; here each is proved over all cards in all roles."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import product

import pytest

from blackjack.cards.card import DECK, RANKS, Card
from blackjack.settlement.side_bets import EVALUATORS
from odds.lenses import LENSES, Lens
from odds.ways import NOT_CARDS

Judge = Callable[..., str | None]

CLAIMS: dict[str, tuple[Judge, Lens, int]] = {
    LENSES[name].__name__: (side_bet.judge, LENSES[name], len(side_bet.roles))
    for name, side_bet in EVALUATORS.items()
    if name in LENSES
}
"""By lens: evaluators that share one share their judgement too."""


def first_of_its_look(lens: Lens, last: Card) -> list[Card]:
    """For every card, by index, the first card of the deck that looks the same."""
    seen: dict[Hashable, Card] = {}
    return [seen.setdefault(lens(last, card), card) for card in DECK]


@pytest.mark.proof
@pytest.mark.parametrize("rank", RANKS)
@pytest.mark.parametrize("claim", [CLAIMS[name] for name in sorted(CLAIMS)], ids=sorted(CLAIMS))
def test_cards_that_look_alike_may_be_exchanged(claim: tuple[Judge, Lens, int], rank: str) -> None:
    """Any deal is judged as the deal in which each card is the first of its look."""
    judge, lens, roles = claim
    for last in (card for card in DECK if card.name[0] == rank):
        look = first_of_its_look(lens, last)
        judged = {cards: judge(*cards, last) for cards in product(set(look), repeat=roles - 1)}
        for cards in product(DECK, repeat=roles - 1):
            alike = tuple([look[card.index] for card in cards])
            assert judge(*cards, last) == judged[alike], (cards, last)


def test_every_evaluator_of_cards_has_a_lens() -> None:
    of_cards = {n for n, each in EVALUATORS.items() if NOT_CARDS.isdisjoint(each.roles)}
    assert of_cards == set(LENSES)


@pytest.mark.parametrize("name", sorted(LENSES))
def test_a_lens_lets_few_enough_cards_apart_to_be_quick(name: str) -> None:
    """It is what makes thousands of shoes a second possible."""
    assert max(len(set(first_of_its_look(LENSES[name], last))) for last in DECK) <= 15


@pytest.mark.parametrize("name", sorted(LENSES))
def test_evaluators_that_share_a_lens_share_their_judgement(name: str) -> None:
    judge, lens, roles = CLAIMS[LENSES[name].__name__]
    side_bet = EVALUATORS[name]
    assert (side_bet.judge, LENSES[name], len(side_bet.roles)) == (judge, lens, roles)
