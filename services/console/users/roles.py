"""Roles, and what each may do. Duties stay apart: who decides does not post, and the reverse.

The console goes by these to show what is of use to somebody and to refuse early. The services
behind have rules of their own and judge every call by them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Role(StrEnum):
    SURVEILLANCE = "surveillance"
    ACCOUNTING = "accounting"
    PIT = "pit"
    CAGE = "cage"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"


ROLE_DESCRIPTIONS: Final = {
    Role.SURVEILLANCE: "watches tables, decides alerts, opens cases",
    Role.ACCOUNTING: "counts, reconciles and closes the day, keeps promotions",
    Role.PIT: "runs tables, answers a patron",
    Role.CAGE: "enters fills, credits and counts",
    Role.AUDITOR: "reads everything, changes nothing",
    Role.ADMINISTRATOR: "lets people in, and sees how the services stand",
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
"""What tables sent, and what was to be entered: each by those whose it is."""
MANAGE_USERS: Final[Roles] = frozenset({Role.ADMINISTRATOR})

APART: Final[tuple[tuple[Role, Roles], ...]] = (
    (Role.SURVEILLANCE, frozenset({Role.ACCOUNTING, Role.CAGE, Role.PIT})),
    (Role.AUDITOR, frozenset(Role) - {Role.AUDITOR}),
    (Role.ADMINISTRATOR, frozenset(Role) - {Role.ADMINISTRATOR}),
)
"""A role, and those that nobody has together with it."""


def parse_roles(names: list[str]) -> Roles:
    """The roles with these names; a name that is none of them is left out.

    >>> sorted(parse_roles(["pit", "king"]))
    [<Role.PIT: 'pit'>]
    """
    known = {each.value for each in Role}
    return frozenset(Role(name) for name in names if name in known)


def conflict(roles: Roles) -> str:
    """Why nobody may have all of these; empty where somebody may.

    >>> conflict(frozenset({Role.SURVEILLANCE, Role.CAGE}))
    'surveillance and cage stay apart'
    """
    for role, others in APART:
        if role in roles and (both := roles & others):
            return f"{role} and {min(both)} stay apart"
    return ""
