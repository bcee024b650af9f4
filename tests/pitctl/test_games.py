"""What can be played: every paytable is shown, and what is shown can be typed."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from blackjack.facts import RuleSetActivated
from blackjack.hand_history import parse
from blackjack.rulebook.filings import FILINGS
from blackjack.rulebook.rule_set import FILED, compose
from pitctl.odds.game_page import example_settings
from tests.pitctl.command import pitctl, rows_of

GAMES = sorted(FILINGS)
PAYTABLES = 81
"""Options at each number of decks, those that two wagers share counted once."""


def as_json(*arguments: str) -> list[dict[str, Any]]:
    result = pitctl("games", "--json", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    shown: list[dict[str, Any]] = json.loads(result.stdout)
    return shown


def test_the_overview_has_every_game_with_its_filing_and_a_line_to_type() -> None:
    result = pitctl("games")
    assert result.exit_code == 0
    for filing in FILINGS.values():
        assert filing.title in result.stdout
        assert filing.filing in result.stdout
    counts = [int(row.split()[1]) for row in rows_of(result.stdout, "filed ")]
    assert sum(counts) == PAYTABLES
    for row in rows_of(result.stdout, "write "):
        assert typed(row.removeprefix("write ")).rule_set in FILED


def typed(text: str) -> RuleSetActivated:
    history = parse(text)
    assert history.problems == ()
    fact = history.events[0].fact
    assert isinstance(fact, RuleSetActivated)
    return fact


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("columns", [80, 100])
def test_a_game_shows_all_its_paytables_within_the_terminal(game: str, columns: int) -> None:
    result = pitctl("games", game, columns=columns)
    assert result.exit_code == 0
    assert [line for line in result.stdout.splitlines() if len(line) > columns] == []
    for table in FILINGS[game].tables:
        assert table.hash[:12] in result.stdout
        assert table.clause in result.stdout
        for row in table.rows:
            assert rows_of(result.stdout, row.label)


def test_the_printed_odds_are_those_of_every_filed_paytable() -> None:
    """Read back from the page: a column of odds for each option and number of decks."""
    found = 0
    for game, filing in FILINGS.items():
        sections = re.split(r"^── (.+?) ─+$", pitctl("games", game).stdout, flags=re.MULTILINE)
        for title, body in zip(sections[1::2], sections[2::2], strict=True):
            if not body.startswith("\n  pays"):
                continue
            wager = wager_of(game, title)
            lines = body.split("\n\n")[0].strip().splitlines()
            heading, *rows = [re.split(r" {2,}", line.strip()) for line in lines]
            for decks in decks_of(title):
                for at, option in enumerate(heading[1:], start=1):
                    table = filing.paytable(wager, decks, int(option.removeprefix("option ")))
                    assert table is not None
                    printed = {row[0]: row[at] for row in rows}
                    for row in table.rows:
                        assert printed[row.label] == str(row.pays)
                    found += 1
    assert found == PAYTABLES


def wager_of(game: str, title: str) -> str:
    """The first of the wagers that a heading names."""
    side_bets = FILINGS[game].side_bets
    return next(wager for wager, each in side_bets.items() if title.startswith(each.title))


def decks_of(title: str) -> list[int]:
    """The numbers in a heading such as `Match Me and Match Me 2, 6 decks`."""
    match = re.search(r", (\d[\d, ]*) decks?$", title)
    assert match is not None
    return [int(each) for each in match[1].split(", ")]


def test_decks_narrow_what_is_shown() -> None:
    result = pitctl("games", "double_action_iii", "--decks", "5")
    assert "Double Action, 5 decks" in result.stdout
    assert "Double Action, 6 decks" not in result.stdout
    assert rows_of(result.stdout, "rules ")[0].startswith("rules double_action_iii decks 5 ")
    assert [each["game"] for each in as_json("--decks", "7")] == ["match_madness", "skweezit"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("skwezit",), "Did you mean skweezit?"),
        (("poker",), "filed are dead_mans_hand"),
        (("skweezit", "--decks", "3"), "filed are 2, 4, 5, 6, 7, 8"),
        (("--decks", "3"), "for any game filed are"),
    ],
)
def test_what_is_not_filed_is_refused_with_what_is(arguments: tuple[str, ...], says: str) -> None:
    result = pitctl("games", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert says in result.stderr


@pytest.mark.parametrize("game", GAMES)
def test_every_house_rule_shown_can_be_typed_and_composed(game: str) -> None:
    (shown,) = as_json(game)
    for rule in shown["house_rules"]:
        chosen = {text.rpartition(" ")[::2] for text in rule["paytables"]}
        fitting = next(
            each
            for each in shown["rule_sets"]
            if not chosen
            or {(wager, str(option)) for wager, option in each["paytables"].items()} & chosen
        )
        for words in (rule["standard"], *rule["others"]):
            fact = typed(f"{fitting['hand_history']}\n  {words.removesuffix(' to 1000')}")
            assert fact.definition is not None
            assert compose(fact.definition).hash == fact.rule_set
        standard = typed(f"{fitting['hand_history']}\n  {rule['standard']}")
        assert standard.rule_set == fitting["hash"]


@pytest.mark.parametrize("game", GAMES)
def test_the_example_can_be_typed_and_composed(game: str) -> None:
    (shown,) = as_json(game)
    lines = [shown["rule_sets"][0]["hand_history"], *example_settings(FILINGS[game])]
    fact = typed("\n  ".join(lines))
    assert fact.definition is not None
    assert compose(fact.definition).hash == fact.rule_set


def test_a_rule_that_the_filing_fixes_names_its_clause() -> None:
    result = pitctl("games", "half_back")
    assert rows_of(result.stdout, "no late surrender") == ["no late surrender fixed (Rules 19)"]
    assert rows_of(result.stdout, "no resplit aces") == ["no resplit aces resplit aces"]


def test_a_rule_that_some_paytables_fix_names_them() -> None:
    result = pitctl("games", "dead_mans_hand")
    assert rows_of(result.stdout, "resplit aces") == [
        "resplit aces fixed with dead_mans_hand 4, dead_mans_hand 5 (House Rules for Paytables"
    ]


def test_the_json_list_has_every_game_paytable_and_rule_set() -> None:
    shown = as_json()
    assert [each["game"] for each in shown] == list(FILINGS)
    combinations = {
        (game["game"], table["wagers"][0], decks, table["option"])
        for game in shown
        for table in game["paytables"]
        for decks in table["decks"]
    }
    assert len(combinations) == PAYTABLES
    hashes = {rule_set["hash"] for game in shown for rule_set in game["rule_sets"]}
    assert hashes == {each.hash for each in FILED}
    for game in shown:
        for rule_set in game["rule_sets"]:
            assert typed(rule_set["hand_history"]).rule_set == rule_set["hash"]
