"""The clause of a judgment: every judgment cites the filing, the State's rule or our convention."""

from __future__ import annotations

from typing import Final

from blackjack.rulebook.rule_set import RuleSet
from blackjack.rulebook.state_rules import VIDEO_RULE

_CLAUSE_OF_OUTCOME: Final = {
    "win": "compare",
    "loss": "compare",
    "dealer_bust": "compare",
    "blackjack_push": "natural_push",
}
_FALLBACK: Final = {"natural_push": "dealer_blackjack"}

NEVER_GUESSED: Final = "convention: a card not read is never guessed"


def cite(rules: RuleSet, key: str) -> str:
    """The game and the clause of its filing; the clause on the game itself if it has no other."""
    citations = rules.filing.citations
    return citations.get(key) or citations.get(_FALLBACK.get(key, "game")) or citations["game"]


def cite_outcome(rules: RuleSet, outcome: str) -> str:
    """The clause that decides how a blackjack hand ended."""
    if outcome == "ruled_for_player":
        return VIDEO_RULE
    return cite(rules, _CLAUSE_OF_OUTCOME.get(outcome, outcome))
