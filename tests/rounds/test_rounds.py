"""Golden rounds: hand histories written from the filings, settled by the engine.

Each `.bj` file beside this module cites its clause or names its case in the first remark,
and states the expected results. No other finding than those of `expect finding` lines may be made.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from blackjack.findings import Finding, Withdrawal
from blackjack.hand_history import History, Mismatch, check, parse, print_history
from blackjack.outcomes import SettledRound
from blackjack.play.table import Table, fold

ROUNDS = sorted(Path(__file__).parent.glob("*.bj"))
GAMES = ("double_action_iii", "match_madness", "skweezit", "dead_mans_hand", "half_back")


def settle(history: History) -> tuple[Mismatch, ...]:
    """What the engine makes of a history, against what the history expects."""
    rounds: list[SettledRound] = []
    findings: list[Finding] = []
    withdrawals: list[Withdrawal] = []
    for name in dict.fromkeys(event.table for event in history.events):
        events = [event for event in history.events if event.table == name]
        for step in fold(Table.new(name), events)[1]:
            rounds += step.rounds
            findings += step.findings
            withdrawals += step.withdrawals
    return check(history, rounds, findings, withdrawals, complete=True)


@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: path.stem)
def test_the_engine_settles_it_by_the_filing(path: Path) -> None:
    history = parse(path.read_text("utf-8"))
    assert history.problems == ()
    assert history.expectations
    assert [str(mismatch) for mismatch in settle(history)] == []


@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: path.stem)
def test_it_is_the_same_when_printed(path: Path) -> None:
    history = parse(path.read_text("utf-8"))
    text = print_history(history.events, history.expectations)
    again = parse(text)
    assert again.problems == ()
    assert (again.events, again.expectations) == (history.events, history.expectations)
    assert print_history(again.events, again.expectations) == text


@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: path.stem)
def test_it_cites_its_clause_first(path: Path) -> None:
    assert path.read_text("utf-8").startswith("// ")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_golden_rounds(game: str) -> None:
    assert len([path for path in ROUNDS if path.stem.startswith(f"{game}-")]) >= 6


def test_a_wrong_expectation_is_reported() -> None:
    """Otherwise the golden rounds could not fail."""
    text = (Path(__file__).parent / "skweezit-rows.bj").read_text("utf-8")
    history = parse(text.replace("skweezer won 5.00", "skweezer won 6.00"))
    (mismatch,) = settle(history)
    assert mismatch.expected == "1 skweezit skweezer won 6.00 in R-1"
    assert "owed $5.00" in mismatch.actual
