"""Rights per RPC.

Services read for themselves; the console calls for a person, who must have a role; an operator's
certificate may do all of it. A person who is named in a call is checked by their roles, even if an
operator calls for them.

Surveillance does the work. Auditors and administrators read all of it, accountants the part that
they need before a day is closed. The pit, which is watched, sees alerts, but not the notes about
them, and nothing that would reveal a hole card. Rebuilding the tables is for administrators.
"""

from __future__ import annotations

from typing import Final

from alert_desk.grpc.errors import PermissionDenied
from runtime.rpc.access import Access, Policy
from runtime.rpc.calls import caller_has_role, current_call

SURVEILLANCE: Final = "surveillance"
ADMINISTRATOR: Final = "administrator"
AUDIT_LOG_READERS: Final = frozenset({SURVEILLANCE, "auditor", ADMINISTRATOR, "accounting"})
HIDDEN_READERS: Final = frozenset({SURVEILLANCE, "auditor", ADMINISTRATOR})
"""Roles that see findings from a hidden card at once."""
_CONSOLE: Final = frozenset({"service/console"})
_OPERATORS: Final = frozenset({"operator/*"})
_TRUSTED: Final = frozenset({"service/*", *_OPERATORS})
VIEW_ALERTS: Final = Access(peers=_CONSOLE, roles=AUDIT_LOG_READERS | {"pit"}, trusted=_TRUSTED)
VIEW_EXCLUSIONS: Final = Access(
    peers=_CONSOLE, roles=AUDIT_LOG_READERS | {"pit", "cage"}, trusted=_TRUSTED
)
VIEW_CASES: Final = Access(peers=_CONSOLE, roles=AUDIT_LOG_READERS, trusted=_TRUSTED)
WORK: Final = Access(peers=_CONSOLE, roles={SURVEILLANCE}, trusted=_OPERATORS)
ADMINISTER: Final = Access(peers=_CONSOLE, roles={ADMINISTRATOR}, trusted=_OPERATORS)

_SERVICE: Final = "/casino.surveillance.v1.SurveillanceService/"
METHODS: Final = {
    VIEW_ALERTS: ("CountUrgentAlerts", "ListAlerts", "GetAlert", "Watch", "GetStatus"),
    VIEW_EXCLUSIONS: ("ListExclusions",),
    VIEW_CASES: ("ListCases", "GetCase", "ListSettings", "ListSettingChanges", "ListWebhooks"),
    WORK: (
        "Acknowledge", "Review", "Decide", "Reopen", "Assign", "AddNote",
        "OpenCase", "AddToCase", "HoldEvidence", "ReleaseEvidence", "SetDeadline",
        "MeetDeadline", "CloseCase",
        "ChangeSetting", "SetWebhook", "RemoveWebhook", "TestWebhook",
    ),
    ADMINISTER: ("Rebuild",),
}  # fmt: skip
POLICY: Final[Policy] = {
    _SERVICE + method: access for access, methods in METHODS.items() for method in methods
}


def may_see_hidden() -> bool:
    """Whether the caller may know a hole card before it is shown."""
    return caller_has_role(HIDDEN_READERS)


def may_read_audit_log() -> bool:
    """Whether the caller may read notes and activity."""
    return caller_has_role(AUDIT_LOG_READERS)


def check_person(access: Access) -> None:
    """Check the roles of a person whom an operator or a service names."""
    person = current_call().person
    if person is not None and not person.roles & access.roles:
        needed = " or ".join(sorted(access.roles))
        raise PermissionDenied(f"user {person.subject} needs the role {needed}")
