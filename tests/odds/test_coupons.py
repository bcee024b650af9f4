"""What a coupon costs: by its terms, exactly, and never more than it can pay."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec import structs

from blackjack.money import Odds
from blackjack.rulebook.house_rules import PostedLimits, RuleSetSpec
from blackjack.rulebook.promotions import OnPush, PromotionKind, Terms
from blackjack.rulebook.rule_set import RuleSet, compose, standard_house
from odds.coupons import NoCost, coupon_cost
from odds.main_game import MainRules, kept, ranks_of
from odds.main_game.hit_or_stand import hit_or_stand, stood_on
from tests.odds.independent import filed

MATCH_PLAY = Terms("match play", PromotionKind.MATCH_PLAY, 25_00)
FREE_BET = Terms("free bet", PromotionKind.FREE_BET, 10_00)
FREE_ACE = Terms("free ace", PromotionKind.FREE_ACE, 0)


def rule_set(game: str = "skweezit", decks: int = 6, **options: int) -> RuleSet:
    chosen = options or {"skweezit": 1}
    return compose(RuleSetSpec(game, decks, chosen, standard_house(game, chosen)))


def first_hand(decks: int = 6) -> tuple[float, float, float]:
    found = kept(MainRules.of(rule_set(decks=decks)), decks)
    assert found is not None
    return found.first_hand.natural, found.first_hand.win, found.first_hand.push


def test_a_match_play_costs_about_half_its_face() -> None:
    """Its holder wins a little less than every second decision."""
    cost = coupon_cost(MATCH_PLAY, rule_set(), stake_cents=25_00)
    natural, win, push = first_hand()
    assert cost.round_cents == pytest.approx((natural + win) * 25_00, abs=1e-9)
    assert cost.cents == pytest.approx((natural + win) / (1 - push) * 25_00, abs=1e-9)
    assert 0.47 < cost.share < 0.48


def test_a_coupon_lost_on_a_push_costs_less() -> None:
    lost = structs.replace(MATCH_PLAY, on_push=OnPush.LOST)
    cost = coupon_cost(lost, rule_set())
    assert cost.cents == cost.round_cents < coupon_cost(MATCH_PLAY, rule_set()).cents
    returned = structs.replace(MATCH_PLAY, on_push=OnPush.RETURNED)
    assert coupon_cost(returned, rule_set()).cents == coupon_cost(MATCH_PLAY, rule_set()).cents


def test_a_coupon_that_pays_three_to_two_on_a_natural_costs_just_that_more() -> None:
    richer = structs.replace(MATCH_PLAY, natural_pays=Odds(3, 2))
    natural, _, push = first_hand()
    more = coupon_cost(richer, rule_set()).cents - coupon_cost(MATCH_PLAY, rule_set()).cents
    assert more == pytest.approx(natural * 12_50 / (1 - push), abs=1e-6)


def test_winnings_are_rounded_as_the_table_rounds() -> None:
    odd = structs.replace(MATCH_PLAY, face_cents=3_00, natural_pays=Odds(6, 5), pays=Odds(0))
    spec = RuleSetSpec(
        "skweezit", 6, {"skweezit": 1}, limits=PostedLimits(smallest_chip_cents=1_00)
    )
    natural, _, _ = first_hand()
    cost = coupon_cost(odd, compose(spec))
    assert cost.round_cents == pytest.approx(natural * 4_00, abs=1e-9)  # 3.60 in whole dollars


def test_a_free_bet_is_played_for_the_coupon_and_not_for_chips() -> None:
    """Played as a wager would be, its holder would win less of it."""
    cost = coupon_cost(FREE_BET, rule_set())
    for push in (0.0, 0.25, 0.4747, 0.6, 1.0):
        other = hit_or_stand(MainRules(), ranks_of(6), win=1.0, push=push)
        assert (other.win + other.natural) / (1 - other.push) <= cost.share + 1e-12
    assert 0.47 < cost.share < 0.48


def test_a_free_bet_lost_on_a_push_is_played_to_win_at_once() -> None:
    lost = structs.replace(FREE_BET, on_push=OnPush.LOST)
    cost = coupon_cost(lost, rule_set())
    ended = hit_or_stand(MainRules(), ranks_of(6), win=1.0, push=0.0)
    assert cost.share == pytest.approx(ended.win + ended.natural, abs=1e-12)


def test_play_for_a_wager_is_hitting_and_standing_of_the_main_game() -> None:
    """With two for a win and one for a push it is the wager's own play, without doubles."""
    ended = hit_or_stand(MainRules(), ranks_of(6), win=2.0, push=1.0)
    natural, win, push = first_hand()
    assert ended.natural == pytest.approx(natural, abs=1e-9)
    assert ended.win == pytest.approx(win, abs=2e-3)
    assert ended.push == pytest.approx(push, abs=2e-3)
    assert ended.natural + ended.win + ended.push + ended.loss == pytest.approx(1.0, abs=1e-12)


def test_hitting_and_standing_shares_work_only_where_the_dealer_does_the_same() -> None:
    """In any order of the calls; parts that are not shared are computed alone."""
    plain = MainRules()
    unlike = (MainRules(dealer_hits_soft_17=True), MainRules(half_back=True))
    alike = (MainRules(late_surrender=True), MainRules(hands_max=2, natural_pays=Odds(6, 5)))
    alone = []
    for rules in (plain, *unlike, *alike):
        stood_on.cache_clear()
        alone.append(hit_or_stand(rules, ranks_of(6), win=1.0, push=0.5))
    stood_on.cache_clear()
    shared = [
        hit_or_stand(rules, ranks_of(6), win=1.0, push=0.5) for rules in (plain, *unlike, *alike)
    ]
    assert shared == alone
    assert shared[3:] == [shared[0]] * 2
    assert stood_on.cache_info().hits == 2
    assert len({cost.win for cost in shared[:3]}) == 3


def test_a_free_ace_costs_nearly_half_the_wager_beside_it() -> None:
    """A first ace is worth 51 cents on the dollar; without splits a little less."""
    cost = coupon_cost(FREE_ACE, rule_set(), stake_cents=25_00)
    assert 0.47 < cost.share < 0.49
    assert cost.cents == cost.round_cents == pytest.approx(cost.share * 25_00)
    assert coupon_cost(FREE_ACE, rule_set(), stake_cents=50_00).cents == pytest.approx(
        2 * cost.cents
    )


def test_a_coupon_on_a_side_bet_costs_its_exact_chance() -> None:
    terms = structs.replace(FREE_BET, wagers=("double_action",), pays=Odds(3))
    rules = rule_set("double_action_iii", 6, double_action=1, match_madness=1)
    cost = coupon_cost(terms, rules, wager="double_action")
    chance = sum(filed.double_action(6).values(), Fraction())
    assert cost.cents == pytest.approx(float(chance * 30_00), abs=1e-9)


def test_a_coupon_on_a_side_bet_that_may_push_is_played_again() -> None:
    terms = structs.replace(FREE_BET, wagers=("upcard_bonus",))
    cost = coupon_cost(terms, rule_set("half_back", 8, upcard_bonus=3), wager="upcard_bonus")
    law = filed.upcard_bonus(8)
    push = law.pop("seven_to_nine_up")
    assert cost.cents == pytest.approx(float(sum(law.values()) / (1 - push) * 10_00), abs=1e-9)


def test_a_bonus_on_a_hand_costs_its_outcomes_chance() -> None:
    terms = Terms(
        "hand of the day",
        PromotionKind.HAND_BONUS,
        50_00,
        wagers=("double_action",),
        bonus_outcome="straight_flush",
    )
    rules = rule_set("double_action_iii", 6, double_action=1, match_madness=1)
    cost = coupon_cost(terms, rules, wager="double_action")
    assert cost.cents == pytest.approx(float(filed.double_action(6)["straight_flush"] * 50_00))


@pytest.mark.parametrize(
    ("terms", "wager", "message"),
    [
        (structs.replace(MATCH_PLAY, games=("half_back",)), "main", "for half_back, not for skwe"),
        (MATCH_PLAY, "skweezit", "for main, not for skweezit"),
        (structs.replace(MATCH_PLAY, wagers=("poker",)), "poker", "poker is no wager of Skweezit"),
        (structs.replace(MATCH_PLAY, kind=PromotionKind.POINT_MULTIPLIER), "main", "pays nothing"),
        (structs.replace(MATCH_PLAY, kind=PromotionKind.HAND_BONUS), "main", "not worked out"),
        (FREE_ACE, "main", "state the stake"),
        (structs.replace(MATCH_PLAY, face_cents=-1), "main", "cannot be"),
        (
            Terms("b", PromotionKind.HAND_BONUS, 1, wagers=("skweezit",), bonus_outcome="flush"),
            "skweezit",
            "'flush' is no outcome of skweezit",
        ),
    ],
)
def test_a_coupon_without_a_cost_gives_the_reason(terms: Terms, wager: str, message: str) -> None:
    with pytest.raises(NoCost, match=message):
        coupon_cost(terms, rule_set(), wager=wager)


@pytest.mark.parametrize(
    ("terms", "wager"),
    [(MATCH_PLAY, "main"), (structs.replace(FREE_ACE, wagers=("match_me",)), "match_me")],
)
def test_match_madness_has_no_hand_to_lay_a_coupon_beside(terms: Terms, wager: str) -> None:
    rules = rule_set("match_madness", 6, match_me=1, match_me_2=1)
    with pytest.raises(NoCost, match="no main wager"):
        coupon_cost(terms, rules, wager=wager, stake_cents=25_00)
