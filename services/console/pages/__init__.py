"""A module a page: its routes, and what stands on it."""

from __future__ import annotations

from typing import Final

from starlette.routing import BaseRoute

from console.pages import account, games, hand, hands, people, system

ROUTES: Final[tuple[BaseRoute, ...]] = (
    *account.ROUTES,
    *hands.ROUTES,
    *hand.ROUTES,
    *games.ROUTES,
    *system.ROUTES,
    *people.ROUTES,
)
