"""The independent methods agree with each other, and with known numbers."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from math import isqrt

import pytest

from table_simulator.domain.oracle.paytables import options
from tests.odds.independent import brute, dead_mans_hand, filed
from tests.odds.independent.cards import Law, Shoe, full_shoe, shoe_of
from tests.odds.independent.edges import law_of, price, prices
from tests.odds.independent.paytables import Paytable, all_paytables

DOUBLE_ACTION_EDGES_PRINTED = {
    4: ("5.53", "6.71", "7.42", "8.46", "7.05", "8.09"),
    5: ("4.11", "5.50", "6.40", "7.43", "12.20", "11.33"),
    6: ("3.12", "4.66", "5.70", "6.73", "11.54"),
    8: ("3.07", "3.58", "4.81", "5.84", "10.69"),
}
SKWEEZIT_EDGES = {2: "2.321", 4: "3.737", 5: "4.016", 6: "4.201", 7: "4.334", 8: "4.433"}

DEAD_MANS_HOLDS_PRINTED = {  # of 1, 2, 5, 6 and 8 decks
    1: ("8.57", "8.10", "7.81", "7.77", "7.73"),
    2: ("8.08", "7.71", "7.48", "7.45", "7.42"),
    3: ("7.96", "7.56", "7.30", "7.27", "7.23"),
    4: ("9.52", "9.36", "9.25", "9.24", "9.22"),
    5: ("6.60", "6.17", "5.89", "5.86", "5.82"),
}
DEAD_MANS_HITS_PRINTED = ("28.66", "28.53", "28.45", "28.44", "28.43")

DEAD_MANS_CARDS = (0, 0, 13, 26, 7, 7, 20, 33, 9, 12)  # aces, eights and two tens


def percent(chance: Fraction, decimals: int) -> str:
    """Rounded half up, as the filings print it."""
    units, half = 100 * 10**decimals * chance, Fraction(1, 2)
    digits = str((units + half).__floor__()).rjust(decimals + 1, "0")
    return f"{digits[:-decimals]}.{digits[-decimals:]}"


def without_loss(law: Law) -> Law:
    """A brute law as the other methods give it; by counting alone it sums to one."""
    assert sum(law.values()) == 1
    return {outcome: chance for outcome, chance in law.items() if outcome != brute.LOSS}


def possible(law: Law) -> Law:
    return {outcome: chance for outcome, chance in law.items() if chance}


def a_small_shoe(seed: int, size: int, *cards: int) -> Shoe:
    """These cards and others drawn from six decks."""
    rng = random.Random(seed)
    return shoe_of(*cards, *(rng.randrange(52) for _ in range(size - len(cards))))


@pytest.mark.parametrize("decks", [4, 5, 6, 8])
def test_double_action_counted_is_double_action_dealt(decks: int) -> None:
    dealt = brute.law(full_shoe(decks), 3, brute.double_action)
    assert without_loss(dealt) == filed.double_action(decks)


@pytest.mark.parametrize("decks", [2, 4, 5, 6, 7, 8])
def test_skweezit_counted_is_skweezit_dealt(decks: int) -> None:
    dealt = brute.law(full_shoe(decks), 3, brute.skweezit)
    assert without_loss(dealt) == filed.skweezit(decks)


@pytest.mark.parametrize("decks", [6, 8])
def test_the_upcard_bonus_counted_is_the_upcard_bonus_dealt(decks: int) -> None:
    dealt = brute.law(full_shoe(decks), 3, brute.upcard_bonus)
    assert without_loss(dealt) == filed.upcard_bonus(decks)


@pytest.mark.parametrize(("decks", "target"), [(4, 0), (5, 51), (6, 20), (7, 33), (8, 12)])
def test_matches_counted_are_matches_dealt_whatever_the_card_to_match(
    decks: int, target: int
) -> None:
    dealt = brute.law_given(target, full_shoe(decks), 4, brute.match_several_decks)
    assert without_loss(dealt) == filed.match_several_decks(decks)


@pytest.mark.parametrize("target", [0, 25, 45])
def test_matches_of_one_deck_counted_are_matches_dealt(target: int) -> None:
    dealt = brute.law_given(target, full_shoe(1), 4, brute.match_one_deck)
    assert without_loss(dealt) == filed.match_one_deck()


@pytest.mark.parametrize(
    ("size", "judge"),
    [
        (3, brute.double_action),
        (3, brute.skweezit),
        (3, brute.upcard_bonus),
        (4, brute.match_several_decks),
        (4, brute.match_one_deck),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_a_small_shoe_dealt_by_cards_is_the_shoe_dealt_by_places(
    seed: int, size: int, judge: Callable[[brute.Deal], str]
) -> None:
    """Cards with multiplicities, or each card as its own: the law is the same."""
    shoe = a_small_shoe(seed, 12)
    each_card = [card for card, count in enumerate(shoe) for _ in range(count)]
    by_places = brute.law(
        (1,) * len(each_card), size, lambda places: judge(tuple(each_card[at] for at in places))
    )
    assert brute.law(shoe, size, judge) == by_places


@pytest.mark.parametrize("ace_hands_max", [2, 4])
@pytest.mark.parametrize("seed", range(3))
def test_dead_mans_hand_walked_is_dead_mans_hand_dealt_in_every_order(
    seed: int, ace_hands_max: int
) -> None:
    shoe = a_small_shoe(seed, 11, *DEAD_MANS_CARDS[: 8 + seed % 3])
    dealt = without_loss(brute.dead_mans_hand(shoe, ace_hands_max=ace_hands_max))
    assert possible(dead_mans_hand.plain(shoe, ace_hands_max=ace_hands_max)) == dealt


@pytest.mark.parametrize("ace_hands_max", [2, 4])
@pytest.mark.parametrize("size", [10, 12, 14, 16])
def test_hits_between_the_second_cards_do_not_change_the_law(size: int, ace_hands_max: int) -> None:
    shoe = a_small_shoe(size, size, *DEAD_MANS_CARDS)
    plain = dead_mans_hand.plain(shoe, ace_hands_max=ace_hands_max)
    assert dead_mans_hand.with_hits(shoe, ace_hands_max=ace_hands_max) == plain


@pytest.mark.parametrize("decks", [1, 2, 5, 6, 8])
def test_dead_mans_hand_is_lost_by_two_cards_that_are_neither_aces_nor_eights(decks: int) -> None:
    cards, others = 52 * decks, 44 * decks
    for ace_hands_max in (2, 4):
        law = dead_mans_hand.plain(full_shoe(decks), ace_hands_max=ace_hands_max)
        assert 1 - sum(law.values()) == Fraction(others * (others - 1), cards * (cards - 1))


def test_a_shoe_that_splits_could_empty_is_rejected() -> None:
    with pytest.raises(ValueError, match="9 cards"):
        dead_mans_hand.plain(shoe_of(*DEAD_MANS_CARDS[:9]), ace_hands_max=4)


def test_there_are_81_prices_and_every_law_has_the_rows_of_its_paytable() -> None:
    assert len(prices()) == 81
    for paytable, pays in all_paytables().items():
        assert set(law_of(paytable)) == set(pays), paytable


def test_the_paytables_typed_here_are_those_the_croupier_typed() -> None:
    for paytable, pays in all_paytables().items():
        game, wager, decks, option = paytable
        typed = options(game, wager, decks)[option - 1]
        assert pays == {row: Fraction(*odds) for row, odds in typed.items()}, paytable


@pytest.mark.parametrize("decks", DOUBLE_ACTION_EDGES_PRINTED)
def test_every_printed_edge_of_double_action_is_right(decks: int) -> None:
    for option, printed in enumerate(DOUBLE_ACTION_EDGES_PRINTED[decks], start=1):
        edge = prices()[Paytable("double_action_iii", "double_action", decks, option)].edge
        assert percent(edge, 2) == printed


@pytest.mark.parametrize("decks", SKWEEZIT_EDGES)
def test_skweezit_keeps_less_than_printed_since_a_suited_belly_pays_100_not_64(decks: int) -> None:
    paytable = Paytable("skweezit", "skweezit", decks, 1)
    assert percent(prices()[paytable].edge, 3) == SKWEEZIT_EDGES[decks]
    misread = all_paytables()[paytable] | {"suited_belly_skweezer": Fraction(64)}
    printed = {2: "4.64", 4: "6.02", 5: "6.30", 6: "6.48", 7: "6.61", 8: "6.70"}
    assert percent(price(law_of(paytable), misread).edge, 2) == printed[decks]


def test_match_madness_of_seven_decks_was_printed_with_a_triple_at_100() -> None:
    paytable = Paytable("match_madness", "match_me", 7, 1)
    assert percent(prices()[paytable].edge, 3) == "9.964"
    misread = all_paytables()[paytable] | {"triple_match": Fraction(100)}
    assert percent(price(law_of(paytable), misread).edge, 3) == "10.883"


@pytest.mark.parametrize(
    ("option", "misread", "points_least", "points_most"),
    [
        (1, {}, "0.04", "0.10"),
        (2, {"pair_with_dealer_blackjack": Fraction(50)}, "0.005", "0.015"),
        (3, {}, "0.01", "0.03"),
        (4, {"pair_no_set": Fraction(2)}, "0.015", "0.06"),
        (5, {}, "0.02", "0.08"),
    ],
)
def test_dead_mans_hand_is_printed_with_holds_that_are_near_but_never_right(
    option: int, misread: Law, points_least: str, points_most: str
) -> None:
    """Paytables 2 and 4 are near only if a row paid other odds than filed."""
    printed = DEAD_MANS_HOLDS_PRINTED[option]
    for decks, hold in zip((1, 2, 5, 6, 8), printed, strict=True):
        paytable = Paytable("dead_mans_hand", "dead_mans_hand", decks, option)
        edge = price(law_of(paytable), all_paytables()[paytable] | misread).edge
        over = Fraction(hold) - 100 * edge
        assert Fraction(points_least) < over < Fraction(points_most)
        assert percent(prices()[paytable].edge, 2) != hold


def test_every_printed_total_of_dead_mans_hand_is_right() -> None:
    for decks, hits in zip((1, 2, 5, 6, 8), DEAD_MANS_HITS_PRINTED, strict=True):
        law = law_of(Paytable("dead_mans_hand", "dead_mans_hand", decks, 1))
        assert percent(sum(law.values(), Fraction()), 2) == hits


def test_the_totals_of_double_action_iii_are_those_of_other_decks() -> None:
    """Printed 22.8 % at five decks, and 20.29 % and 20.50 % for matches of six and eight."""

    def total(law: Law) -> Fraction:
        return sum(law.values(), Fraction())

    assert percent(total(filed.double_action(5)), 2) == "22.57"
    assert percent(total(filed.double_action(8)), 1) == "22.8"
    assert percent(total(filed.match_several_decks(6)), 2) == "20.65"
    assert percent(total(filed.match_several_decks(4)), 2) == "20.29"
    assert percent(total(filed.match_several_decks(8)), 2) == "20.82"
    assert percent(total(filed.match_several_decks(5)), 2) == "20.51"  # cut off: 20.50


@pytest.mark.parametrize(
    ("wager", "least", "most"),
    [
        ("double_action", "3.3", "4.3"),
        ("match_madness", "2.3", "3.7"),
        ("skweezit", "3.5", "3.5"),
        ("upcard_bonus", "2.3", "3.3"),
        ("dead_mans_hand", "1.6", "2.4"),
    ],
)
def test_standard_deviations_at_six_decks_are_those_of_the_brief(
    wager: str, least: str, most: str
) -> None:
    deviations = sorted(
        Fraction(isqrt(int(price.variance * 10**8)), 10**4)
        for paytable, price in prices().items()
        if (paytable.wager, paytable.decks) == (wager, 6)
    )
    assert percent(deviations[0] / 100, 1) == least
    assert percent(deviations[-1] / 100, 1) == most
