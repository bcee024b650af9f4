"""What every page is given: the services behind, people, templates, the clock of the house."""

from __future__ import annotations

from dataclasses import dataclass

from console.alerts import AlertFeeds
from console.asking import Asking
from console.floor import Floor
from console.house import Houses
from console.people.door import Door
from console.people.store import Store
from console.readers import LagWarning
from console.web.assets import Assets
from console.web.cookies import Cookies
from console.web.templates import Templates


@dataclass(frozen=True, slots=True)
class Desk:
    origin: str
    asking: Asking
    door: Door
    store: Store
    houses: Houses
    lag: LagWarning
    alerts: AlertFeeds
    floor: Floor
    cookies: Cookies
    assets: Assets
    templates: Templates
