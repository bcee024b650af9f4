"""The open hand history for blackjack: a text that a person types and a machine reads.

    hand history 1
    table BJ-07
    rules skweezit decks 6 skweezit 1
    round R-17 at 2026-03-01T20:15:00Z
    bet 1 main 25.00, 1 skweezit 5.00
    no more bets
    deal 1 TH, dealer 8D, 1 3C, dealer down KS
    pay 1 skweezit 5.00
    1 hits 5C
    ...
    expect 1 skweezit skweezer won 5.00

Every line is one fact or a few, in the order they happened. `parse` reads any text and
returns problems as values; `print_history` writes any events so that `parse` gives
them back; `check` holds what a text expects against what the engine found.
`docs/hand-history.md` is the specification.
"""

from __future__ import annotations

from blackjack.hand_history.checks import check
from blackjack.hand_history.context import START_US, STEP_US
from blackjack.hand_history.model import (
    Expectation,
    ExpectedFinding,
    ExpectedNoFindings,
    ExpectedOutcome,
    ExpectedStatus,
    History,
    Mismatch,
    Problem,
)
from blackjack.hand_history.parser import VERSION, parse
from blackjack.hand_history.printer import print_history

__all__ = [
    "START_US",
    "STEP_US",
    "VERSION",
    "Expectation",
    "ExpectedFinding",
    "ExpectedNoFindings",
    "ExpectedOutcome",
    "ExpectedStatus",
    "History",
    "Mismatch",
    "Problem",
    "check",
    "parse",
    "print_history",
]
