"""The specification is true: its examples are read and settled, its tables are complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from blackjack import hand_history
from blackjack.findings import Kind
from blackjack.hand_history import parse, print_history
from blackjack.hand_history.parser import LEADS
from blackjack.hand_history.settings import HOUSE, LIMITS, TERMS
from tests.hand_history.strategies import FACTS
from tests.rounds.test_rounds import settle

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "hand-history.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```bj\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)
FRAGMENTS = re.findall(r"^```bj-fragment\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)
ROWS = re.findall(r"^\| `(.*)` \| `(.*)` \| ([A-Z]\w+) \|$", PAGE, flags=re.MULTILINE)
SHORT = re.findall(r"^\| (`.*`) \| .* \|$", PAGE.split("Shorter forms")[1].split("###")[0], re.M)
GAMES = ("double_action_iii", "match_madness", "skweezit", "dead_mans_hand", "half_back")


def test_there_is_an_example_of_every_game() -> None:
    for game in GAMES:
        assert any(f"\nrules {game} " in example for example in EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_settled_to_the_cent_as_expected(example: str) -> None:
    history = parse(example)
    assert history.problems == ()
    assert [str(mismatch) for mismatch in settle(history)] == []


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_a_fragment_can_be_read(fragment: str) -> None:
    assert parse(fragment).problems == ()


@pytest.mark.parametrize(("example", "fact"), [row[1:] for row in ROWS])
def test_the_example_of_a_form_is_that_fact(example: str, fact: str) -> None:
    history = parse(example)
    assert history.problems == ()
    assert {type(event.fact).__name__ for event in history.events} == {fact}
    assert parse(print_history(history.events)).events == history.events


def test_the_tables_list_every_fact_once() -> None:
    assert sorted(fact for _, _, fact in ROWS) == sorted(kind.__name__ for kind in FACTS)


def test_the_short_forms_can_be_read() -> None:
    lines = [line for cell in SHORT for line in re.findall("`(.*?)`", cell)]
    assert len(lines) >= 11
    assert parse("\n".join(lines)).problems == ()


def test_the_page_names_every_setting_and_every_line() -> None:
    words = [option.lead for option in (*HOUSE, *LIMITS, *TERMS)]
    assert [lead for lead in (*words, *LEADS) if f"`{lead}" not in PAGE] == []


def test_the_package_exports_what_it_has() -> None:
    assert [name for name in hand_history.__all__ if not hasattr(hand_history, name)] == []


def test_the_page_s_findings_exist() -> None:
    named = set(re.findall(r"expect finding ([a-z_.]+)", PAGE))
    assert named <= {kind.value for kind in Kind}
