"""Who may ask, and who may change something.

Other services ask for themselves; the console asks for a person, who must have a role; whoever
works at the machine itself shows an operator's certificate. To publish a rule set or to empty the
index is for administrators and operators.
"""

from __future__ import annotations

from typing import Final

from runtime.rpc.access import Access, Policy

READERS: Final = frozenset({"surveillance", "accounting", "auditor", "pit", "administrator"})
_CONSOLE: Final = frozenset({"service/console"})
_OPERATORS: Final = frozenset({"operator/*"})
ASK: Final = Access(peers=_CONSOLE, roles=READERS, trusted={"service/*", *_OPERATORS})
CHANGE: Final = Access(peers=_CONSOLE, roles={"administrator"}, trusted=_OPERATORS)

_SERVICE: Final = "/casino.settlement.v1.SettlementService/"
_ASKING: Final = (
    "GetRound", "FindRounds", "FindFindings", "ReplayRound", "Watch", "ListRuleSets", "GetStatus",
    "FindDeadLetters",
)  # fmt: skip
_CHANGING: Final = ("PublishRuleSet", "Rebuild")
POLICY: Final[Policy] = {
    **{_SERVICE + method: ASK for method in _ASKING},
    **{_SERVICE + method: CHANGE for method in _CHANGING},
}
