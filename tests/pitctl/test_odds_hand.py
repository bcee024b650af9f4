"""`pitctl odds strategy` and `pitctl odds coupon`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from odds.main_game import Move, Start
from pitctl.odds.strategy_chart import UP_CARDS, chart_of
from tests.pitctl.command import pitctl, rows_of


def asked(*arguments: str) -> dict[str, Any]:
    result = pitctl("odds", *arguments, "--json")
    assert result.exit_code == 0
    shown: dict[str, Any] = json.loads(result.stdout)
    return shown


def codes(output: str, name: str) -> list[str]:
    """A line of a chart, as it is printed."""
    found = [row.removeprefix(name).split() for row in rows_of(output, f"{name} ")]
    return next(row for row in found if len(row) == len(UP_CARDS))


def test_a_chart_shows_what_every_player_knows() -> None:
    printed = pitctl("odds", "strategy", "skweezit").stdout
    assert codes(printed, "16") == ["S"] * 5 + ["H"] * 5
    assert codes(printed, "11") == ["D"] * 9 + ["H"]
    assert codes(printed, "8 8") == ["P"] * 10
    assert codes(printed, "A 7") == ["S", "Ds", "Ds", "Ds", "Ds", "S", "S", "H", "H", "H"]
    assert codes(printed, "T T") == ["S"] * 10


def test_the_page_says_what_the_hand_is_worth() -> None:
    printed = pitctl("odds", "strategy", "skweezit").stdout
    assert rows_of(printed, "house edge") == ["house edge 0.4029% of the main wager"]
    assert rows_of(printed, "insurance") == ["insurance 7.3955% edge"]
    assert [line for line in printed.splitlines() if len(line) > 100] == []


def test_half_back_takes_its_wager_back() -> None:
    printed = pitctl("odds", "strategy", "half_back").stdout
    assert codes(printed, "16") == ["Bs"] * 5 + ["B"] * 5
    assert "% of both wagers" in printed
    assert "B take the Half Back wager back, then hit" in printed


def test_one_decision_has_the_value_of_each_move() -> None:
    found = asked("strategy", "skweezit", "--hand", "10 6", "--up", "K")
    (start,) = found["starts"]
    assert (start["cards"], start["up"], start["best"]) == (["6", "T"], "T", "hit")
    assert start["values"]["hit"] > start["values"]["stand"] > start["values"]["double"]


def test_a_program_gets_the_whole_analysis() -> None:
    found = asked("strategy", "skweezit", "--decks", "8")
    assert abs(found["edge"] - 0.0043058) < 1e-6
    assert abs(sum(each["probability"] for each in found["net"]) - 1) < 1e-8
    assert abs(sum(found["first_hand"].values()) - 1) < 1e-8
    assert len(found["starts"]) >= 550
    assert found["effects_of_removal"][4] < 0 < found["effects_of_removal"][0]


def test_cards_that_have_left_change_the_hand() -> None:
    """Without fives the house is worse off; such a shoe is worked out anew."""
    result = pitctl("odds", "strategy", "skweezit", "--decks", "2", "--without", "5S 5H", "--json")
    assert "computing, which takes a few seconds" in result.stderr
    shown = json.loads(result.stdout)
    assert sum(shown["ranks"]) == 102
    assert shown["edge"] < asked("strategy", "skweezit", "--decks", "2")["edge"]
    assert shown["effects_of_removal"] is None


def test_two_cards_that_differ_from_their_total_are_listed() -> None:
    def start(low: int, high: int, probability: float, stand: float, hit: float) -> Start:
        best = Move.STAND if stand > hit else Move.HIT
        return Start(low, high, 4, False, probability, 1.0, best, stand, hit)

    chart = chart_of([start(2, 10, 0.1, -0.20, -0.19), start(3, 9, 0.9, -0.18, -0.19)])
    (row,) = chart.hard
    assert (row.name, row.codes[UP_CARDS.index(4)]) == ("12", "S")
    (exception,) = chart.exceptions
    assert (exception.start.low, exception.code, exception.chart) == (2, "H", "S")
    assert exception.gain == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("strategy", "match_madness"), "has no blackjack hand"),
        (("strategy", "skweezit", "--hand", "T"), "name two cards"),
        (("strategy", "skweezit", "--hand", "T 1"), "Invalid card"),
        (("strategy", "skweezit", "--decks", "3"), "filed are 2, 4"),
        (("strategy", "half_back", "--rule", "late surrender"), "requires False"),
        (("coupon", "skweezit", "match_plays", "5"), "did you mean 'match_play'?"),
        (("coupon", "skweezit", "match_play", "much"), 'Invalid amount "much"'),
        (("coupon", "skweezit", "point_multiplier", "5.00"), "pays nothing at the table"),
        (("coupon", "match_madness", "match_play", "5.00"), "no main wager"),
        (("coupon", "skweezit", "free_ace"), "state the stake"),
        (("coupon", "skweezit", "match_play", "5.00", "--option", "9"), "is for a side bet"),
        (("coupon", "skweezit", "match_play", "5.00", "--term", "push lost\nname x"), "one line"),
        (("strategy", "skweezit", "--rule", "\nopen table"), "one line"),
        (("coupon", "skweezit", "free_bet", "5.00", "--wager", "skwezit"), "is no wager of"),
    ],
)
def test_what_cannot_be_said_is_refused_with_what_can(
    arguments: tuple[str, ...], says: str
) -> None:
    result = pitctl("odds", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr


def test_pages_say_which_rules_and_terms_they_are_for() -> None:
    coupon = ("odds", "coupon", "skweezit", "match_play", "5.00", "--term", "push lost")
    assert rows_of(pitctl(*coupon).stdout, "terms") == [
        "terms pays 1 to 1, natural pays 1 to 1, push lost, match required"
    ]
    rules = ("--rule", "dealer hits soft 17")
    assert "dealer hits soft 17\n" in pitctl("odds", "strategy", "skweezit", *rules).stdout
    assert "standard house rules\n" in pitctl("odds", "strategy", "skweezit").stdout


def test_a_coupon_is_said_in_dollars_and_as_a_share() -> None:
    printed = pitctl("odds", "coupon", "skweezit", "match_play", "25.00").stdout
    assert rows_of(printed, "total cost") == ["total cost $11.8822, 47.5290% of its face"]


def test_a_coupon_for_a_program() -> None:
    found = asked("coupon", "skweezit", "free_bet", "10.00", "--term", "push lost")
    assert (found["kind"], found["face_cents"]) == ("free_bet", 1000)
    assert found["cents"] == found["round_cents"]


def test_a_free_ace_is_a_part_of_the_wager_beside_it() -> None:
    found = asked("coupon", "half_back", "free_ace", "--stake", "25.00", "--decks", "8")
    assert found["stake_cents"] == 2500
    assert found["share"] == pytest.approx(found["cents"] / 2500)
