"""Comparison with the plain game, in fractions, of all that is called exact."""

from fractions import Fraction
from functools import cache

import pytest
from msgspec import structs

from blackjack.rulebook.house_rules import DoubleOn, SplitBy
from odds.main_game import (
    Analysis,
    MainRules,
    Move,
    Ranks,
    Strategy,
    analyse,
    hit_or_stand,
    starts_by_discard,
    value_with_free_ace,
)
from odds.main_game.analysis import ERROR_BOUND
from tests.odds.main_game.plain_game import (
    Ends,
    Knower,
    Round,
    Seer,
    net_with_free_ace,
    only_hit_or_stood_on,
    points,
)
from tests.odds.main_game.small_shoes import ACES, BLACKJACKS, EIGHTS, MIXED

TWO_HANDS = MainRules(hands_max=2)
SURRENDER = MainRules(
    hands_max=2, dealer_hits_soft_17=True, late_surrender=True, split_by=SplitBy.VALUE
)
RESPLIT_ACES = MainRules(resplit_aces=True, hit_split_aces=True)
HALF_BACK = MainRules(hands_max=2, half_back=True, double_on=DoubleOn.HARD_9_TO_11)


@cache
def analysed_mixed(rules: MainRules) -> Analysis:
    return analyse(rules, MIXED)


@pytest.mark.proof
@pytest.mark.parametrize(
    ("rules", "ranks"),
    [
        pytest.param(TWO_HANDS, MIXED, id="two hands at most"),
        pytest.param(SURRENDER, MIXED, id="surrender, soft 17 hit, tens split by value"),
        pytest.param(MainRules(), EIGHTS, id="four hands, doubled after a split"),
        pytest.param(RESPLIT_ACES, ACES, id="aces split again and hit"),
        pytest.param(HALF_BACK, MIXED, id="Half Back"),
        pytest.param(MainRules(), BLACKJACKS, id="a blackjack that is certain"),
    ],
)
def test_every_round_dealt_out_comes_to_the_same(rules: MainRules, ranks: Ranks) -> None:
    analysis = analyse(rules, ranks)
    dealt = Round(rules, ranks, Strategy(rules, ranks)).outcomes()
    assert sum(dealt.net.values()) == 1
    assert abs(analysis.edge + dealt.mean) < ERROR_BOUND
    for name, chance in dealt.first.items():
        assert getattr(analysis.first_hand, name) == pytest.approx(float(chance), abs=1e-12)
    assert {net for net, _ in analysis.net} >= {float(net) for net in dealt.net}


def test_sisters_are_nearly_independent_even_in_a_tiny_shoe() -> None:
    """Fourteen cards: the variance is off by two thousandths; with 52 it is a seventh of that."""
    analysis = analysed_mixed(TWO_HANDS)
    dealt = Round(TWO_HANDS, MIXED, Strategy(TWO_HANDS, MIXED)).outcomes()
    assert 0 < analysis.variance - float(dealt.variance) < 0.0025


@pytest.mark.parametrize("rules", [TWO_HANDS, SURRENDER], ids=["two hands", "surrender"])
def test_no_move_is_better_than_the_best(rules: MainRules) -> None:
    """Every value of every start, by one who uses only the cards that the player has seen."""
    seen = 0
    for start in analysed_mixed(rules).starts:
        if start.best is Move.NATURAL:
            continue
        up = start.up - 1
        shoe = tuple(count - (rank == up) for rank, count in enumerate(MIXED))
        player = Knower(rules, shoe, up)
        cards = (start.low - 1, start.high - 1)
        if cards == (9, 9) and (not start.pair or shoe[9] < 2):
            cards = (9, 10)
        assert start.stand == pytest.approx(float(player.stand(cards)), abs=1e-12)
        assert start.hit == pytest.approx(float(player.hit(cards)), abs=1e-12)
        assert start.double == pytest.approx(float(player.double(cards)), abs=1e-12)
        if start.pair:
            without = tuple(count - (rank == cards[1]) for rank, count in enumerate(shoe))
            hand = Knower(rules, without, up).one_split_hand(cards[0])
            assert start.split == pytest.approx(float(2 * hand), abs=1e-12)
        seen += 1
    assert seen > 100


@pytest.mark.parametrize(("card", "up"), [(8, 5), (8, 9), (5, 8)])
def test_minding_the_sister_hand_is_worth_a_little_more(card: int, up: int) -> None:
    """The strategy class bounds the value from below, even where few cards decide most."""
    shoe = tuple(count - (rank == up) for rank, count in enumerate(MIXED))
    best = float(Seer(TWO_HANDS, shoe, up).split(card))
    found = analysed_mixed(TWO_HANDS).starts
    starts = {(start.low, start.high, start.up): start for start in found}
    ours = starts[card + 1, card + 1, up + 1].split
    assert ours is not None
    assert ours - 1e-12 <= best < ours + 0.01


def test_half_back_values_follow_from_one_unit() -> None:
    """An up card of eight that was not replaced: every move by one who uses the known cards."""
    up = 7
    shoe = tuple(count - (rank == up) for rank, count in enumerate(MIXED))
    player = Knower(HALF_BACK, shoe, up)
    checked = 0
    for start in starts_by_discard(HALF_BACK, MIXED):
        if start.up != points(up) or start.discarded or start.best is Move.NATURAL:
            continue
        cards = (start.low - 1, start.high - 1)
        if cards == (9, 9) and not start.pair:
            cards = (9, 10)
        stand, hit = player.stand(cards), player.hit(cards)
        assert start.stand == pytest.approx(float(2 * stand), abs=1e-12)
        assert start.hit == pytest.approx(float(2 * hit), abs=1e-12)
        if start.returned is not None:
            assert start.returned == pytest.approx(float(max(stand, hit)), abs=1e-12)
        if start.double is not None:
            assert start.double == pytest.approx(float(player.double(cards) * 3 / 2), abs=1e-12)
        if start.pair:
            without = tuple(count - (rank == cards[1]) for rank, count in enumerate(shoe))
            hand = Knower(HALF_BACK, without, up).one_split_hand(cards[0])
            assert start.split == pytest.approx(float(2 * hand), abs=1e-12)
        checked += 1
    assert checked > 15


@pytest.mark.parametrize(
    "worth",
    [
        Ends(Fraction(2), Fraction(1)),
        Ends(Fraction(500), Fraction(0)),
        Ends(Fraction(500), Fraction(350)),
    ],
    ids=["as a wager", "a push is lost", "a push plays on"],
)
@pytest.mark.parametrize("rules", [TWO_HANDS, HALF_BACK], ids=["blackjack", "Half Back"])
def test_a_hand_only_hit_or_stood_on_ends_the_same_dealt_out(rules: MainRules, worth: Ends) -> None:
    """Where a push equals a loss, both plays of some hands are best: only wins are compared."""
    found = hit_or_stand(rules, MIXED, win=float(worth.win), push=float(worth.push))
    dealt = only_hit_or_stood_on(rules, MIXED, worth)
    compared = ("natural", "win", "push", "loss") if worth.push else ("natural", "win")
    for name in compared:
        assert getattr(found, name) == pytest.approx(float(dealt[name]), abs=1e-12)
    assert found.win + found.natural + found.push + found.loss == pytest.approx(1, abs=1e-12)


def test_what_a_push_is_worth_changes_how_a_hand_is_played() -> None:
    lost, kept = (
        only_hit_or_stood_on(TWO_HANDS, MIXED, Ends(Fraction(1), push))
        for push in (Fraction(0), Fraction(1, 2))
    )
    assert lost["win"] > kept["win"]
    assert lost["push"] < kept["push"]


@pytest.mark.proof
@pytest.mark.parametrize("rules", [SURRENDER, HALF_BACK], ids=["soft 17 hit", "Half Back"])
def test_a_free_ace_brings_the_same_dealt_out(rules: MainRules) -> None:
    """Any first card counts as an ace: the shoe lacks that card, and no ace."""
    found = value_with_free_ace(rules, MIXED)
    assert sum(structs.astuple(found.first_hand)) == pytest.approx(1, abs=1e-12)
    assert abs(found.edge + float(net_with_free_ace(rules, MIXED))) < found.error_bound
