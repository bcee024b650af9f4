"""What cannot be constructed, why, and by which hash the rest is known."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blackjack.money import EVEN_MONEY, Odds, Rounding
from blackjack.rulebook.filings import BUILT_IN, FILINGS, load
from blackjack.rulebook.house_rules import (
    DoubleOn,
    HouseRules,
    PostedLimits,
    RuleSetSpec,
    SplitBy,
    WagerLimit,
)
from blackjack.rulebook.rule_set import (
    FILED,
    Catalogue,
    NotFiled,
    RuleSet,
    compose,
    filed_specs,
    standard_house,
)
from blackjack.settlement.side_bets import EVALUATORS


def spec(
    game: str,
    decks: int,
    paytables: Mapping[str, int],
    *,
    limits: PostedLimits | None = None,
    **house: Any,
) -> RuleSetSpec:
    """A spec with the standard house rules of its game, but for those named."""
    chosen = dict(paytables)
    return RuleSetSpec(
        game=game,
        decks=decks,
        paytables=chosen,
        house=msgspec.structs.replace(standard_house(game, chosen), **house),
        limits=limits or PostedLimits(),
    )


def problems(wanted_spec: RuleSetSpec) -> tuple[str, ...]:
    with pytest.raises(NotFiled) as caught:
        compose(wanted_spec)
    return caught.value.problems


def the_problem(wanted_spec: RuleSetSpec) -> str:
    (only,) = problems(wanted_spec)
    return only


DOUBLE_ACTION = {"double_action": 2, "match_madness": 1}
MATCH_ME = {"match_me": 1, "match_me_2": 1}


class TestFiledRuleSets:
    def test_every_filed_choice_has_a_rule_set(self) -> None:
        count = dict.fromkeys(FILINGS, 0)
        for rule_set in FILED:
            count[rule_set.spec.game] += 1
        assert count == {
            "double_action_iii": 6 * 2 + 6 * 2 + 5 * 2 + 5 * 2,
            "match_madness": 8,
            "skweezit": 6,
            "dead_mans_hand": 25,
            "half_back": 12,
        }
        assert len(FILED) == 95

    def test_a_rule_set_composes_from_its_own_spec_to_the_same_hash(self) -> None:
        assert all(compose(rules.spec).hash == rules.hash for rules in FILED)

    def test_a_rule_set_survives_being_written_down(self) -> None:
        for rules in FILED:
            written = msgspec.json.encode(rules.spec)
            assert compose(msgspec.json.decode(written, type=RuleSetSpec)).hash == rules.hash

    @pytest.mark.parametrize(
        ("wanted_spec", "name"),
        [
            (
                spec("double_action_iii", 6, DOUBLE_ACTION),
                "Double Action Blackjack III, 6 decks, Double Action 2, Match Madness 1, S17",
            ),
            (
                spec("half_back", 8, {"upcard_bonus": 3}, dealer_hits_soft_17=True),
                "Half Back Blackjack, 8 decks, Upcard Bonus 3, H17",
            ),
            (spec("match_madness", 1, MATCH_ME), "Match Madness, 1 deck, paytable 1"),
        ],
    )
    def test_a_name_states_game_decks_paytables_and_soft_17(
        self, wanted_spec: RuleSetSpec, name: str
    ) -> None:
        assert compose(wanted_spec).name == name

    def test_the_side_bets_are_those_of_the_decks(self) -> None:
        one, six = (compose(spec("match_madness", decks, MATCH_ME)) for decks in (1, 6))
        assert one.side_bet("match_me_2") is EVALUATORS["match_me_2_one_deck"]
        assert six.side_bet("match_me_2") is EVALUATORS["match_me_2"]

    def test_standard_house_rules_are_those_the_game_requires(self) -> None:
        half_back = standard_house("half_back", {"upcard_bonus": 1})
        assert half_back == HouseRules(double_on=DoubleOn.HARD_9_TO_11)
        assert standard_house("dead_mans_hand", {"dead_mans_hand": 3}) == HouseRules()
        assert standard_house("dead_mans_hand", {"dead_mans_hand": 4}).resplit_aces
        assert standard_house("skweezit", {"skweezit": 1}) == HouseRules()


class TestGameDecksAndPaytables:
    def test_a_game_that_is_not_filed(self) -> None:
        message = the_problem(RuleSetSpec(game="spanish_21", decks=6, paytables={}))
        assert message.startswith("game 'spanish_21' is not filed; filed are dead_mans_hand, ")

    @pytest.mark.parametrize("decks", [0, 1, 2, 3, 7, 9, -6, 10**30])
    def test_decks_that_are_not_filed(self, decks: int) -> None:
        message = the_problem(spec("double_action_iii", decks, DOUBLE_ACTION))
        assert message.endswith("not filed for Double Action Blackjack III; filed are 4, 5, 6, 8")

    def test_an_option_that_is_filed_at_other_decks_only(self) -> None:
        wanted_spec = spec("double_action_iii", 6, {"double_action": 6, "match_madness": 1})
        assert the_problem(wanted_spec) == (
            "paytable 6 is not filed for double_action at 6 decks; filed are 1, 2, 3, 4, 5"
        )

    def test_a_side_bet_without_a_paytable(self) -> None:
        wanted_spec = spec("double_action_iii", 6, {"double_action": 1})
        assert the_problem(wanted_spec) == (
            "no paytable is chosen for match_madness at 6 decks; filed are 1, 2"
        )

    def test_a_side_bet_that_the_game_lacks(self) -> None:
        wanted_spec = spec("skweezit", 6, {"skweezit": 1, "upcard_bonus": 1})
        assert the_problem(wanted_spec) == (
            "Skweezit Blackjack has no side bet 'upcard_bonus'; it has skweezit"
        )

    def test_two_wagers_of_one_paytable_cannot_choose_differently(self) -> None:
        wanted_spec = spec("match_madness", 6, {"match_me": 1, "match_me_2": 2})
        assert the_problem(wanted_spec) == (
            "match_me and match_me_2 share one paytable; choose the same option for both"
        )


class TestHalfBack:
    @pytest.mark.parametrize(
        ("rule", "value", "message"),
        [
            ("late_surrender", True, "requires False (Rules 19)"),
            ("double_on", DoubleOn.ANY_TWO, "requires hard_9_to_11 (Rules 17, fourth option)"),
            ("double_after_split", False, "requires True (Rules 17, fourth option)"),
            ("double_for_less", True, "requires False (Rules 17, fourth option)"),
            ("split_by", SplitBy.VALUE, "requires rank (Rules 17, third option)"),
            ("hands_max", 3, "requires 4 (Rules 17, third option)"),
            ("natural_pays", Odds(6, 5), "requires 3 to 2 (Rules 17, first option)"),
            ("insurance", False, "requires True (Rules 13b and 15)"),
        ],
    )
    def test_a_house_rule_that_the_filing_fixes(self, rule: str, value: Any, message: str) -> None:
        problem = the_problem(spec("half_back", 6, {"upcard_bonus": 1}, **{rule: value}))
        assert problem.startswith(f"house rule {rule} is ")
        assert problem.endswith(message)

    @pytest.mark.parametrize("rule", ["dealer_hits_soft_17", "resplit_aces", "hit_split_aces"])
    def test_a_house_rule_that_the_filing_leaves_to_the_house(self, rule: str) -> None:
        chosen: dict[str, Any] = {rule: True}
        compose(spec("half_back", 6, {"upcard_bonus": 1}, **chosen))


class TestDeadMansHand:
    @pytest.mark.parametrize("option", [1, 2, 3])
    def test_paytables_1_to_3_split_aces_once(self, option: int) -> None:
        wanted_spec = spec("dead_mans_hand", 6, {"dead_mans_hand": option}, resplit_aces=True)
        assert "requires False (House Rules for Paytables #1, #2, and #3)" in the_problem(
            wanted_spec
        )

    @pytest.mark.parametrize("option", [4, 5])
    def test_paytables_4_and_5_resplit_aces(self, option: int) -> None:
        wanted_spec = spec("dead_mans_hand", 6, {"dead_mans_hand": option}, resplit_aces=False)
        assert "requires True (House Rules for Paytables #4 and #5)" in the_problem(wanted_spec)

    @pytest.mark.parametrize("option", [1, 2, 3, 4, 5])
    def test_every_paytable_lets_eights_become_four_hands(self, option: int) -> None:
        wanted_spec = spec("dead_mans_hand", 6, {"dead_mans_hand": option}, hands_max=2)
        assert "hands_max is 2; Dead Man's Hand Blackjack requires 4" in the_problem(wanted_spec)


class TestMatchMadness:
    def test_there_is_no_hand_to_have_rules_for(self) -> None:
        wanted_spec = spec("match_madness", 6, MATCH_ME, hands_max=3, natural_pays=EVEN_MONEY)
        assert problems(wanted_spec) == (
            "house rule natural_pays has no meaning in Match Madness; leave the default",
            "house rule hands_max has no meaning in Match Madness; leave the default",
        )

    def test_how_sure_a_reading_must_be_is_the_houses_choice(self) -> None:
        compose(spec("match_madness", 6, MATCH_ME, read_confidence_min=500))


class TestHouseRules:
    @pytest.mark.parametrize("hands_max", [-1, 0, 1, 5])
    def test_a_pair_becomes_two_to_four_hands(self, hands_max: int) -> None:
        message = the_problem(spec("skweezit", 6, {"skweezit": 1}, hands_max=hands_max))
        assert message == f"house rule hands_max is {hands_max}; allowed are 2, 3, 4"

    @pytest.mark.parametrize("pays", [Odds(0), Odds(5, 1), Odds(-3, 2), Odds(3, 0), Odds(12, 10)])
    def test_a_natural_pays_what_houses_pay(self, pays: Odds) -> None:
        message = the_problem(spec("skweezit", 6, {"skweezit": 1}, natural_pays=pays))
        assert message == (
            f"house rule natural_pays is {pays.win} to {pays.stake}; "
            "allowed are 3 to 2, 6 to 5, 7 to 5, 1 to 1, 2 to 1"
        )

    @pytest.mark.parametrize("confidence", [-1, 1001])
    def test_confidence_is_in_parts_of_a_thousand(self, confidence: int) -> None:
        wanted_spec = spec("skweezit", 6, {"skweezit": 1}, read_confidence_min=confidence)
        assert the_problem(wanted_spec).endswith("0 to 1000 is allowed")


class TestLimits:
    def limited(self, game: str, limits: PostedLimits) -> RuleSetSpec:
        paytables = {"skweezit": {"skweezit": 1}, "half_back": {"upcard_bonus": 1}}
        chosen = paytables.get(game, DOUBLE_ACTION)
        return spec(game, 6, chosen, limits=limits)

    def wager(self, game: str, wager: str, **limit: int) -> RuleSetSpec:
        return self.limited(game, PostedLimits(wagers={wager: WagerLimit(**limit)}))

    def test_the_largest_wager_lies_within_the_states_maximum(self) -> None:
        compose(self.wager("skweezit", "main", cents_max=40_000))
        assert the_problem(self.wager("skweezit", "main", cents_max=40_001)) == (
            "the largest main wager is 40001 cents; 0 to 40000 is allowed (WAC 230-15-140)"
        )
        assert problems(self.wager("skweezit", "main", cents_max=-1))

    def test_the_least_wager_lies_within_the_largest(self) -> None:
        compose(self.wager("skweezit", "main", cents_min=500, cents_max=500))
        assert the_problem(self.wager("skweezit", "main", cents_min=501, cents_max=500)) == (
            "the least main wager is 501 cents; 0 to 500 is allowed"
        )
        assert problems(self.wager("skweezit", "main", cents_min=40_001))
        assert problems(self.wager("skweezit", "main", cents_min=-1))

    @pytest.mark.parametrize("wager", ["insurance", "half_back", "double_action", ""])
    def test_a_limit_is_for_a_wager_of_the_game(self, wager: str) -> None:
        assert the_problem(self.wager("skweezit", wager, cents_max=500)) == (
            f"a limit names the wager {wager!r}; Skweezit Blackjack has main, skweezit"
        )

    @pytest.mark.parametrize("chip", [0, -50, 10**20])
    def test_the_smallest_chip_is_worth_something(self, chip: int) -> None:
        assert problems(self.limited("skweezit", PostedLimits(smallest_chip_cents=chip)))

    def test_an_aggregate_limit_covers_the_largest_wager_at_fifty_to_one(self) -> None:
        wager = "match_madness"
        good = self.wager("double_action_iii", wager, cents_max=2_500, aggregate_cents=125_000)
        low = self.wager("double_action_iii", wager, cents_max=2_500, aggregate_cents=124_999)
        compose(good)
        assert the_problem(low).startswith(
            "the aggregate limit of match_madness is $1,249.99; $1,250.00 to "
        )
        assert the_problem(low).endswith("(WAC 230-15-490)")

    def test_without_a_posted_maximum_the_states_counts_for_the_aggregate(self) -> None:
        wager = "double_action"
        compose(self.wager("double_action_iii", wager, aggregate_cents=2_000_000))
        assert problems(self.wager("double_action_iii", wager, aggregate_cents=1_999_999))

    @pytest.mark.parametrize(
        ("game", "wager"), [("half_back", "upcard_bonus"), ("half_back", "main")]
    )
    def test_odds_under_fifty_to_one_have_no_aggregate_limit(self, game: str, wager: str) -> None:
        assert the_problem(self.wager(game, wager, aggregate_cents=10**9)) == (
            f"{wager} may have no aggregate limit: its odds stay under 50 to 1 (WAC 230-15-490)"
        )

    @pytest.mark.parametrize("cents", [-1, 10**13, 10**30])
    def test_an_aggregate_limit_is_an_amount_that_exists(self, cents: int) -> None:
        assert problems(self.wager("skweezit", "skweezit", aggregate_cents=cents))

    def test_other_wagers_are_named_only_where_the_filing_has_them(self) -> None:
        compose(self.limited("skweezit", PostedLimits(other_wagers=("lucky_ladies",))))
        assert the_problem(self.limited("half_back", PostedLimits(other_wagers=("x",)))) == (
            "the filing of Half Back Blackjack has no other wagers; name none"
        )

    @pytest.mark.parametrize(
        "others", [("main",), ("skweezit",), ("insurance",), ("x", "x"), ("",), ("Two words",)]
    )
    def test_an_other_wager_has_a_name_of_its_own(self, others: tuple[str, ...]) -> None:
        assert the_problem(self.limited("skweezit", PostedLimits(other_wagers=others)))


class TestAllProblemsAtOnce:
    def test_every_problem_is_reported(self) -> None:
        wanted_spec = RuleSetSpec(
            game="half_back",
            decks=5,
            paytables={"skweezit": 1},
            house=HouseRules(late_surrender=True, read_confidence_min=2000),
            limits=PostedLimits(
                wagers={"main": WagerLimit(cents_max=50_000), "tip": WagerLimit()},
                smallest_chip_cents=0,
                other_wagers=("x",),
            ),
        )
        message = problems(wanted_spec)
        for word in (
            "5 decks",
            "'skweezit'",
            "late_surrender",
            "double_on",
            "read_confidence_min",
            "main wager",
            "'tip'",
            "smallest chip",
            "no other wagers",
        ):
            assert len([problem for problem in message if word in problem]) == 1, word
        assert len(message) == 9

    @pytest.mark.parametrize(
        ("wanted_spec", "where"),
        [
            (RuleSetSpec(game="half_back", decks=True, paytables={}), "$.decks"),
            (RuleSetSpec(game="skweezit", decks=6, paytables={"skweezit": True}), "$.paytables"),
            (
                RuleSetSpec(
                    game="skweezit",
                    decks=6,
                    paytables={"skweezit": 1},
                    house=HouseRules(insurance=1),  # type: ignore[arg-type]
                ),
                "$.house.insurance",
            ),
        ],
    )
    def test_a_field_of_the_wrong_type_is_named(self, wanted_spec: RuleSetSpec, where: str) -> None:
        message = the_problem(wanted_spec)
        assert message.startswith("the definition is malformed: ")
        assert where in message

    @given(
        game=st.sampled_from([*FILINGS, "other"]),
        decks=st.integers(-1, 10),
        paytables=st.dictionaries(
            st.sampled_from(["double_action", "match_madness", "skweezit", "dead_mans_hand", "x"]),
            st.integers(-1, 8),
        ),
        hands_max=st.integers(0, 5),
        resplit_aces=st.booleans(),
        cents_max=st.integers(-(10**6), 10**6),
        aggregate_cents=st.integers(-(10**30), 10**30),
        others=st.lists(st.text(max_size=3), max_size=3),
    )
    def test_any_spec_is_a_rule_set_with_a_hash_or_is_rejected_with_reasons(
        self,
        game: str,
        decks: int,
        paytables: dict[str, int],
        hands_max: int,
        resplit_aces: bool,
        cents_max: int,
        aggregate_cents: int,
        others: list[str],
    ) -> None:
        wanted_spec = RuleSetSpec(
            game=game,
            decks=decks,
            paytables=paytables,
            house=HouseRules(hands_max=hands_max, resplit_aces=resplit_aces),
            limits=PostedLimits(
                wagers={"main": WagerLimit(cents_max=cents_max, aggregate_cents=aggregate_cents)},
                other_wagers=tuple(others),
            ),
        )
        message: tuple[str, ...] = ()
        hashed = ""
        try:
            hashed = compose(wanted_spec).hash
        except NotFiled as rejected:
            message = rejected.problems
        assert (len(hashed) == 64) != bool(message)


class TestHashes:
    @pytest.mark.parametrize(
        ("wanted_spec", "pinned"),
        [
            (
                spec("double_action_iii", 6, DOUBLE_ACTION),
                "8355db82ad204d594a2464b835064d7012614788a201f2097e11e0f886b67d9d",
            ),
            (
                spec("match_madness", 1, MATCH_ME),
                "de0cbeaa3ddcf94a99f6afda5395d90a44e514817cbf48d12600e0889c034d50",
            ),
            (
                spec("skweezit", 8, {"skweezit": 1}),
                "8232da272a20513b3819d17035c3d42a8cd5cc80e4f925dea13b866ebb9e063a",
            ),
            (
                spec("dead_mans_hand", 2, {"dead_mans_hand": 4}),
                "e83bc09debcf86856fde4e5a9926d183d33db9d0d5d433724273b103852f93f8",
            ),
            (
                spec("half_back", 6, {"upcard_bonus": 3}, dealer_hits_soft_17=True),
                "d0f501c10f97e8ce06d4f92b576970f9ebc329064fc95c8f43292ecb489d15d2",
            ),
        ],
    )
    def test_a_hash_is_the_same_everywhere_and_for_ever(
        self, wanted_spec: RuleSetSpec, pinned: str
    ) -> None:
        assert compose(wanted_spec).hash == pinned

    def test_rule_sets_and_paytables_are_equal_by_content(self, tmp_path: Path) -> None:
        one, two = (compose(spec("skweezit", 6, {"skweezit": 1})) for _ in range(2))
        other = self.changed(tmp_path, '"100 to 1"', '"64 to 1"')
        assert {one, two} == {one}
        assert one not in {other}
        assert one.paytables["skweezit"] == two.paytables["skweezit"]
        assert {*other.paytables.values()}.isdisjoint(one.paytables.values())

    def test_the_order_of_a_wish_does_not_matter(self) -> None:
        one = {"main": WagerLimit(cents_max=500), "match_madness": WagerLimit(cents_max=100)}
        wanted_spec = [
            spec("double_action_iii", 6, paytables, limits=PostedLimits(wagers=wagers))
            for paytables in (DOUBLE_ACTION, dict(reversed(DOUBLE_ACTION.items())))
            for wagers in (one, dict(reversed(one.items())))
        ]
        assert len({compose(spec).hash for spec in wanted_spec}) == 1

    @pytest.mark.parametrize(
        "limits",
        [
            PostedLimits(smallest_chip_cents=100),
            PostedLimits(rounding=Rounding.FAVOUR_HOUSE),
            PostedLimits(wagers={"main": WagerLimit(cents_max=20_000)}),
            PostedLimits(other_wagers=("lucky_ladies",)),
        ],
    )
    def test_another_limit_is_another_rule_set(self, limits: PostedLimits) -> None:
        plain = compose(spec("skweezit", 6, {"skweezit": 1}))
        assert compose(spec("skweezit", 6, {"skweezit": 1}, limits=limits)).hash != plain.hash

    def changed(self, tmp_path: Path, old: str, new: str) -> RuleSet:
        text = (BUILT_IN / "skweezit.toml").read_text("utf-8")
        assert old in text
        (tmp_path / "skweezit.toml").write_text(text.replace(old, new), "utf-8")
        return compose(spec("skweezit", 6, {"skweezit": 1}), load(tmp_path))

    def test_a_figure_that_changes_changes_the_hash(self, tmp_path: Path) -> None:
        filed = compose(spec("skweezit", 6, {"skweezit": 1}))
        assert self.changed(tmp_path, '"100 to 1"', '"64 to 1"').hash != filed.hash

    def test_a_label_that_changes_does_not(self, tmp_path: Path) -> None:
        filed = compose(spec("skweezit", 6, {"skweezit": 1}))
        assert self.changed(tmp_path, '"Belly Skweezer"', '"Belly"').hash == filed.hash


class TestCatalogue:
    def test_a_catalogue_finds_by_hash_and_grows_without_changing(self) -> None:
        one, two = (
            compose(filed_spec) for filed_spec in list(filed_specs(FILINGS["skweezit"]))[:2]
        )
        empty = Catalogue()
        grown = empty.with_(one)
        assert grown.get(one.hash) is one
        assert one.hash in grown
        assert grown.get(two.hash) is None
        assert (len(empty), len(grown), len(grown.with_(two, one))) == (0, 1, 2)
        assert [*grown.with_(two)] == [one, two]

    def test_the_filed_catalogue_is_keyed_by_hash(self) -> None:
        assert all(FILED.get(rules.hash) is rules for rules in FILED)
