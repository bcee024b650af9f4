"""A copy of the state has every field of the original, and shares nothing that changes in place."""

from __future__ import annotations

from typing import Any

import pytest

from blackjack.cards.card import DECK
from blackjack.cards.hand import Hand
from blackjack.cards.shoe import Shoe
from blackjack.facts import CardDealt, ShoeKind
from blackjack.outcomes import RoundContext
from blackjack.play.round import Round
from blackjack.play.state import TableState
from blackjack.play.tray import Tray
from blackjack.play.wagers import Wager
from blackjack.rulebook.rule_set import FILED
from tests.plain import fields, plain

NOT_COPIED = {"event", "found", "rounds", "withdrawn", "plans"}
"""Outputs of the event being applied, and fields that the rule set alone determines."""

REPLACED_WHOLE = {"patrons", "terms", "devices", "faulted", "mismatches", "debits"}
"""Containers that are never changed in place, so that copies may share them."""


def a_round() -> Round:
    context = RoundContext("", "", "", (), "", ShoeKind.SHOE, 6, (0,) * 52, 0, True)
    return Round(name="R", rules=None, context=context, opened_at=1, first_seq=2)


def originals() -> list[Any]:
    return [TableState("T", FILED), a_round(), Hand(3, 2), Wager((1, 2, "main", True), 500), Shoe(),
            Tray()]  # fmt: skip


def changed(value: Any, name: str) -> Any:
    """Something else of the same kind, so that a field left out of the copy shows."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 7
    if isinstance(value, str):
        return value + "x" if not isinstance(value, ShoeKind) else ShoeKind.CONTINUOUS
    if isinstance(value, bytes):
        return value + b"x"
    if isinstance(value, frozenset | set):
        return type(value)({"x"})
    special = {
        "hands": {1: [Hand(1)]},
        "wagers": {(1, 1, "main", False): Wager((1, 1, "main", False), 5)},
        "strays": {(2, 1, "main", False): Wager((2, 1, "main", False), 0)},
        "firsts": {1: [DECK[0]]},
        "early": ((CardDealt(1, None), None),),
        "dealer": Hand(0, 9),
        "shoe": Shoe("s", 2),
        "tray": Tray(),
        "plan": [1, 2],
        "cards": [DECK[5]],
        "seen": [3] * 52,
    }
    if name in special:
        return special[name]
    if isinstance(value, dict):
        return {"x": "y"}
    if isinstance(value, list):
        return [*value, 1]
    if isinstance(value, tuple):
        return (*value, DECK[1])
    return DECK[2] if value is None and name in ("last", "original_up") else value


@pytest.mark.parametrize("original", originals(), ids=lambda each: type(each).__name__)
def test_a_fork_has_every_field_and_shares_none_that_changes(original: Any) -> None:
    for name in fields(original):
        if name not in NOT_COPIED:
            setattr(original, name, changed(getattr(original, name), name))
    copy = original.fork()
    for name in fields(original):
        if name in NOT_COPIED:
            continue
        mine, theirs = getattr(original, name), getattr(copy, name)
        assert plain(mine) == plain(theirs), name
        if isinstance(mine, dict | list | set) and name not in REPLACED_WHOLE:
            assert mine is not theirs, name
