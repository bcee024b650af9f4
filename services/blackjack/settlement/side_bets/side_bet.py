"""A side bet evaluator: the roles it looks at, and one pure judgment."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from msgspec import Struct

LOSS: Final = "loss"
"""The outcome of a losing wager. It is never a row of a paytable."""


class SideBetRole(StrEnum):
    """What an evaluator may look at; the table fills the roles as the round goes on."""

    FIRST = "first"
    SECOND = "second"
    THIRD = "third"
    UP = "up"
    """The dealer's up card as first dealt, whether or not it is replaced later."""
    REPLACEMENT = "replacement"
    HOLE = "hole"
    MATCH_ME = "match_me"
    MATCH_ME_2 = "match_me_2"
    DEALER_BLACKJACK = "dealer_blackjack"
    """Whether the dealer has blackjack; `None` while it may still come out."""
    SPLIT = "split"
    """Whether the spot's first pair was split."""
    SETS = "sets"
    """Two-card A-8 hands of the spot; `None` until the spot's play is over."""


class SideBet(Struct, frozen=True):
    """One evaluator.

    `judge` takes one positional value for each of `roles`, `None` while it is not dealt
    or decided, and returns one of `outcomes`, `LOSS`, or `None` while it is undecided.
    `outcomes` run from the lowest to the highest; a hand that is several of them is the
    highest only.
    """

    evaluator: str
    roles: tuple[SideBetRole, ...]
    outcomes: tuple[str, ...]
    judge: Callable[..., str | None]
