"""Where somebody may go, in the order in which it is offered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from console.users import roles
from console.users.roles import Roles


@dataclass(frozen=True, slots=True)
class NavigationLink:
    path: str
    title: str
    icon: str
    roles: Roles

    def is_current(self, here: str) -> bool:
        """Whether an address lies here."""
        return here == self.path or here.startswith(f"{self.path}/")


NAVIGATION: Final = (
    NavigationLink("/floor", "Floor", "floor", roles.SEE_HANDS),
    NavigationLink("/alerts", "Alerts", "bell", roles.SEE_ALERTS),
    NavigationLink("/cases", "Cases", "folder", roles.SEE_CASES),
    NavigationLink("/hands", "Find a hand", "search", roles.SEE_HANDS),
    NavigationLink("/day", "Day", "ledger", roles.SEE_BOOKS),
    NavigationLink("/cash", "Cage and counts", "chips", roles.SEE_BOOKS),
    NavigationLink("/reports", "Reports", "chart", roles.SEE_BOOKS),
    NavigationLink("/promotions", "Promotions", "ticket", roles.SEE_BOOKS),
    NavigationLink("/games", "Games", "cards", roles.ALL_ROLES),
    NavigationLink("/system", "System", "pulse", roles.SEE_SYSTEM),
    NavigationLink("/people", "People", "people", roles.SEE_USERS),
)


def links_for(held: Roles) -> tuple[NavigationLink, ...]:
    return tuple(place for place in NAVIGATION if place.roles & held)
