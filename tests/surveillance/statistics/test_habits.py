"""Bets that follow the shoe, decisions that know the hole card: fair tickets, and who wins them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from math import fsum

import pytest

from blackjack.cards.card import ACE, DECK, Card, cards
from blackjack.cards.hand import is_natural
from blackjack.facts import ShoeKind
from blackjack.outcomes import HandCards, Result
from blackjack.rulebook.house_rules import INSURANCE, MAIN
from odds.shoe import CardCounts
from surveillance.domain.statistics import Bet, StreamEvidence
from surveillance.domain.statistics.counting import angles_between
from surveillance.domain.statistics.hole_card import HoleCard
from surveillance.domain.statistics.indices import shoe_index, weights_of
from surveillance.domain.statistics.side_luck import side_law
from tests.surveillance.statistics.rounds import bet, dealers, hand, played, rules_of

RULES = rules_of("skweezit")


def test_small_cards_that_leave_are_good_for_the_main_wager() -> None:
    weights = weights_of(RULES, MAIN)
    assert weights is not None
    five, ten, ace = (DECK[rank - 1].index for rank in (5, 10, ACE))
    assert weights[five] == min(weights) == 0
    assert weights[ace] == max(weights) == 1
    assert weights[ten] > 0.5


def test_a_good_card_that_leaves_costs_a_side_bet_more_than_a_bad_one() -> None:
    weights = weights_of(RULES, "skweezit")
    assert weights is not None
    brings = []
    for weight in (0, 1):
        gone = DECK[weights.index(weight)]
        law = side_law(RULES, "skweezit", CardCounts.of_decks(6).without((gone,)))
        assert law is not None
        brings.append(law.brings)
    assert brings[0] > brings[1]


def test_a_shuffler_cannot_be_counted() -> None:
    each = played(RULES, CardCounts.of_decks(6), kind=ShoeKind.CONTINUOUS)
    assert shoe_index(each, RULES, MAIN, CardCounts.of_decks(6)) is None


def bet_on(left: list[Fraction], cents: int) -> Bet:
    mean = sum(left, Fraction()) / len(left)
    variance = sum(((each - mean) ** 2 for each in left), Fraction()) / len(left)
    return Bet("s", cents, float(mean), float(variance), len(left))


@pytest.mark.parametrize("cents", [(100, 1_200), (1_200, 100), (500, 600)])
def test_a_bet_that_owes_nothing_to_the_cards_makes_a_fair_ticket(cents: tuple[int, int]) -> None:
    """Over all that can be drawn from a shoe, by a round that ends as its cards have it."""
    shoe = [Fraction(each, 4) for each in (0, 0, 1, 1, 2, 2, 2, 2, 2, 3, 3, 4, 4, 4)]
    before = bet_on(shoe, cents[0])
    sums: list[list[float]] = [[], [], []]
    for first, second, third in permutations(range(len(shoe)), 3):
        drawn = 1 if shoe[first] > Fraction(1, 2) else 2 if shoe[second] else 3
        gone = (first, second, third)[:drawn]
        after = bet_on([each for place, each in enumerate(shoe) if place not in gone], cents[1])
        for values, (ticket,) in zip(sums, angles_between(before, after), strict=True):
            values.append(ticket.value)
    for values in sums:
        assert 0.5 < fsum(values) / len(values) <= 1


def test_a_bet_that_rises_with_the_shoe_wins_and_one_that_falls_loses() -> None:
    poor, rich = Bet("s", 100, 0.50, 0.1, 200), Bet("s", 500, 0.53, 0.1, 180)
    followed = angles_between(poor, rich)
    against = angles_between(Bet("s", 500, 0.50, 0.1, 200), Bet("s", 100, 0.53, 0.1, 180))
    assert all(ticket.value > 1 for (ticket,) in followed)
    assert all(ticket.value < 1 for (ticket,) in against)


def test_a_ticket_has_a_logarithm_even_after_most_of_a_shoe() -> None:
    early, late = Bet("s", 100, 0.5, 0.1, 312), Bet("s", 500, 0.2, 0.1, 20)
    assert all(ticket.value > 0 for (ticket,) in angles_between(early, late))


def test_bets_of_two_shoes_or_of_one_height_say_nothing() -> None:
    one = Bet("s", 100, 0.5, 0.1, 200)
    assert angles_between(None, one) == ()
    assert angles_between(one, Bet("t", 500, 0.6, 0.1, 180)) == ()
    assert angles_between(one, Bet("s", 100, 0.6, 0.1, 180)) == ()


# the hole card -----------------------------------------------------------------------------


def holes(up: Card, hands: list[HandCards], *, peeked: bool) -> Iterator[tuple[Card, int]]:
    seen = [up, *(card for each in hands for card in each.cards if card is not None)]
    for card, count in zip(DECK, CardCounts.of_decks(6).without(seen).counts, strict=True):
        if count and not (peeked and is_natural(up, card)):
            yield card, count


def known(
    up: Card, hole: Card, hands: list[HandCards], *, insured: bool = False
) -> StreamEvidence | None:
    outcomes = [bet(each.seat, MAIN, Result.WON, hand=each.hand) for each in hands]
    if insured:
        outcomes.append(bet(1, INSURANCE, Result.LOST))
    shoe = CardCounts.of_decks(6)
    each = played(RULES, shoe, dealer=dealers(up, hole), hands=hands, outcomes=outcomes)
    return HoleCard(each, RULES, shoe).known_to([1])


@pytest.mark.parametrize("up", ["2C", "7C", "TC", "AC"])
@pytest.mark.parametrize(
    "played_as",
    [
        [hand(1, cards("TS 4S"))],
        [hand(1, cards("TS 4S 2D"))],
        [hand(1, cards("6S 5S TD"), doubled=True)],
        [hand(1, cards("8S 4D KD"), from_split=True), hand(1, cards("8D TH"), 2, from_split=True)],
        [hand(1, cards("AS 7S 9D")), hand(2, cards("9S 9D"))],
    ],
)
def test_over_all_hole_cards_a_decision_is_worth_one(up: str, played_as: list[HandCards]) -> None:
    (shown,) = cards(up)
    total = weighed = 0.0
    for hole, count in holes(shown, played_as, peeked=True):
        found = known(shown, hole, played_as)
        tickets = found.angles[0] if found else ()
        value = 1.0
        for ticket in tickets[1:] if up == "AC" else tickets:  # the first is not to have insured
            value *= ticket.value
        total += count
        weighed += count * value
    assert weighed / total == pytest.approx(1, abs=1e-12)


def test_over_all_hole_cards_insurance_is_worth_one() -> None:
    (ace,) = cards("AC")
    two = [hand(1, cards("TS 4S"), surrendered=True)]
    for insured in (True, False):
        total = weighed = 0.0
        for hole, count in holes(ace, two, peeked=False):
            found = known(ace, hole, two, insured=insured)
            assert found is not None
            total += count
            weighed += count * found.angles[0][0].value
        assert weighed / total == pytest.approx(1, abs=1e-12)


def test_to_stand_on_fourteen_against_a_ten_suits_a_six_below() -> None:
    six, nine, ten = cards("6C 9C TC")
    stood = [hand(1, cards("TS 4S"))]
    suited, unsuited = known(ten, six, stood), known(ten, nine, stood)
    assert suited is not None
    assert unsuited is not None
    assert suited.angles[0][0].value > 2
    assert unsuited.angles[0][0].value == 0


def test_a_hand_without_a_choice_says_nothing() -> None:
    six, nine = cards("6C 9C")
    assert known(nine, six, [hand(1, cards("AS 4S"), from_split=True)]) is None
    assert known(nine, six, [hand(1, cards("TS AS"))]) is None
    assert known(nine, six, [hand(1, cards("TS 4S"), free_ace=True)]) is None
