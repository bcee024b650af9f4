"""The pages a user may open, in the order of the navigation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from console.users import roles
from console.users.roles import Roles


@dataclass(frozen=True, slots=True)
class NavigationLink:
    """A page of the navigation, and who may open it."""

    path: str
    title: str
    icon: str
    roles: Roles

    def is_current(self, path: str) -> bool:
        """Whether an address lies under this page."""
        return path == self.path or path.startswith(f"{self.path}/")


NAVIGATION: Final = (
    NavigationLink("/floor", "Floor", "floor", roles.SEE_HANDS),
    NavigationLink("/alerts", "Alerts", "bell", roles.SEE_ALERTS),
    NavigationLink("/cases", "Cases", "folder", roles.SEE_CASES),
    NavigationLink("/hands", "Hands", "search", roles.SEE_HANDS),
    NavigationLink("/day", "Gaming day", "ledger", roles.SEE_BOOKS),
    NavigationLink("/cash", "Cage and counts", "chips", roles.SEE_BOOKS),
    NavigationLink("/reports", "Reports", "chart", roles.SEE_BOOKS),
    NavigationLink("/promotions", "Promotions", "ticket", roles.SEE_BOOKS),
    NavigationLink("/games", "Games", "cards", roles.ALL_ROLES),
    NavigationLink("/system", "System", "pulse", roles.SEE_SYSTEM),
    NavigationLink("/users", "Users and roles", "people", roles.SEE_USERS),
)


def links_for(held: Roles) -> tuple[NavigationLink, ...]:
    """List the pages that at least one of these roles may open."""
    return tuple(link for link in NAVIGATION if link.roles & held)
