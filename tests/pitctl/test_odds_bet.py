"""`pitctl odds bet`: one wager, from a full shoe or from what is left of it."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.odds.independent import brute
from tests.odds.independent.cards import shoe_of
from tests.pitctl.command import pitctl, process, rows_of


def bet(*arguments: str) -> dict[str, Any]:
    result = pitctl("odds", "bet", *arguments, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    shown: dict[str, Any] = json.loads(result.stdout)
    return shown


def test_a_full_shoe_is_what_the_certificate_says() -> None:
    certified = json.loads(pitctl("certify", "--json", "--game", "skweezit", "--decks", "8").stdout)
    found = bet("skweezit", "--decks", "8")
    assert found["edge"] == certified[0]["edge"]
    assert found["outcomes"] == certified[0]["outcomes"]


def test_cards_that_have_left_are_left_out() -> None:
    found = bet("skweezit", "--decks", "2", "--without", "AS, 2xKD 7c")
    assert sum(found["shoe"]) == 100
    assert found["shoe"][12 + 13] == 0


def test_a_shoe_may_be_said_card_by_card_or_as_counts() -> None:
    by_name = bet("skweezit", "--shoe", "3C 4D=2 3x5H KS TD")
    counts = ",".join(map(str, by_name["shoe"]))
    assert bet("skweezit", "--shoe", counts)["edge_fraction"] == by_name["edge_fraction"]
    cards = [2, 16, 16, 30, 30, 30, 51, 22]
    law = brute.law(shoe_of(*cards), 3, brute.skweezit)
    shown = {o["name"]: Fraction(o["probability_fraction"]) for o in by_name["outcomes"]}
    assert shown == {name: law.get(name, Fraction()) for name in shown}


def test_the_only_side_bet_of_a_game_need_not_be_named() -> None:
    assert bet("half_back", "--option", "3")["wager"] == "upcard_bonus"


def test_house_rules_are_said_in_words() -> None:
    plain = bet("dead_mans_hand", "--option", "1")
    assert (
        bet("dead_mans_hand", "--option", "1", "--rule", "dealer hits soft 17")["edge"]
        == (plain["edge"])
    )


def test_a_person_reads_rows_edge_and_deviation() -> None:
    result = pitctl("odds", "bet", "match_madness", "match_me_2", "--decks", "1")
    assert rows_of(result.stdout, "house edge") == ["house edge 10.1800720288%"]
    assert "Match Me 2, option 1 for 1 deck" in result.stdout
    assert "a full shoe of 1 deck, 52 cards" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("poker",), "filed are dead_mans_hand"),
        (
            ("double_action_iii",),
            "Missing wager: double_action_iii has double_action, match_madness",
        ),
        (("skweezit", "main"), 'Invalid wager "main": skweezit has skweezit'),
        (("skweezit", "--decks", "3"), "filed are 2, 4, 5, 6, 7, 8"),
        (("skweezit", "--option", "2"), "Invalid option 2: skweezit at 6 decks has 1"),
        (("skweezit", "--shoe", "AS"), "the shoe has 1 card, and 3 may be needed"),
        (("skweezit", "--shoe", "1F"), "is not a card"),
        (("skweezit", "--shoe", "1 " * 51), "51 counts; a shoe has 52"),
        (("skweezit", "--shoe", "2xAS=3"), "is not a card"),
        (("skweezit", "--without", "7xAS"), "7 AS cannot leave it: it has 6"),
        (("skweezit", "--shoe", "9999xAS 9999xKS"), "at most 10000"),
        (("skweezit", "--rule", "late surrendr"), "did you mean 'late surrender'?"),
        (("dead_mans_hand", "--option", "4", "--rule", "no resplit aces"), "requires True"),
    ],
)
def test_what_cannot_be_said_is_refused_with_what_can(
    arguments: tuple[str, ...], says: str
) -> None:
    result = pitctl("odds", "bet", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr


def test_a_terminal_without_signs_and_a_full_disk_are_no_crash() -> None:
    printed = process("certify", "--game", "skweezit", PYTHONIOENCODING="latin-1")
    assert printed.returncode == 0
    assert b'if "Suited belly Skweezer" paid 64 to 1' in printed.stdout
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "pitctl", "certify", "--game", "skweezit"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"pitctl: the output could not be written")
