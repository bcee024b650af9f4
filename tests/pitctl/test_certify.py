"""`pitctl certify`: every certificate, for a person, a program or a file."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from odds.printed import PRINTED
from tests.odds.independent.edges import prices
from tests.pitctl.command import pitctl, process, rows_of


def certificates(*arguments: str) -> list[dict[str, Any]]:
    result = pitctl("certify", "--json", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    shown: list[dict[str, Any]] = json.loads(result.stdout)
    return shown


def test_the_json_list_has_all_certificates_with_the_independent_figures() -> None:
    found = {(c["game"], c["wager"], c["decks"], c["option"]): c for c in certificates()}
    assert len(found) == 81
    for (game, wager, decks, option), price in prices().items():
        shown = found[game, wager, decks, option]
        assert abs(shown["edge"] - float(price.edge)) < 1e-12
        assert Fraction(shown["edge_fraction"]) == price.edge
        assert abs(shown["standard_deviation"] - sqrt(price.variance)) < 1e-12
        chances = [Fraction(each["probability_fraction"]) for each in shown["outcomes"]]
        assert sum(chances) == Fraction(shown["hit_fraction"])
        for each in shown["outcomes"]:
            assert abs(each["probability"] - Fraction(each["probability_fraction"])) < 1e-14


def test_decimals_are_written_to_ten_places_and_more() -> None:
    text = pitctl("certify", "--json", "--game", "skweezit", "--decks", "6").stdout
    assert '"edge": 0.042014473442749' in text
    assert re.search(r'"standard_deviation": 3\.4708304724\d{5}\b', text)


def test_a_certificate_says_what_is_printed_and_what_is_wrong_with_it() -> None:
    (found,) = certificates("--game", "match_madness", "--decks", "7", "--option", "1")
    assert found["wagers"] == ["match_me", "match_me_2"]
    assert (found["printed_edge"], found["printed_edge_text"]) == (0.10883, "10.883%")
    assert found["verdict"] == "misprint"
    assert found["explanation"] == (
        "House edge printed 10.883%, exact 9.96399%: it agrees if “Triple match” paid 100 to 1, "
        "not the filed 125 to 1; 100 to 1 is filed for it elsewhere."
    )
    assert len(found["paytable_hash"]) == 64


def test_a_misprinted_rate_is_explained_though_the_edge_is_right() -> None:
    (found,) = certificates(
        "--game", "double_action_iii", "--wager", "match_madness", "--decks", "6", "--option", "1"
    )
    assert found["verdict"] == "agrees"
    assert "Total hit percentage printed 20.29%, exact 20.6476%" in found["explanation"]
    assert found["misprints"] == 2


def test_a_figure_that_is_near_is_not_passed_over() -> None:
    """Off in the last digit is not exact, and is said where people and programs look."""
    (found,) = certificates(
        "--game", "double_action_iii", "--wager", "double_action", "--decks", "6", "--option", "1"
    )
    assert (found["verdict"], found["misprints"]) == ("agrees", 0)
    assert "Total hit rate printed 4.42, exact one in 4.4110." in found["explanation"]
    overview = pitctl("certify", "--game", "double_action_iii").stdout
    assert rows_of(overview, "6 1 3.120%")[0].endswith("agrees 2 near")


def test_nothing_printed_is_nothing_wrong() -> None:
    for found in certificates("--game", "half_back"):
        assert found["verdict"] == "not printed"
        assert (found["printed_edge"], found["explanation"], found["printed_figures"]) == (
            None,
            "",
            [],
        )


@pytest.mark.parametrize("columns", [80, 100])
def test_the_overview_has_a_line_for_each_and_sums_up(columns: int) -> None:
    result = pitctl("certify", columns=columns)
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert sum(bool(line) and line[0].isdigit() and "%" in line[2] for line in lines) == 81
    assert rows_of(result.stdout, "81 certificates") == [
        "81 certificates; printed edges: 37 agrees, 15 near, 17 misprint, 12 not printed"
    ]
    assert [line for line in result.stdout.splitlines() if len(line) > columns] == []


def test_the_printed_figures_are_counted_once_each() -> None:
    figures = sum(map(len, PRINTED.values()))
    assert f"{figures} printed figures, 59 of them misprinted" in pitctl("certify").stdout


@pytest.mark.parametrize("columns", [80, 100, 120])
def test_a_full_certificate_fits_the_terminal(columns: int) -> None:
    result = pitctl("certify", "--game", "skweezit", "--decks", "6", columns=columns)
    assert rows_of(result.stdout, "house edge ")[0] == "house edge 4.2014473443%"
    assert [line for line in result.stdout.splitlines() if len(line) > columns] == []


def test_misprints_alone_can_be_asked_for() -> None:
    found = certificates("--misprints")
    assert len(found) == 29
    assert all(each["misprints"] for each in found)


def test_several_games_may_be_named() -> None:
    found = certificates("--game", "skweezit", "--game", "half_back")
    assert {each["game"] for each in found} == {"skweezit", "half_back"}


def test_full_prints_every_certificate_with_its_rows() -> None:
    result = pitctl("certify", "--game", "skweezit", "--full")
    assert len(rows_of(result.stdout, "Suited belly Skweezer")) == 6


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--game", "skwezit"), "Did you mean skweezit?"),
        (("--decks", "3"), "nothing filed matches"),
        (("--json", "--format", "pdf"), "contradict each other"),
        (("--format", "pdf", "--dated", "1 March"), "Invalid --dated"),
        (("--wager", "insurance"), "nothing filed matches"),
        (("--output", "/nowhere/at/all.json"), "name a file that can be written"),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_to_do(
    arguments: tuple[str, ...], says: str
) -> None:
    result = pitctl("certify", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr


def test_a_file_is_written_where_one_is_named(tmp_path: Path) -> None:
    result = pitctl("certify", "--json", "--game", "skweezit", "--output", tmp_path / "c.json")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "6 certificates" in result.stderr
    assert len(json.loads((tmp_path / "c.json").read_bytes())) == 6


def test_the_same_bytes_come_out_whatever_the_hash_seed() -> None:
    printed = {process("certify", "--json", PYTHONHASHSEED=seed).stdout for seed in ("1", "2")}
    assert len(printed) == 1
