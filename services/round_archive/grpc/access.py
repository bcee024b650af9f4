"""Rights per RPC.

Other services read for themselves; the console calls for a person, who must have a role; operators
call with their certificate. Publishing a rule set and rebuilding the index are for administrators
and operators.

Findings that would reveal a hole card before it is shown are for those who watch the game, not for
those who run it: see `may_see_hidden`.
"""

from __future__ import annotations

from typing import Final

from runtime.rpc.access import Access, Policy
from runtime.rpc.calls import caller_has_role

READERS: Final = frozenset({"surveillance", "accounting", "auditor", "pit", "administrator"})
HIDDEN_READERS: Final = frozenset({"surveillance", "auditor", "administrator"})
"""Roles that see at once findings from a hidden card, and the bytes of dead letters, which may hold
one."""
ENTRY_READERS: Final = HIDDEN_READERS | {"accounting"}
"""Roles that see the bytes of rejected entries of accounting, which hold no card."""
_CONSOLE: Final = frozenset({"service/console"})
_OPERATORS: Final = frozenset({"operator/*"})
READ: Final = Access(peers=_CONSOLE, roles=READERS, trusted={"service/*", *_OPERATORS})
CHANGE: Final = Access(peers=_CONSOLE, roles={"administrator"}, trusted=_OPERATORS)

_SERVICE: Final = "/casino.settlement.v1.SettlementService/"
_READING: Final = (
    "GetRound", "FindRounds", "FindFindings", "ReplayRound", "Watch", "ListRuleSets", "GetStatus",
    "FindDeadLetters",
)  # fmt: skip
_CHANGING: Final = ("PublishRuleSet", "Rebuild")
POLICY: Final[Policy] = {
    **{_SERVICE + method: READ for method in _READING},
    **{_SERVICE + method: CHANGE for method in _CHANGING},
}


def may_see_entries() -> bool:
    """Whether the caller may see the bytes of rejected entries."""
    return caller_has_role(ENTRY_READERS)


def may_see_hidden() -> bool:
    """Whether the caller may know a hole card before it is shown."""
    return caller_has_role(HIDDEN_READERS)
