"""Tables of the main game to bet by: those of a table's own rules, or the nearest that are kept.

An analysis takes seconds, and nobody waits for one here. Tickets are fair by whatever table
they are made, since their average is always worked out from the shoe itself; a table of
slightly other rules only makes them a little less telling.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from blackjack.rulebook.rule_set import FILED, RuleSet
from odds.main_game import MainRules, StrategyTables, kept_tables

DECKS: Final = 6
"""Every filed game can be played with so many."""


@lru_cache(maxsize=1024)
def tables_for(rules: RuleSet) -> StrategyTables:
    """Those of the rule set, or else of its game with standard house rules and six decks."""
    own = kept_tables(MainRules.of(rules), rules.spec.decks)
    return own or _standard(rules.spec.game)


def _standard(game: str) -> StrategyTables:
    for filed in FILED:
        if filed.spec.game == game and filed.spec.decks == DECKS:
            tables = kept_tables(MainRules.of(filed), DECKS)
            if tables is not None:
                return tables
    raise LookupError(f"no tables are kept for {game}")
