"""Analyses that were made before and are kept beside this module, as data.

A file is named by its rules' hash and the number of decks, and states everything it was made
from. Numbers are rounded to ten significant digits, so that a remake on another machine reads
the same; each edge states the largest error of that. `analysis_files` makes them.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

import msgspec
from msgspec import Struct

from odds.main_game.analysis import Analysis, FreeAce
from odds.main_game.analyzer import analyse
from odds.main_game.main_rules import MainRules
from odds.main_game.ranks import Ranks, ranks_of

FOLDER: Final[Traversable] = resources.files("odds.main_game").joinpath("tables")


class StrategyTables(Struct, frozen=True):
    """All that is kept of a game with a number of decks."""

    analysis: Analysis
    free_ace: FreeAce
    removal: tuple[float, ...]
    """By rank: the change of the edge when a card of it is gone."""


def file_name(rules: MainRules, decks: int) -> str:
    """Where the tables of these rules are kept."""
    return f"{rules.hash[:16]}-{decks}.json"


@cache
def kept_tables(rules: MainRules, decks: int) -> StrategyTables | None:
    """The kept tables of these rules, if there are any."""
    file = FOLDER.joinpath(file_name(rules, decks))
    if not file.is_file():
        return None
    return msgspec.json.decode(file.read_bytes(), type=StrategyTables)


def kept(rules: MainRules, decks: int) -> Analysis | None:
    """The kept analysis of these rules, if there is one."""
    tables = kept_tables(rules, decks)
    return tables.analysis if tables else None


@lru_cache(maxsize=64)
def analyse_or_kept(rules: MainRules, ranks: Ranks) -> Analysis:
    """The kept analysis of a full shoe, or one made now, which takes a second and is cached."""
    decks, odd = divmod(sum(ranks), 52)
    if not odd and ranks == ranks_of(decks):
        found = kept(rules, decks)
        if found is not None:
            return found
    return analyse(rules, ranks)
