"""Roles and access rights. Duties are segregated: deciding and posting exclude each other.

The console uses these rights to offer pages and to reject requests early. The services check every
call by rules of their own.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Role(StrEnum):
    """A role of a user."""

    SURVEILLANCE = "surveillance"
    ACCOUNTING = "accounting"
    PIT = "pit"
    CAGE = "cage"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"


ROLE_DESCRIPTIONS: Final = {
    Role.SURVEILLANCE: "Watches tables, works alerts and cases",
    Role.ACCOUNTING: "Enters counts, reconciles and closes the day, manages promotions",
    Role.PIT: "Runs tables, settles disputes",
    Role.CAGE: "Enters fills, credits and counts",
    Role.AUDITOR: "Reads everything, changes nothing",
    Role.ADMINISTRATOR: "Manages users, monitors services",
}

Roles = frozenset[Role]
SEE_HANDS: Final[Roles] = frozenset({Role.SURVEILLANCE, Role.ACCOUNTING, Role.PIT, Role.AUDITOR})
SEE_ALERTS: Final[Roles] = SEE_HANDS
SEE_CASES: Final[Roles] = frozenset({Role.SURVEILLANCE, Role.ACCOUNTING, Role.AUDITOR})
WORK_ALERTS: Final[Roles] = frozenset({Role.SURVEILLANCE})
SEE_BOOKS: Final[Roles] = frozenset({Role.ACCOUNTING, Role.CAGE, Role.AUDITOR})
SEE_SYSTEM: Final[Roles] = frozenset(
    {Role.SURVEILLANCE, Role.ACCOUNTING, Role.AUDITOR, Role.ADMINISTRATOR}
)
SEE_USERS: Final[Roles] = frozenset({Role.AUDITOR, Role.ADMINISTRATOR})
ALL_ROLES: Final[Roles] = frozenset(Role)
ENTER_CASH: Final[Roles] = frozenset({Role.ACCOUNTING, Role.CAGE})
MANAGE_BOOKS: Final[Roles] = frozenset({Role.ACCOUNTING})
RETRY: Final[Roles] = WORK_ALERTS | MANAGE_BOOKS
"""Events of tables are retried by surveillance, entries by accounting."""
MANAGE_USERS: Final[Roles] = frozenset({Role.ADMINISTRATOR})

SEGREGATED: Final[tuple[tuple[Role, Roles], ...]] = (
    (Role.SURVEILLANCE, frozenset({Role.ACCOUNTING, Role.CAGE, Role.PIT})),
    (Role.AUDITOR, frozenset(Role) - {Role.AUDITOR}),
    (Role.ADMINISTRATOR, frozenset(Role) - {Role.ADMINISTRATOR}),
)
"""A role, and the roles that exclude it."""


def parse_roles(names: list[str]) -> Roles:
    """Parse role names; unknown names are ignored.

    >>> sorted(parse_roles(["pit", "king"]))
    [<Role.PIT: 'pit'>]
    """
    known = {role.value for role in Role}
    return frozenset(Role(name) for name in names if name in known)


def conflict(roles: Roles) -> str:
    """The reason why one user cannot hold all of these roles; empty if allowed.

    >>> conflict(frozenset({Role.SURVEILLANCE, Role.CAGE}))
    'surveillance and cage exclude each other'
    """
    for role, others in SEGREGATED:
        if role in roles and (both := roles & others):
            return f"{role} and {min(both)} exclude each other"
    return ""
