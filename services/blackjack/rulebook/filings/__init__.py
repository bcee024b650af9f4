"""The filed games, read once from the data files beside this module.

A data file is the whole of a filing that a machine needs: decks, wagers, what each option
pays, which house rules are fixed, and the clause of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

from blackjack.rulebook.filings.file_format import CITED_IN_ANY_GAME
from blackjack.rulebook.filings.filing import (
    Dealing,
    FiledSideBet,
    Filing,
    HouseRequirement,
    MoreWagers,
    NoSuchClause,
    Paytable,
    PaytableRow,
    Settles,
)
from blackjack.rulebook.filings.loader import BadFiling, read_filing
from blackjack.rulebook.filings.paytables import parse_odds
from blackjack.settlement.side_bets import EVALUATORS, SideBet


def load(
    *folders: Traversable, evaluators: Mapping[str, SideBet] = EVALUATORS
) -> Mapping[str, Filing]:
    """Every filing in these folders, by game; `BadFiling` for the first that is none.

    A game is filed once: a second file for it is rejected, whichever folder it is in.
    """
    filings: dict[str, Filing] = {}
    for folder in folders:
        for file in sorted(folder.iterdir(), key=_name):
            if not file.name.endswith(".toml"):
                continue
            filing = read_filing(file.name, file.read_text(encoding="utf-8"), evaluators)
            if filing.game in filings:
                problem = f"{filing.game!r} is filed already"
                raise BadFiling(file=file.name, key="game", problem=problem)
            filings[filing.game] = filing
    return MappingProxyType(filings)


def _name(file: Traversable) -> str:
    return file.name


BUILT_IN: Final[Traversable] = resources.files(__name__)
"""The folder of the five filings."""

FILINGS: Final = load(BUILT_IN)
"""The five filed games, by game id."""

__all__ = [
    "BUILT_IN",
    "CITED_IN_ANY_GAME",
    "FILINGS",
    "BadFiling",
    "Dealing",
    "FiledSideBet",
    "Filing",
    "HouseRequirement",
    "MoreWagers",
    "NoSuchClause",
    "Paytable",
    "PaytableRow",
    "Settles",
    "load",
    "parse_odds",
]
