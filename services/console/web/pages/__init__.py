"""The pages, one module each with its routes."""

from __future__ import annotations

from typing import Final

from starlette.routing import BaseRoute

from console.web.pages import (
    account,
    alerts,
    cases,
    cash,
    day,
    dead_letters,
    floor,
    games,
    hand,
    hands,
    hold,
    lag,
    promotions,
    reports,
    system,
    terms,
    users,
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
    *dead_letters.ROUTES,
    *users.ROUTES,
)
