"""The match bets: Double Action III, General Rules 4, and Match Madness, Basic Concepts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, combinations_with_replacement

import pytest

from blackjack.cards.card import DECK, Card, cards
from blackjack.settlement.side_bets import EVALUATORS, LOSS, SideBetRole

SEVERAL_DECKS = ["match_three_up", "match_me", "match_me_2"]
ONE_DECK = ["match_me_one_deck", "match_me_2_one_deck"]


def outcome(evaluator: str, text: str) -> str | None:
    """Three cards, then the card that they are to match."""
    return EVALUATORS[evaluator].judge(*cards(text))


class TestCardsLookedAt:
    def test_beside_blackjack_the_three_up_cards_against_the_hole_card(self) -> None:
        roles = EVALUATORS["match_three_up"].roles
        assert roles == (SideBetRole.FIRST, SideBetRole.SECOND, SideBetRole.UP, SideBetRole.HOLE)

    @pytest.mark.parametrize("evaluator", ["match_me", "match_me_one_deck"])
    def test_match_me_looks_at_the_card_on_its_own_spot(self, evaluator: str) -> None:
        assert EVALUATORS[evaluator].roles == (
            SideBetRole.FIRST,
            SideBetRole.SECOND,
            SideBetRole.THIRD,
            SideBetRole.MATCH_ME,
        )

    @pytest.mark.parametrize("evaluator", ["match_me_2", "match_me_2_one_deck"])
    def test_match_me_2_looks_at_the_card_on_its_own_spot(self, evaluator: str) -> None:
        assert EVALUATORS[evaluator].roles == (
            SideBetRole.FIRST,
            SideBetRole.SECOND,
            SideBetRole.THIRD,
            SideBetRole.MATCH_ME_2,
        )


@pytest.mark.parametrize("evaluator", SEVERAL_DECKS)
class TestSeveralDecks:
    """Clause 4, a to e, with the filing's own examples."""

    def test_a_unsuited_match(self, evaluator: str) -> None:
        assert outcome(evaluator, "QD 5C 9S QH") == "unsuited_match"

    def test_b_suited_match(self, evaluator: str) -> None:
        assert outcome(evaluator, "2H 8S KD 8S") == "suited_match"

    @pytest.mark.parametrize("text", ["JC JD 4H JS", "JC JC 4H JC", "JS 4H JC JS", "4H JS JC JS"])
    def test_c_double_match_whatever_the_suits(self, evaluator: str, text: str) -> None:
        assert outcome(evaluator, text) == "double_match"

    @pytest.mark.parametrize("text", ["AC AD AH AS", "AS AS AC AS", "AC AC AC AS"])
    def test_d_triple_match(self, evaluator: str, text: str) -> None:
        assert outcome(evaluator, text) == "triple_match"

    def test_e_triple_suited_is_all_four_in_one_suit(self, evaluator: str) -> None:
        assert outcome(evaluator, "KH KH KH KH") == "triple_suited"

    @pytest.mark.parametrize("text", ["TC JD QH KS", "9C 9D 9H 8S"])
    def test_no_card_of_the_rank_loses(self, evaluator: str, text: str) -> None:
        assert outcome(evaluator, text) == LOSS


@pytest.mark.parametrize("evaluator", ONE_DECK)
class TestOneDeck:
    """Match Madness, Basic Concepts, for a single deck."""

    def test_uncolored_match(self, evaluator: str) -> None:
        assert outcome(evaluator, "KD 4C 7C KS") == "uncolored_match"

    def test_colored_match(self, evaluator: str) -> None:
        assert outcome(evaluator, "4C AC 7D AS") == "colored_match"

    @pytest.mark.parametrize("text", ["5C 5D 9H 5S", "5D 5H 9H 5S"])
    def test_a_double_match_ignores_color(self, evaluator: str, text: str) -> None:
        assert outcome(evaluator, text) == "double_match"

    def test_triple_match(self, evaluator: str) -> None:
        assert outcome(evaluator, "8C 8D 8H 8S") == "triple_match"

    def test_no_card_of_the_rank_loses(self, evaluator: str) -> None:
        assert outcome(evaluator, "TC JD QH KS") == LOSS


@pytest.mark.parametrize("evaluator", SEVERAL_DECKS + ONE_DECK)
@pytest.mark.parametrize("missing", [0, 1, 2, 3])
def test_nothing_is_decided_while_a_card_is_missing(evaluator: str, missing: int) -> None:
    seen: list[Card | None] = list(cards("5C 5D 9H 5S"))
    seen[missing] = None
    assert EVALUATORS[evaluator].judge(*seen) is None


def naive(three: tuple[Card, ...], target: Card, *, one_deck: bool) -> str:
    """By counting characters in the cards' names."""
    same = [card.name for card in three if card.name[0] == target.name[0]]
    if one_deck:
        alike = sum({name[1], target.name[1]} <= {*"DH"} for name in same)
        alike += sum({name[1], target.name[1]} <= {*"CS"} for name in same)
        single = ("uncolored_match", "colored_match")[alike > 0]
        return (LOSS, single, "double_match", "triple_match")[len(same)]
    alike = same.count(target.name)
    single = ("unsuited_match", "suited_match")[alike == 1]
    triple = ("triple_match", "triple_suited")[alike == 3]
    return (LOSS, single, "double_match", triple)[len(same)]


def test_every_hand_of_several_decks_is_judged_by_the_clauses() -> None:
    judge = EVALUATORS["match_me"].judge
    for target in DECK:
        for three in combinations_with_replacement(DECK, 3):
            assert judge(*three, target) == naive(three, target, one_deck=False)


def test_every_hand_of_one_deck_is_judged_by_the_clauses() -> None:
    judge = EVALUATORS["match_me_one_deck"].judge
    for target in DECK:
        for three in combinations([card for card in DECK if card is not target], 3):
            assert judge(*three, target) == naive(three, target, one_deck=True)


def test_the_three_cards_may_change_places() -> None:
    target = cards("7D")[0]
    for evaluator in SEVERAL_DECKS + ONE_DECK:
        judge = EVALUATORS[evaluator].judge
        for a, b, c in combinations_with_replacement(DECK[::3] + cards("7C 7D 7H 7S"), 3):
            assert judge(a, b, c, target) == judge(c, a, b, target) == judge(b, c, a, target)


def test_the_hit_rates_of_one_deck_are_those_that_the_filing_prints() -> None:
    judge = EVALUATORS["match_me_one_deck"].judge
    target, *rest = DECK
    ways = Counter(str(judge(*three, target)) for three in combinations(rest, 3))
    every = {name: float(Fraction(ways.total(), count)) for name, count in ways.items()}
    assert round(every["uncolored_match"], 1) == 9.2
    assert round(every["colored_match"], 1) == 18.5
    assert round(every["double_match"]) == 145
    assert round(every["triple_match"]) == 20_825
