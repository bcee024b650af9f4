"""Expectations against answers: each kind can be met, and can fail."""

from __future__ import annotations

import pytest

from blackjack.findings import Finding, Withdrawal
from blackjack.hand_history import History, check, parse
from blackjack.outcomes import SettledRound
from blackjack.play.table import Table, fold

PLAYED = """
table BJ-01
rules double_action_iii decks 6 double_action 1 match_madness 2
shoe SH-1 decks 6
round R-1 at 2026-03-01T20:00:00Z
bet 1 main 10, match_madness 5, 2 main 10, 2 main 5 tip
no more bets
deal 1 AC, 2 TC, dealer 7H, 1 KD, 2 7C, dealer down ??
pay 1 main 20
2 stands
dealer shows ??
close round
"""

ROWS = """
expectation                                                  | met
1 main won 15.00                                             | yes
1 main natural won 15.00                                     | yes
1 main natural won                                           | yes
1 main natural won 15.00 payment wrong                       | yes
1 main natural won 20.00                                     | no
1 main win won 15.00                                         | no
1 main lost                                                  | no
1 main won 15.00 payment exact                               | no
1 main won 15.00 coupon 5.00                                 | no
1.2 main won 15.00                                           | no
1 main tip won 15.00                                         | no
1 main won 15.00 in R-2                                      | no
1 match_madness undetermined 0.00 to 30.00                   | yes
1 match_madness undetermined                                 | yes
1 match_madness undetermined 0.00 to 50.00                   | no
1 match_madness undetermined 5.00 to 30.00                   | no
2 main tip undetermined                                      | yes
round settled                                                | yes
round settled version 1                                      | yes
round settled version 2                                      | no
round void                                                   | no
round settled in R-2                                         | no
finding payout.overpaid                                      | yes
finding payout.overpaid seat 1 hand 1 wager main amount 5.00 | yes
finding payout.overpaid level P3 in R-1                      | yes
finding payout.overpaid seat 2                               | no
finding payout.overpaid amount 4.00                          | no
finding payout.overpaid withdrawn                            | no
finding payout.unpaid                                        | no
no findings                                                  | no
no findings in R-2                                           | yes
"""


def _settle(
    history: History,
) -> tuple[list[SettledRound], list[Finding], list[Withdrawal]]:
    _, steps = fold(Table.new("BJ-01"), history.events)
    return (
        [settled_round for step in steps for settled_round in step.rounds],
        [finding for step in steps for finding in step.findings],
        [withdrawal for step in steps for withdrawal in step.withdrawals],
    )


@pytest.mark.parametrize(
    ("expectation", "met"),
    [tuple(map(str.strip, row.split("|"))) for row in ROWS.strip("\n").split("\n")[1:]],
)
def test_an_expectation_is_met_or_not(expectation: str, met: str) -> None:
    history = parse(f"{PLAYED}expect {expectation}\n")
    assert history.problems == ()
    mismatches = check(history, *_settle(history))
    assert bool(mismatches) is (met == "no")
    assert {mismatch.line for mismatch in mismatches} <= {13}


def test_one_finding_meets_one_line() -> None:
    history = parse(f"{PLAYED}expect finding payout.overpaid\nexpect finding payout.overpaid\n")
    assert [mismatch.line for mismatch in check(history, *_settle(history))] == [14]


def test_the_stricter_line_chooses_first() -> None:
    lines = "expect finding payout.overpaid\nexpect finding payout.overpaid seat 1\n"
    history = parse(PLAYED + lines)
    (mismatch,) = check(history, *_settle(history))
    assert mismatch.line == 13


def test_complete_requires_every_finding() -> None:
    history = parse(PLAYED)
    answers = _settle(history)
    assert check(history, *answers) == ()
    (mismatch,) = check(history, *answers, complete=True)
    assert mismatch.line == 0
    assert "payout.overpaid" in mismatch.actual


def test_a_finding_is_complained_about_once() -> None:
    history = parse(f"{PLAYED}expect no findings\n")
    assert len(check(history, *_settle(history), complete=True)) == 1


def test_a_mismatch_states_the_result() -> None:
    history = parse(f"{PLAYED}expect 1 main won 20.00\n")
    (mismatch,) = check(history, *_settle(history))
    assert str(mismatch).startswith("line 13: expected 1 main won 20.00 in R-1, but it is natural")
