"""Who may ask, and who may change something.

Other services ask for themselves; the console asks for a person, who must have a role; whoever
works at the machine itself shows an operator's certificate. To publish a rule set or to empty the
index is for administrators and operators.

What would tell a hole card before it is shown is for those who watch the game, not for those who
run it: see `may_see_hidden`.
"""

from __future__ import annotations

from typing import Final

from runtime.rpc.access import Access, Policy
from runtime.rpc.calls import current_call

READERS: Final = frozenset({"surveillance", "accounting", "auditor", "pit", "administrator"})
HIDDEN_READERS: Final = frozenset({"surveillance", "auditor", "administrator"})
"""Roles that are told at once that something was found which follows from a hidden card, and are
shown the bytes of what was set aside, in which one may stand."""
ENTRY_READERS: Final = HIDDEN_READERS | {"accounting"}
"""Roles that are shown the bytes of what was refused as an entry: no card can stand in it."""
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


def may_see_entries() -> bool:
    """Whether the call is by, or for, somebody who may read what people wanted to enter."""
    person = current_call().person
    return person is None or bool(person.roles & ENTRY_READERS)


def may_see_hidden() -> bool:
    """Whether the call under way is by, or for, somebody who may know: a service and an operator
    by their certificates, a person by a role."""
    person = current_call().person
    return person is None or bool(person.roles & HIDDEN_READERS)
