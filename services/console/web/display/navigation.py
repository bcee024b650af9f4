"""Where somebody may go, in the order in which it is offered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from console.users import roles
from console.users.roles import Roles


@dataclass(frozen=True, slots=True)
class Place:
    path: str
    title: str
    icon: str
    roles: Roles

    def holds(self, here: str) -> bool:
        """Whether an address lies here."""
        return here == self.path or here.startswith(f"{self.path}/")


PLACES: Final = (
    Place("/floor", "Floor", "floor", roles.SEE_HANDS),
    Place("/alerts", "Alerts", "bell", roles.SEE_ALERTS),
    Place("/cases", "Cases", "folder", roles.SEE_CASES),
    Place("/hands", "Find a hand", "search", roles.SEE_HANDS),
    Place("/day", "Day", "ledger", roles.SEE_BOOKS),
    Place("/cash", "Cage and counts", "chips", roles.SEE_BOOKS),
    Place("/reports", "Reports", "chart", roles.SEE_BOOKS),
    Place("/promotions", "Promotions", "ticket", roles.SEE_BOOKS),
    Place("/games", "Games", "cards", roles.EVERYBODY),
    Place("/system", "System", "pulse", roles.SEE_SYSTEM),
    Place("/people", "People", "people", roles.SEE_PEOPLE),
)


def places_for(held: Roles) -> tuple[Place, ...]:
    return tuple(place for place in PLACES if place.roles & held)
