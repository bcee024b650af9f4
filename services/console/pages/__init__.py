"""A module a page: its routes, and what stands on it."""

from __future__ import annotations

from typing import Final

from starlette.routing import BaseRoute

from console.pages import (
    account,
    alerts,
    cases,
    cash,
    day,
    floor,
    games,
    hand,
    hands,
    hold,
    lag,
    letters,
    people,
    promotions,
    reports,
    system,
    terms,
)

ROUTES: Final[tuple[BaseRoute, ...]] = (
    *account.ROUTES,
    *floor.ROUTES,
    *alerts.ROUTES,
    *cases.ROUTES,
    *hands.ROUTES,
    *hand.ROUTES,
    *day.ROUTES,
    *cash.ROUTES,
    *reports.ROUTES,
    *hold.ROUTES,
    *promotions.ROUTES,
    *terms.ROUTES,
    *games.ROUTES,
    *lag.ROUTES,
    *system.ROUTES,
    *letters.ROUTES,
    *people.ROUTES,
)
