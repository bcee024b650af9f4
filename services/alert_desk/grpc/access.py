"""Who may ask, and who may do something.

Services ask for themselves; the console asks for a person, who must have a role; whoever works at
the machine itself shows an operator's certificate and may do all of it. A person who is named in a
call is judged by their roles whoever calls for them.

Surveillance does the work. Auditors and administrators read all of it, accountants what they need
before a day is closed. The pit, which is watched, sees alerts, without what people write about
them, and without what would give away a hole card. To make the tables anew is for administrators.
"""

from __future__ import annotations

from typing import Final

from alert_desk.grpc.errors import PermissionDenied
from runtime.rpc.access import Access, Policy
from runtime.rpc.calls import current_call, current_peer

SURVEILLANCE: Final = "surveillance"
ADMINISTRATOR: Final = "administrator"
AUDIT_LOG_READERS: Final = frozenset({SURVEILLANCE, "auditor", ADMINISTRATOR, "accounting"})
HIDDEN_READERS: Final = frozenset({SURVEILLANCE, "auditor", ADMINISTRATOR})
"""Roles that are told at once what follows from a hidden card."""
_CONSOLE: Final = frozenset({"service/console"})
_OPERATORS: Final = frozenset({"operator/*"})
_TRUSTED: Final = frozenset({"service/*", *_OPERATORS})
VIEW_ALERTS: Final = Access(peers=_CONSOLE, roles=AUDIT_LOG_READERS | {"pit"}, trusted=_TRUSTED)
VIEW_EXCLUSIONS: Final = Access(
    peers=_CONSOLE, roles=AUDIT_LOG_READERS | {"pit", "cage"}, trusted=_TRUSTED
)
READ: Final = Access(peers=_CONSOLE, roles=AUDIT_LOG_READERS, trusted=_TRUSTED)
WORK: Final = Access(peers=_CONSOLE, roles={SURVEILLANCE}, trusted=_OPERATORS)
ADMINISTER: Final = Access(peers=_CONSOLE, roles={ADMINISTRATOR}, trusted=_OPERATORS)

_SERVICE: Final = "/casino.surveillance.v1.SurveillanceService/"
METHODS: Final = {
    VIEW_ALERTS: ("CountUrgentAlerts", "ListAlerts", "GetAlert", "Watch", "GetStatus"),
    VIEW_EXCLUSIONS: ("ListExclusions",),
    READ: ("ListCases", "GetCase", "ListSettings", "ListSettingChanges", "ListWebhooks"),
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
    """Whether the call is by, or for, somebody who may know a hole card before it is shown."""
    return _is_any_of(HIDDEN_READERS)


def may_read_audit_log() -> bool:
    """Whether the call is by, or for, somebody who may read what people wrote."""
    return _is_any_of(AUDIT_LOG_READERS)


def check_person(access: Access) -> None:
    """For a person whom an operator or a service names: their roles count too."""
    person = current_call().person
    if person is not None and not person.roles & access.roles:
        needed = " or ".join(sorted(access.roles))
        raise PermissionDenied(f"{person.subject} is not {needed}")


def author() -> str:
    """Who answers for what is done: a person, or else the one who holds the certificate."""
    person = current_call().person
    return person.subject if person is not None else str(current_peer())


def _is_any_of(roles: frozenset[str]) -> bool:
    person = current_call().person
    return person is None or bool(person.roles & roles)
